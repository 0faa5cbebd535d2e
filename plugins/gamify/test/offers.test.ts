import { expect, it } from "vitest";
import { Chance } from "../src/quests/chance.js";
import type { Desk, Reader } from "../src/quests/desk.js";
import { offersFor } from "../src/quests/offers.js";

const issues = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  seriesId: 1 + (index % 9),
  type: "comic",
  owned: true,
  corrupt: false,
  pages: 20,
}));
const shown = (from: number) => ({ items: issues.slice(from, from + 10).map((issue) => ({ issue })) });
const moments = async (count: number) => {
  for (let left = count; left > 0; left -= 1) await Promise.resolve();
};

/** A library and a history whose lists take longer, by these moments. */
function deskOf(wait: { readonly begun: number; readonly later: number; readonly finished: number }): Desk {
  const library = {
    listRecentlyAdded: async () => ({ items: issues, total: issues.length }),
    findIssueDetails: async () => [],
    listIssues: async (seriesId: number) => issues.filter((issue) => issue.seriesId === seriesId).slice(0, 3),
  };
  const reading = {
    listContinue: async () => (await moments(wait.begun), shown(0)),
    listLater: async () => (await moments(wait.later), shown(20)),
    listFinishedSeries: async () => (await moments(wait.finished), shown(40).items),
    find: async () => [],
    findTouchedSeries: async () => [],
  };
  return { library, reading } as unknown as Desk;
}

it("offers the same quests whichever list is there first", async () => {
  const reader = { viewer: { user: { id: 3 } }, counted: [], today: "2026-11-27" } as unknown as Omit<Reader, "chance">;
  const offers = (begun: number, later: number, finished: number) =>
    offersFor(deskOf({ begun, later, finished }), { ...reader, chance: new Chance("3 2026-11-23 0") });
  const first = await offers(0, 30, 60);
  expect(first.map(({ subject }) => subject.kind)).toEqual(expect.arrayContaining(["finish-begun", "finish-later"]));
  expect(await offers(60, 30, 0)).toEqual(first);
  expect(await offers(30, 0, 60)).toEqual(first);
});
