import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Panel } from "./panel.js";
import type { Schedule } from "./shapes.js";
import { style } from "./style.js";
import { fromNow } from "./wording.js";

/** What is done by the clock, and when. */
@customElement("operations-schedules")
export class SchedulesPanel extends Panel<readonly Schedule[]> {
  static override styles = style;
  protected readonly domains = ["schedules"];

  protected path(): string {
    return "/api/schedules";
  }

  protected show(schedules: readonly Schedule[]): TemplateResult {
    if (schedules.length === 0) return html`<p class="soft">No plugin has declared anything to be done by the clock.</p>`;
    return html`<ul>${repeat(schedules, (schedule) => schedule.key, (schedule) => this.#card(schedule))}</ul>`;
  }

  #card(schedule: Schedule): TemplateResult {
    return html`<li class="card">
      <div class="line">
        <h2>${schedule.title}</h2>
        <label><input type="checkbox" .checked=${schedule.enabled} ?disabled=${this.busy} @change=${(event: Event) => this.#change(schedule, { enabled: (event.target as HTMLInputElement).checked })} />On</label>
      </div>
      <p class="soft">${schedule.description}</p>
      <form class="line start" @submit=${(event: SubmitEvent) => this.#submit(event, schedule)}>
        <label>Cron <input name="cron" .value=${schedule.cron} autocomplete="off" spellcheck="false" aria-label="Cron pattern of ${schedule.title}" title="Minute, hour, day, month, weekday in ${schedule.timeZone}" /></label>
        <button ?disabled=${this.busy}>Change</button>
        <button type="button" ?disabled=${this.busy || schedule.running} @click=${() => this.#run(schedule)}>${schedule.running ? "Running …" : "Run now"}</button>
        ${schedule.cron === schedule.defaultCron ? nothing : html`<button type="button" ?disabled=${this.busy} @click=${() => this.#change(schedule, { cron: schedule.defaultCron })}>Back to ${schedule.defaultCron}</button>`}
      </form>
      <p class="label">${schedule.lastRunAt ? `Last ${fromNow(schedule.lastRunAt)}: ${schedule.lastState}` : "Has not run yet"} · ${schedule.nextRunAt ? `next ${fromNow(schedule.nextRunAt)} (${schedule.timeZone})` : "does not run by itself"}</p>
      ${schedule.lastError ? html`<p class="error">${schedule.lastError}</p>` : nothing}
    </li>`;
  }

  #submit(event: SubmitEvent, schedule: Schedule): void {
    event.preventDefault();
    const cron = String(new FormData(event.target as HTMLFormElement).get("cron"));
    void this.#change(schedule, { cron }, `${schedule.title} runs at ${cron} now.`);
  }

  #change(schedule: Schedule, change: { cron?: string; enabled?: boolean }, done?: string): Promise<void> {
    return this.attempt(() => this.longbox.api(`/api/schedules/${encodeURIComponent(schedule.key)}`, { method: "POST", body: change }), done);
  }

  #run(schedule: Schedule): Promise<void> {
    return this.attempt(() => this.longbox.api(`/api/schedules/${encodeURIComponent(schedule.key)}/run`, { method: "POST" }), `${schedule.title} has begun.`);
  }
}
