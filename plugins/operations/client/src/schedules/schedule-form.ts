import { choice, Action, LongboxElement, element, problem, valueOf, t } from "@longbox/sdk/ui";
import { html, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Schedule } from "@longbox/operations/api";
import { style } from "../style.js";
import { cronOf, hourSteps, inWords, minuteSteps, timetableOf, weekdays, type Timetable } from "./timetable.js";

const usualTime = "04:00";
const kinds = [
  ["day", t("scheduleForm.everyDay")],
  ["week", t("scheduleForm.everyWeek")],
  ["month", t("scheduleForm.everyMonth")],
  ["hours", t("scheduleForm.everyFewHours")],
  ["minutes", t("scheduleForm.everyFewMinutes")],
  ["pattern", t("scheduleForm.cronPattern")],
] as const satisfies ReadonlyArray<readonly [Timetable["every"], string]>;

/** Chooses when a schedule runs. Dispatches `done` once that is saved. */
@element("operations-schedule-form")
export class ScheduleForm extends LongboxElement<{ readonly schedule?: Schedule }> {
  static override styles = style;
  @state() private timetable: Timetable = { every: "day", time: usualTime };
  readonly #action = new Action(this);

  override willUpdate(changed: PropertyValues): void {
    const { schedule } = this.subject;
    if (changed.has("subject") && schedule) this.timetable = timetableOf(schedule.cron);
  }

  override render(): TemplateResult {
    const { schedule } = this.subject;
    return html`<form class="stack" @submit=${(event: Event) => void this.#save(event)}>
      <div class="row">
        ${choice({ label: t("scheduleForm.howOften"), choices: kinds }, this.timetable.every, (every) => this.#begin(every))}
        ${this.#fields(this.timetable)}
      </div>
      <p class="soft" aria-live="polite">${inWords(this.timetable)}${schedule ? ` (${schedule.timeZone})` : ""}</p>
      ${problem(this.#action.problem)}
      <div class="row end">
        ${schedule && schedule.cron !== schedule.defaultCron ? html`<button type="button" class="quiet" @click=${() => (this.timetable = timetableOf(schedule.defaultCron))}>${t("scheduleForm.default")}</button>` : ""}
        <button class="primary" ?disabled=${this.#action.busy}>${t("scheduleForm.save")}</button>
      </div>
    </form>`;
  }

  #fields(timetable: Timetable): unknown {
    switch (timetable.every) {
      case "minutes":
        return choice(
          { label: t("scheduleForm.minutes"), choices: minuteSteps.map((step) => [step, String(step)] as const) },
          timetable.step,
          (step) => (this.timetable = { ...timetable, step }),
        );
      case "hours":
        return this.#hours(timetable);
      case "day":
        return this.#time(timetable);
      case "week":
        return html`${choice({ label: t("scheduleForm.weekday"), choices: weekdays.map((name, index) => [index, name] as const) }, timetable.weekday, (weekday) => (this.timetable = { ...timetable, weekday }))}
        ${this.#time(timetable)}`;
      case "month":
        return html`<label
            >${t("scheduleForm.dayOfTheMonth")}
            <input
              type="number"
              min="1"
              max="31"
              required
              .value=${String(timetable.day)}
              @input=${(event: Event) => (this.timetable = { ...timetable, day: Number(valueOf(event)) })}
          /></label>
          ${this.#time(timetable)}`;
      case "pattern":
        return this.#pattern(timetable);
    }
  }

  #hours(timetable: Extract<Timetable, { every: "hours" }>): TemplateResult {
    return html`${choice({ label: t("scheduleForm.hours"), choices: hourSteps.map((step) => [step, String(step)] as const) }, timetable.step, (step) => (this.timetable = { ...timetable, step }))}
      <label
        >${t("scheduleForm.minutesPastTheHour")}
        <input
          type="number"
          min="0"
          max="59"
          required
          .value=${String(timetable.minute)}
          @input=${(event: Event) => (this.timetable = { ...timetable, minute: Number(valueOf(event)) })}
      /></label>`;
  }

  #pattern(timetable: Extract<Timetable, { every: "pattern" }>): TemplateResult {
    return html`<label
        >${t("scheduleForm.pattern")}
        <input
          autocomplete="off"
          spellcheck="false"
          required
          aria-describedby="pattern"
          .value=${timetable.cron}
          @input=${(event: Event) => (this.timetable = { ...timetable, cron: valueOf(event) })} /></label
      ><span class="hint" id="pattern">${t("scheduleForm.minuteHourDayMonth")}</span>`;
  }

  #time(timetable: Extract<Timetable, { time: string }>): TemplateResult {
    return html`<label
      >${t("scheduleForm.time")}
      <input
        type="time"
        required
        .value=${timetable.time}
        @input=${(event: Event) => (this.timetable = { ...timetable, time: valueOf(event) })}
    /></label>`;
  }

  /** Another kind begins with what the present one has in common with it. */
  #begin(every: Timetable["every"]): void {
    const time = "time" in this.timetable ? this.timetable.time : usualTime;
    const begun: Record<Timetable["every"], Timetable> = {
      minutes: { every: "minutes", step: 15 },
      hours: { every: "hours", step: 6, minute: 0 },
      day: { every: "day", time },
      week: { every: "week", time, weekday: 0 },
      month: { every: "month", time, day: 1 },
      pattern: { every: "pattern", cron: cronOf(this.timetable) },
    };
    this.timetable = begun[every];
  }

  async #save(event: Event): Promise<void> {
    event.preventDefault();
    const { schedule } = this.subject;
    if (!schedule) return;
    const cron = cronOf(this.timetable);
    const isSaved = await this.#action.run(
      () => this.post(`/api/schedules/${encodeURIComponent(schedule.key)}`, { cron }),
      `${schedule.title}: ${inWords(timetableOf(cron))}.`,
    );
    if (isSaved) this.dispatchEvent(new Event("done"));
  }
}
