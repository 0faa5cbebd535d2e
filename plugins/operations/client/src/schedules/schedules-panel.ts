import { Action, check, element, fromNow, LongboxElement, Resource, submitted } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Schedule } from "@longbox/operations/api";
import { style } from "./style.js";

/** The schedules, with their next runs. */
@element("operations-schedules")
export class SchedulesPanel extends LongboxElement {
  static override styles = style;
  readonly #schedules = new Resource<readonly Schedule[]>(this, { path: "/api/schedules", domains: ["schedules"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#schedules.refresh() });

  override render(): unknown {
    return this.#schedules.render((schedules) => {
      if (schedules.length === 0) return html`<p class="soft">There are no schedules.</p>`;
      return html`<ul>
        ${repeat(
          schedules,
          (schedule) => schedule.key,
          (schedule) => this.#card(schedule),
        )}
      </ul>`;
    });
  }

  #card(schedule: Schedule): TemplateResult {
    const { busy } = this.#action;
    return html`<li class="card">
      <div class="row spread">
        <h2>${schedule.title}</h2>
        ${check({ label: "On", isDisabled: busy }, schedule.enabled, (enabled) => this.#change(schedule, { enabled }))}
      </div>
      <p class="soft">${schedule.description}</p>
      <form class="row" @submit=${(event: SubmitEvent) => this.#submit(event, schedule)}>
        <label
          >Cron
          <input
            name="cron"
            .value=${schedule.cron}
            autocomplete="off"
            spellcheck="false"
            aria-label="Cron pattern of ${schedule.title}"
            title="Minute, hour, day, month, weekday in ${schedule.timeZone}"
        /></label>
        <button ?disabled=${busy}>Change</button>
        <button type="button" ?disabled=${busy || schedule.running} @click=${() => this.#run(schedule)}>
          ${schedule.running ? "Running …" : "Run now"}
        </button>
        ${schedule.cron === schedule.defaultCron ? nothing : html`<button type="button" ?disabled=${busy} @click=${() => this.#change(schedule, { cron: schedule.defaultCron })}>Back to ${schedule.defaultCron}</button>`}
      </form>
      <p class="label">
        ${schedule.lastRunAt ? `Last ${fromNow(schedule.lastRunAt)}: ${schedule.lastState}` : "Has not run yet"} ·
        ${schedule.nextRunAt ? `next ${fromNow(schedule.nextRunAt)} (${schedule.timeZone})` : "does not run automatically"}
      </p>
      ${schedule.lastError ? html`<p class="problem">${schedule.lastError}</p>` : nothing}
    </li>`;
  }

  #submit(event: SubmitEvent, schedule: Schedule): void {
    const { cron = "" } = submitted(event);
    void this.#change(schedule, { cron }, `${schedule.title} runs at ${cron} now.`);
  }

  #change(schedule: Schedule, change: { cron?: string; enabled?: boolean }, done?: string): Promise<boolean> {
    return this.#action.run(() => this.post(`/api/schedules/${encodeURIComponent(schedule.key)}`, change), done);
  }

  #run(schedule: Schedule): Promise<boolean> {
    return this.#action.run(
      () => this.post(`/api/schedules/${encodeURIComponent(schedule.key)}/run`),
      `${schedule.title} has begun.`,
    );
  }
}
