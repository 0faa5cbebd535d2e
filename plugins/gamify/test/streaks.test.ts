import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openQuestDesk, setClock, type Player, type QuestDesk } from "./support/quest-desk.js";

let desk: QuestDesk;
let tome: number;
let users = 0;
let user: Player;
let page = 0;

beforeAll(async () => {
  setClock("2026-01-01T09:00");
  desk = await openQuestDesk();
  [tome] = (await desk.place({ series: "The Long Night", numbers: ["1"], pages: 900 })) as [number];
});
beforeEach(async () => {
  setClock("2026-01-01T09:00");
  page = 0;
  user = await desk.join(`walker-${(users += 1)}`);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => desk[Symbol.asyncDispose]());

/** Reads one more page at each of these times. */
async function readAt(...times: string[]): Promise<void> {
  for (const time of times) {
    setClock(time);
    page += 1;
    await user.read(tome, 1, { position: { kind: "page", page, pages: 900 } });
  }
}

const lives = (timeZone: string) => user.client.post("/api/gamify/preferences", { timeZone });
const streak = async () => (await user.me()).streak;
const days = (month: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${month}-${String(from + index).padStart(2, "0")}T20:00`);

describe("a streak", () => {
  it("goes on over midnight by the user's own clock", async () => {
    await lives("America/Los_Angeles");
    // 23:59 on the 10th, 00:00 on the 11th, where it is the 11th in UTC both times.
    await readAt("2026-03-01T20:00", "2026-11-11T07:59");
    expect((await streak()).days).toBe(1);
    await readAt("2026-11-11T08:00");
    expect((await streak()).days).toBe(2);
  });

  it("goes on over the end of a year and a leap day", async () => {
    await readAt(...days("2027-12", 30, 31), ...days("2028-01", 1, 2));
    expect((await streak()).days).toBe(4);
    await readAt(...days("2028-02", 28, 29), ...days("2028-03", 1, 1));
    expect(await streak()).toMatchObject({ days: 3, longest: 4 });
  });

  it("goes on over both changes of clocks", async () => {
    await lives("Europe/Berlin");
    // 28 March 23:30; 29 March 00:30 and 23:30, in a day of 23 hours; 30 March 00:30.
    await readAt("2026-03-28T22:30", "2026-03-28T23:30", "2026-03-29T21:30", "2026-03-29T22:30");
    expect((await streak()).days).toBe(3);
    // 24 October 23:30; 25 October 23:30, in a day of 25 hours; 26 October 00:30.
    await readAt("2026-10-24T21:30", "2026-10-25T22:30", "2026-10-25T23:30");
    expect(await streak()).toMatchObject({ days: 3, longest: 3 });
  });

  it("survives one missed day after a week, and ends after two", async () => {
    await readAt(...days("2026-05", 1, 7));
    expect(await streak()).toMatchObject({ days: 7, freezes: 1 });
    setClock("2026-05-09T23:59");
    const saved = await streak();
    expect([saved.days, saved.freezes]).toEqual([7, 0]);
    expect(saved.recent.slice(-3).map(({ state }) => state)).toEqual(["read", "frozen", "open"]);
    setClock("2026-05-10T00:00");
    expect(await streak()).toMatchObject({ days: 0, longest: 7, freezes: 1 });
    await readAt("2026-05-10T12:00");
    expect(await streak()).toMatchObject({ days: 1, longest: 7, freezes: 1 });
  });

  it("is mended by a late report of a device that was offline", async () => {
    await readAt(...days("2026-06", 1, 2), ...days("2026-06", 4, 4));
    expect((await streak()).days).toBe(1);
    const third = 500;
    await user.read(tome, 1, { position: { kind: "page", page: third, pages: 900 }, at: "2026-06-03T20:00:00Z" });
    expect((await streak()).days).toBe(4);
  });

  it("neither breaks nor grows by a journey", async () => {
    await lives("Europe/Berlin");
    await readAt(...days("2026-07", 1, 3));
    // At 22:00 in Berlin the user lands in New York, where it is 16:00, and reads there on the same day.
    setClock("2026-07-04T20:00");
    await lives("America/New_York");
    await readAt("2026-07-04T20:30", "2026-07-05T20:00");
    expect((await streak()).days).toBe(5);
    // Changing it to and fro in between changes nothing.
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Tokyo", "America/New_York"]) await lives(zone);
    expect((await streak()).days).toBe(5);
  });

  it("cannot be made longer by changing the time zone all day", async () => {
    await lives("UTC");
    const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
    for (let hour = 0; hour < 48; hour += 1) {
      const time = new Date(Date.parse("2026-08-01T00:00Z") + hour * 3_600_000).toISOString();
      setClock(time);
      await lives(zones[hour % 2]!);
      await readAt(time);
    }
    expect((await streak()).longest).toBeLessThanOrEqual(4);
  });
});

describe("a freeze", () => {
  it("can be bought with tokens, not beyond two, and not with tokens that are not there", async () => {
    const poor = await user.client.post("/api/gamify/freeze");
    expect([poor.status, poor.body.code]).toEqual([409, "gamify/too-few-tokens"]);
    let cost = Infinity;
    for (let week = 0; week < 30 && (await user.me()).tokens < cost; week += 1) {
      const monday = Date.parse("2026-01-05T09:00Z") + week * 7 * 86_400_000;
      cost = (await user.me()).freezeCost;
      for (const day of [0, 1, 3, 4]) {
        page += 5;
        setClock(new Date(monday + day * 86_400_000).toISOString());
        // Quests are drawn when the user looks at them.
        await user.me();
        await readAt(new Date(monday + day * 86_400_000).toISOString());
      }
    }
    const { tokens, streak: before } = await user.me();
    expect([cost, before.freezes]).toEqual([30, 0]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => user.client.post("/api/gamify/freeze")));
    const bought = answers.filter(({ status }) => status === 200).length;
    expect(bought).toBe(Math.min(2, Math.floor(tokens / cost)));
    const after = await user.me();
    expect([after.tokens, after.streak.freezes]).toEqual([tokens - bought * cost, bought]);
  });
});

describe("a yearly goal", () => {
  it("counts what was finished in the user's own year, and stays in the next one", async () => {
    await lives("Asia/Tokyo");
    const works = await desk.place({ series: `Year of ${users}`, numbers: ["1", "2", "3"] });
    setClock("2026-12-31T14:59");
    expect((await user.client.post("/api/gamify/goal", { target: 2 })).body).toEqual({
      year: 2026,
      target: 2,
      done: 0,
    });
    await user.finish(works[0]!, works[1]!);
    const earned = (await user.me()).achievements.find(({ id }) => id === "goal")!;
    expect(earned.earnedAt).toBe("2026-12-31T14:45:00.000Z");
    expect((await user.me()).goal).toEqual({ year: 2026, target: 2, done: 2 });
    setClock("2026-12-31T15:00");
    expect((await user.me()).goal).toEqual({ year: 2027, target: 2, done: 0 });
    await user.finish(works[2]!);
    expect((await user.me()).goal).toEqual({ year: 2027, target: 2, done: 1 });
    await user.client.post("/api/gamify/goal", { target: 0 });
    expect((await user.me()).achievements.find(({ id }) => id === "goal")!.earnedAt).toBe(earned.earnedAt);
  });
});

it("achievements come from what was read, with the day on which they were reached", async () => {
  const of = async (id: string) => (await user.me()).achievements.find((achievement) => achievement.id === id)!;
  expect(await of("first-page")).toMatchObject({ progress: 0, target: 1 });
  await readAt("2026-02-01T10:07");
  expect(await of("first-page")).toMatchObject({ progress: 1, earnedAt: "2026-02-01T10:00:00.000Z" });
  expect((await of("comeback")).earnedAt).toBeUndefined();
  await readAt("2026-03-10T10:00");
  expect((await of("comeback")).earnedAt).toBe("2026-03-10T10:00:00.000Z");
  const shelf = [
    { series: `Fifties ${users}`, coverDate: "1955-01-01", language: "en" },
    { series: `Sixties ${users}`, coverDate: "1965-01-01", language: "en-GB" },
    { series: `Seventies ${users}`, coverDate: "1975-01-01", language: "de" },
    { series: `Eighties ${users}`, coverDate: "1985-01-01" },
    { series: `Nineties ${users}`, coverDate: "1995-01-01", type: "manga" },
  ] as const;
  setClock("2026-03-11T10:00");
  for (const plan of shelf) await user.finish(...(await desk.place({ ...plan, numbers: ["1"] })));
  const earned = (await user.me()).achievements.filter(({ earnedAt }) => earnedAt !== undefined).map(({ id }) => id);
  expect(earned).toEqual(["first-page", "first-finish", "comeback", "decades", "languages"]);
  expect(await of("types")).toMatchObject({ progress: 2, target: 3 });
});
