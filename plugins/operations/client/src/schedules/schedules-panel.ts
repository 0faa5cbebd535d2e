import {
  Action,
  Dialog,
  dialogs,
  element,
  fromNow,
  LongboxElement,
  notice,
  Resource,
  t,
  toggle,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Schedule } from "@longbox/operations/api";
import { style } from "../style.js";
import { inWords, timetableOf } from "./timetable.js";

/** The schedules, with their next runs. */
@element("operations-schedules")
export class SchedulesPanel extends LongboxElement {
  static override styles = [style, dialogs];
  @state() private opened: Schedule | undefined;
  readonly #dialog = new Dialog(this);
  #subject: { readonly schedule?: Schedule } = {};
  readonly #schedules = new Resource<readonly Schedule[]>(this, { path: "/api/schedules", domains: ["schedules"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#schedules.refresh() });

  override render(): unknown {
    return this.#schedules.render((schedules) => {
      if (schedules.length === 0) return notice({ drawing: "box", heading: t("schedulesPanel.thereAreNoSchedules") });
      return html`<ul>
          ${repeat(
            schedules,
            (schedule) => schedule.key,
            (schedule) => this.#card(schedule),
          )}
        </ul>
        ${this.#dialog.render(this.opened?.title ?? "", () => this.#form())}`;
    });
  }

  #card(schedule: Schedule): TemplateResult {
    const { busy } = this.#action;
    return html`<li class="card">
      <div class="row spread head">
        <h2>${schedule.title}</h2>
        ${toggle({ label: t("schedulesPanel.isOn", { schedule: schedule.title }), isLabelHidden: true, isDisabled: busy }, schedule.enabled, (enabled) => this.#change(schedule, { enabled }))}
      </div>
      <p class="soft">${schedule.description}</p>
      <div class="row spread">
        <p class="when">${inWords(timetableOf(schedule.cron))}</p>
        <span class="row">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-label=${t("schedulesPanel.changeWhen", { schedule: schedule.title })}
            @click=${() => this.#open(schedule)}
          >
            ${t("schedulesPanel.change")}
          </button>
          <button
            type="button"
            aria-label=${t("schedulesPanel.runNow", { schedule: schedule.title })}
            ?disabled=${busy || schedule.running}
            @click=${() => this.#run(schedule)}
          >
            ${schedule.running ? t("schedulesPanel.running") : t("schedulesPanel.runNow2")}
          </button>
        </span>
      </div>
      <p class="label">
        ${schedule.lastRunAt ? t("schedulesPanel.lastRunRunningFailed", { time: fromNow(schedule.lastRunAt), state: schedule.lastState }) : t("schedulesPanel.hasNotRunYet")}
        ·
        ${schedule.nextRunAt ? t("schedulesPanel.next", { time: fromNow(schedule.nextRunAt) }) : t("schedulesPanel.doesNotRunAutomatically")}
      </p>
      ${schedule.lastError ? html`<p class="problem">${schedule.lastError}</p>` : nothing}
    </li>`;
  }

  #open(schedule: Schedule): void {
    this.opened = schedule;
    this.#subject = { schedule };
    void this.#dialog.open();
  }

  #form(): TemplateResult {
    return html`<operations-schedule-form
      .longbox=${this.longbox}
      .subject=${this.#subject}
      @done=${() => {
        this.#dialog.close();
        void this.#schedules.refresh();
      }}
    ></operations-schedule-form>`;
  }

  #change(schedule: Schedule, change: { readonly enabled: boolean }): Promise<boolean> {
    return this.#action.run(() => this.post(`/api/schedules/${encodeURIComponent(schedule.key)}`, change));
  }

  #run(schedule: Schedule): Promise<boolean> {
    return this.#action.run(
      () => this.post(`/api/schedules/${encodeURIComponent(schedule.key)}/run`),
      t("schedulesPanel.hasBegun", { schedule: schedule.title }),
    );
  }
}
