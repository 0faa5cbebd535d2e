import { locale, t } from "@longbox/sdk/ui";
/** When a schedule runs, in the terms of its form. Hours and minutes are those of the server's time zone. */
export type Timetable =
  | { readonly every: "minutes"; readonly step: number }
  | { readonly every: "hours"; readonly step: number; readonly minute: number }
  | { readonly every: "day"; readonly time: string }
  | { readonly every: "week"; readonly time: string; readonly weekday: number }
  | { readonly every: "month"; readonly time: string; readonly day: number }
  | { readonly every: "pattern"; readonly cron: string };

/** Sunday first, as in cron patterns. */
export const weekdays: readonly string[] = Array.from({ length: 7 }, (_, index) =>
  // The fourth of January 1970 was a Sunday.
  new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(1970, 0, 4 + index)),
);

/** Steps that divide an hour, or a day, so that all intervals are equally long. */
export const minuteSteps = [5, 10, 15, 20, 30] as const;
export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;

const two = (number: number) => String(number).padStart(2, "0");
const whole = (field: string, highest: number) =>
  /^\d{1,2}$/.test(field) && Number(field) <= highest ? Number(field) : undefined;
/** Of `*` 1, of a `*` with a step that step; undefined for all else. */
const stepOf = (field: string, steps: readonly number[]) => {
  const step = field === "*" ? 1 : Number(/^\*\/(\d{1,2})$/.exec(field)?.[1]);
  return steps.includes(step) ? step : undefined;
};

/** Reads a cron pattern of five fields. What the form cannot express stays a pattern. */
export function timetableOf(cron: string): Timetable {
  const [minutes = "", hours = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  const custom: Timetable = { every: "pattern", cron };
  if (month !== "*" || more.length > 0) return custom;
  if (day === "*" && weekday === "*")
    return often(minutes, hours) ?? onDays({ minutes, hours, day, weekday }) ?? custom;
  return onDays({ minutes, hours, day, weekday }) ?? custom;
}

function often(minutes: string, hours: string): Timetable | undefined {
  const minuteStep = stepOf(minutes, minuteSteps);
  if (minuteStep !== undefined && hours === "*") return { every: "minutes", step: minuteStep };
  const minute = whole(minutes, 59);
  const step = stepOf(hours, hourSteps);
  return minute === undefined || step === undefined ? undefined : { every: "hours", step, minute };
}

interface DayFields {
  readonly minutes: string;
  readonly hours: string;
  readonly day: string;
  readonly weekday: string;
}

function onDays({ minutes, hours, day, weekday }: DayFields): Timetable | undefined {
  const [minute, hour] = [whole(minutes, 59), whole(hours, 23)];
  if (minute === undefined || hour === undefined) return undefined;
  const time = `${two(hour)}:${two(minute)}`;
  if (day === "*" && weekday === "*") return { every: "day", time };
  const dayOfWeek = whole(weekday, 7);
  if (day === "*" && dayOfWeek !== undefined) return { every: "week", time, weekday: dayOfWeek % 7 };
  const dayOfMonth = whole(day, 31);
  return weekday === "*" && dayOfMonth ? { every: "month", time, day: dayOfMonth } : undefined;
}

/** The cron pattern. @param timetable - With a `time` of the form `04:30` */
export function cronOf(timetable: Timetable): string {
  switch (timetable.every) {
    case "minutes":
      return `*/${timetable.step} * * * *`;
    case "hours":
      return `${timetable.minute} ${timetable.step === 1 ? "*" : `*/${timetable.step}`} * * *`;
    case "day":
      return `${atTime(timetable.time)} * * *`;
    case "week":
      return `${atTime(timetable.time)} * * ${timetable.weekday}`;
    case "month":
      return `${atTime(timetable.time)} ${timetable.day} * *`;
    case "pattern":
      return timetable.cron;
  }
}

function atTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return `${minute} ${hour}`;
}

/** `Every day at 04:00`, `Every 6 hours, at 25 minutes past`. */
export function inWords(timetable: Timetable): string {
  switch (timetable.every) {
    case "minutes":
      return t("timetable.other", { step: timetable.step, Every: undefined });
    case "hours": {
      const often =
        timetable.step === 1 ? t("timetable.everyHour") : t("timetable.everyHours", { step: timetable.step });
      const { minute } = timetable;
      return minute === 0 ? t("timetable.onTheHour", { often }) : t("timetable.atOtherPast", { often, minute });
    }
    case "day":
      return t("timetable.everyDayAt", { time: timetable.time });
    case "week":
      return t("timetable.everyAt", { weekday: weekdays[timetable.weekday], time: timetable.time });
    case "month":
      return t("timetable.everyMonthOnDay", { day: timetable.day, time: timetable.time });
    case "pattern":
      return t("timetable.cronPattern", { cron: timetable.cron });
  }
}
