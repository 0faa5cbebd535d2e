import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openQuestDesk, pagesEach, setClock, type Player, type QuestDesk } from "./support/quest-desk.js";

let desk: QuestDesk;
let works: number[];
let users = 0;
let user: Player;

beforeAll(async () => {
  setClock("2026-11-23T09:00");
  desk = await openQuestDesk();
  works = await desk.place({
    series: "Moth Patrol",
    numbers: Array.from({ length: 60 }, (_, index) => String(index + 1)),
  });
});
beforeEach(async () => {
  setClock("2026-11-23T09:00");
  user = await desk.join(`counted-${(users += 1)}`);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => desk[Symbol.asyncDispose]());

const points = async () => (await user.me()).points;
const finishedWork = pagesEach + 10;

describe("points", () => {
  it("are one for a page, one for two minutes, and ten for finishing", async () => {
    await user.read(works[0]!, 7);
    expect(await points()).toBe(7);
    await user.finish(works[0]!);
    expect(await points()).toBe(finishedWork);
    const [tape] = await desk.place({ series: "Salt Road", numbers: ["1"], seconds: 3600, type: "tape" });
    const position = { kind: "time", seconds: 1800, duration: 3600 } as const;
    await user.read(tape!, 1, { position });
    expect(await points()).toBe(finishedWork + 15);
  });

  it("come once from pages that are read again and again, on any device", async () => {
    await user.read(works[0]!, 10);
    for (const device of ["tablet", "phone", "tablet", "e-reader"])
      for (const page of [3, 10, 1, 10]) await user.read(works[0]!, page, { device, mayGoBack: true });
    expect(await points()).toBe(10);
  });

  it("do not come from marking read and unread", async () => {
    await user.read(works[0]!, 5);
    for (let round = 0; round < 5; round += 1) {
      await user.mark(works.slice(0, 20), true);
      await user.mark(works.slice(0, 20), false);
      setClock(`2026-11-${24 + round}T09:00`);
    }
    const me = await user.me();
    expect([me.points, me.goal.done, me.streak.longest]).toEqual([5, 0, 1]);
  });

  it("come once a year from a work that is restarted every day, and again in the next year", async () => {
    for (let day = 10; day < 30; day += 1) {
      setClock(`2026-12-${day}T09:00`);
      await user.read(works[0]!, 1, { restart: true });
      await user.finish(works[0]!);
    }
    const me = await user.me();
    expect([me.points, me.goal.done, me.streak.longest]).toEqual([finishedWork, 1, 1]);
    setClock("2027-01-01T09:00");
    await user.read(works[0]!, 1, { restart: true });
    await user.finish(works[0]!);
    expect([await points(), (await user.me()).goal]).toEqual([2 * finishedWork, { year: 2027, target: 0, done: 1 }]);
  });

  it("do not come from a length that is made up", async () => {
    await user.read(works[0]!, 1, { position: { kind: "page", page: 899_999, pages: 900_000 } });
    expect(await points()).toBe(finishedWork);
    await user.read(works[1]!, 1, { position: { kind: "time", seconds: 90_000_000, duration: 90_000_000 } });
    const me = await user.me();
    // Twelve hours a day count at most.
    expect(me.points).toBeLessThanOrEqual(2 * finishedWork + 360);
  });

  it("are limited on one day, so that turning to the last page of everything gains little", async () => {
    await user.finish(...works);
    const me = await user.me();
    expect([me.points, me.goal.done]).toEqual([500 + 20 * 10, 20]);
  });

  it("come from late reports on the days on which it was read, once, and in any order", async () => {
    const late = [
      { page: 12, at: "2026-11-20T20:00:00Z" },
      { page: 4, at: "2026-11-18T20:00:00Z" },
      { page: 8, at: "2026-11-19T20:00:00Z" },
      { page: 12, at: "2026-11-20T20:00:00Z" },
    ];
    await user.me();
    for (const { page, at } of late) await user.read(works[0]!, page, { at });
    const me = await user.me();
    expect(me.points).toBe(12);
    expect(me.streak.recent.filter(({ state }) => state === "read").map(({ day }) => day)).toEqual(["2026-11-20"]);
  });

  it("are those of today when a clock is ahead, and do not come from the future", async () => {
    await user.read(works[0]!, 6, { at: "2031-05-01T00:00:00Z" });
    const me = await user.me();
    expect([me.points, me.streak.days, me.streak.recent.at(-1)?.state]).toEqual([6, 1, "read"]);
  });

  it("stay when the work is removed from the library", async () => {
    const [gone] = await desk.place({ series: "Short Stay", numbers: ["1"] });
    await user.finish(gone!);
    const [holding] = await desk.library.listHoldings(gone!);
    await desk.library.removeFiles([holding!.path]);
    expect(await points()).toBe(finishedWork);
  });
});

it("shows the same after everything in memory is lost", async () => {
  await user.finish(works[0]!, works[1]!);
  await user.client.post("/api/gamify/goal", { target: 5 });
  const before = await user.me();
  await desk.host.disable("gamify");
  await desk.host.enable("gamify");
  expect(await user.me()).toEqual(before);
});

it("takes in what was read while it was off, or while the history was", async () => {
  await user.read(works[0]!, 5);
  expect(await points()).toBe(5);
  await desk.host.disable("gamify");
  await user.read(works[0]!, 9);
  await desk.host.enable("gamify");
  expect(await points()).toBe(9);
  await desk.host.disable("reading");
  await desk.host.enable("reading");
  await user.read(works[0]!, 11);
  expect(await points()).toBe(11);
});
