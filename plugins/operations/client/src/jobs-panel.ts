import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Panel } from "./panel.js";
import type { Job } from "./shapes.js";
import { style } from "./style.js";
import { duration, fromNow, took } from "./wording.js";

const says: Readonly<Record<Job["state"], string>> = { queued: "Waiting", running: "Running", done: "Done", failed: "Failed", cancelled: "Cancelled" };

/** What is being done, what waits, and what became of the rest. */
@customElement("operations-jobs")
export class JobsPanel extends Panel<readonly Job[]> {
  static override styles = style;
  protected readonly domains = ["jobs"];

  protected path(): string {
    return "/api/jobs?limit=100";
  }

  protected show(jobs: readonly Job[]): TemplateResult {
    if (jobs.length === 0) return html`<p class="soft">Nothing has been done yet. Scans, backups and tools show here while they run, and afterwards.</p>`;
    const ended = jobs.some((job) => job.endedAt);
    return html`
      <ul>${repeat(jobs, (job) => job.id, (job) => this.#card(job))}</ul>
      ${ended ? html`<p class="line end"><button ?disabled=${this.busy} @click=${() => this.#clear()}>Forget what has ended</button></p>` : nothing}
    `;
  }

  #card(job: Job): TemplateResult {
    const live = job.state === "running" || job.state === "queued";
    return html`<li class="card">
      <div class="line">
        <h2>${job.title}</h2>
        <span class="line"><span class="tag ${job.state}">${says[job.state]}</span>${live ? html`<button ?disabled=${this.busy} @click=${() => this.#cancel(job)} aria-label="Cancel ${job.title}">Cancel</button>` : nothing}</span>
      </div>
      ${job.state === "running" ? html`<progress .max=${job.total || 1} .value=${job.total > 0 ? job.done : 0} aria-label="Progress of ${job.title}"></progress>` : nothing}
      <p class="label">${this.#figures(job)}</p>
      ${job.message ? html`<p class="soft">${job.message}</p>` : nothing} ${job.error ? html`<p class=${job.state === "failed" ? "error" : "soft"}>${job.error}</p>` : nothing}
    </li>`;
  }

  #figures(job: Job): string {
    const count = job.total > 0 ? `${job.done} of ${job.total}` : job.done > 0 ? String(job.done) : "";
    const left = job.estimateSeconds === undefined ? "" : `${duration(job.estimateSeconds)} left`;
    return [fromNow(job.endedAt ?? job.startedAt ?? job.queuedAt), took(job) && `took ${took(job)}`, count, left].filter(Boolean).join(" · ");
  }

  #cancel(job: Job): Promise<void> {
    return this.attempt(() => this.longbox.api(`/api/jobs/${job.id}/cancel`, { method: "POST" }));
  }

  #clear(): Promise<void> {
    return this.attempt(() => this.longbox.api("/api/jobs/clear", { method: "POST" }));
  }
}
