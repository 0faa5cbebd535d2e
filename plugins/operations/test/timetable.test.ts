import { expect, it } from "vitest";
import { cronOf, inWords, timetableOf } from "../client/src/schedules/timetable.js";

it.each([
  ["0 4 * * *", "Every day at 04:00"],
  ["30 3 * * 0", "Every Sunday at 03:30"],
  ["5 23 * * 6", "Every Saturday at 23:05"],
  ["10 4 15 * *", "Every month on day 15 at 04:10"],
  ["25 */6 * * *", "Every 6 hours, at 25 minutes past"],
  ["1 * * * *", "Every hour, at 1 minute past"],
  ["0 */2 * * *", "Every 2 hours, on the hour"],
  ["*/15 * * * *", "Every 15 minutes"],
])("says the pattern %s as “%s”, and makes the same pattern of it", (cron, words) => {
  expect(inWords(timetableOf(cron))).toBe(words);
  expect(cronOf(timetableOf(cron))).toBe(cron);
});

it.each([
  "0 4 * * 1-5",
  "0 4 * 6 *",
  "*/7 * * * *",
  "0 */5 * * *",
  "0 4 1 * 1",
  "0 25 * * *",
  "61 4 * * *",
  "0 4 0 * *",
])("keeps %s, which the form cannot express, as a pattern", (cron) => {
  expect(timetableOf(cron)).toEqual({ every: "pattern", cron });
  expect(cronOf(timetableOf(cron))).toBe(cron);
});

it("takes 7 for Sunday, as cron does", () => {
  expect(inWords(timetableOf("0 4 * * 7"))).toBe("Every Sunday at 04:00");
});
