import { Action, duration, element, fromNow, LongboxElement, notice, number, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Job } from "@longbox/operations/api";
import { style } from "./style.js";

const says: Readonly<Record<Job["state"], readonly [words: string, look: string]>> = {
  queued: [t("jobsPanel.waiting"), "busy"],
  running: [t("jobsPanel.running"), "busy"],
  done: [t("jobsPanel.done"), "good"],
  failed: [t("jobsPanel.failed"), "bad"],
  cancelled: [t("jobsPanel.cancelled"), "warn"],
};

/** Running, waiting and ended jobs. */
@element("operations-jobs")
export class JobsPanel extends LongboxElement {
  static override styles = style;
  readonly #jobs = new Resource<readonly Job[]>(this, { path: "/api/jobs?limit=100", domains: ["jobs"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#jobs.refresh() });

  override render(): unknown {
    return this.#jobs.render((jobs) => this.#list(jobs));
  }

  #list(jobs: readonly Job[]): TemplateResult {
    if (jobs.length === 0)
      return notice({ drawing: "box", heading: t("jobsPanel.noJobsYetScans"), text: t("jobsPanel.scansBackupsAnd") });
    const ended = jobs.some((job) => job.endedAt);
    return html`
      <ul>
        ${repeat(
          jobs,
          (job) => job.id,
          (job) => this.#card(job),
        )}
      </ul>
      ${ended ? html`<p class="row end below"><button ?disabled=${this.#action.busy} @click=${() => this.#action.run(() => this.post("/api/jobs/clear"))}>${t("jobsPanel.clearFinishedJobs")}</button></p>` : nothing}
    `;
  }

  #card(job: Job): TemplateResult {
    const live = job.state === "running" || job.state === "queued";
    const [words, look] = says[job.state];
    return html`<li class="card">
      <div class="row spread">
        <h2>${job.title}</h2>
        <span class="row"
          ><span class="tag ${look}">${words}</span
          >${live ? html`<button ?disabled=${this.#action.busy} @click=${() => this.#action.run(() => this.post(`/api/jobs/${job.id}/cancel`))} aria-label=${t("jobsPanel.cancel", { job: job.title })}>${t("jobsPanel.cancel2")}</button>` : nothing}</span
        >
      </div>
      ${job.state === "running" ? html`<progress .max=${job.total || 1} .value=${job.total > 0 ? job.done : 0} aria-label=${t("jobsPanel.progressOf", { job: job.title })}></progress>` : nothing}
      <p class="label">${figures(job)}</p>
      ${job.message ? html`<p class="soft">${job.message}</p>` : nothing}
      ${job.error ? html`<p class=${job.state === "failed" ? "problem" : "soft"}>${job.error}</p>` : nothing}
    </li>`;
  }
}

function figures(job: Job): string {
  const count =
    job.total > 0 ? t("jobsPanel.of", { done: job.done, total: job.total }) : job.done > 0 ? number(job.done) : "";
  const left = job.estimateSeconds === undefined ? "" : t("jobsPanel.left", { time: duration(job.estimateSeconds) });
  return [fromNow(job.endedAt ?? job.startedAt ?? job.queuedAt), took(job), count, left].filter(Boolean).join(" · ");
}

/** How long a job took, or has taken so far; nothing worth saying below a second. */
function took({ startedAt, endedAt }: Job): string {
  if (startedAt === undefined) return "";
  const seconds = ((endedAt ? Date.parse(endedAt) : Date.now()) - Date.parse(startedAt)) / 1_000;
  return seconds < 1 ? "" : t("jobsPanel.took", { time: duration(seconds) });
}
