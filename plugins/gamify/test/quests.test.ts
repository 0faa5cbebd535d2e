import type { Profile } from "@longbox/gamify/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openQuestDesk, setClock, type Player, type QuestDesk } from "./support/quest-desk.js";

type Quest = Profile["quests"][number];

let desk: QuestDesk;
let old: number[];
let foxes: number[];
let users = 0;
let user: Player;
const monday = "2026-11-23T09:00";

beforeAll(async () => {
  setClock("2026-11-01T09:00");
  desk = await openQuestDesk();
  foxes = await desk.place({
    series: "Paper Foxes",
    numbers: ["1", "2", "3"],
    writer: "Ada Quill",
    coverDate: "2020-05-01",
  });
  old = await desk.place({ series: "Night Bell", numbers: ["1", "2"], writer: "Ivo Lamp", coverDate: "1962-05-01" });
  await desk.place({ series: "Tall Waves", numbers: ["1"], type: "manga", writer: "Mina Reed" });
});
beforeEach(async () => {
  setClock(monday);
  user = await desk.join(`quester-${(users += 1)}`);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => desk[Symbol.asyncDispose]());

const titles = (quests: readonly Quest[]) => quests.map(({ title }) => title);
const reroll = async (quest: Quest) => await user.client.post("/api/gamify/reroll", { questId: quest.id });

/** Swaps quests in later weeks until one with this beginning is there. */
async function seek(beginning: string): Promise<Quest> {
  const wanted = (quests: readonly Quest[]) => quests.find(({ title }) => title.startsWith(beginning));
  for (let week = 0; week < 30; week += 1) {
    setClock(new Date(Date.parse(`${monday}:00Z`) + week * 7 * 86_400_000).toISOString());
    for (let swaps = 0; swaps <= 3; swaps += 1) {
      const { quests } = await user.me();
      const found = wanted(quests);
      if (found) return found;
      const other = quests.find(({ done }) => !done);
      if (swaps === 3 || !other || (await reroll(other)).status !== 200) break;
    }
  }
  throw new Error(`No quest began with "${beginning}".`);
}

/** Swaps the quests of new users, each of whom has read something first, until one with this title comes in. */
async function swappedIn(title: string, readFirst: () => Promise<void>): Promise<Quest> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    user = await desk.join(`quester-${(users += 1)}`);
    const { quests } = await user.me();
    await readFirst();
    for (const quest of quests) {
      const { status, body } = await reroll(quest);
      if (status === 200 && body.quest.title === title) return body.quest;
    }
  }
  throw new Error(`No quest "${title}" was swapped in.`);
}

const find = async (id: number) => (await user.me()).quests.find((quest) => quest.id === id)!;

describe("the quests of a week", () => {
  it("are three, drawn once, and end with the user's week", async () => {
    const { quests } = await user.me();
    expect(quests).toHaveLength(3);
    expect(quests.every(({ done, endsAt }) => !done && endsAt === "2026-11-30T00:00:00.000Z")).toBe(true);
    setClock("2026-11-29T23:59");
    expect((await user.me()).quests).toEqual(quests);
    setClock("2026-11-30T00:00");
    const next = (await user.me()).quests;
    expect(next.map(({ id }) => id)).not.toEqual(quests.map(({ id }) => id));
    expect(next[0]!.endsAt).toBe("2026-12-07T00:00:00.000Z");
  });

  it("are drawn once when the page is opened in many places at once", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.me()));
    expect(new Set(answers.flatMap(({ quests }) => quests.map(({ id }) => id))).size).toBe(3);
  });

  it("ask for different things, of what the library has", async () => {
    const { quests } = await user.me();
    expect(new Set(titles(quests)).size).toBe(3);
    const all = /^(Read|Listen|Finish|Try|Meet|10 old|Something)/;
    expect(quests.every(({ title }) => all.test(title))).toBe(true);
  });

  it("begin at midnight of the user's Monday, also across the change of clocks", async () => {
    await user.client.post("/api/gamify/preferences", { timeZone: "America/New_York" });
    setClock("2026-10-30T12:00");
    const { quests } = await user.me();
    // Clocks are set back on Sunday, 1 November: the week has 169 hours.
    expect(quests[0]!.endsAt).toBe("2026-11-02T05:00:00.000Z");
    setClock("2026-11-02T04:59:59");
    expect((await user.me()).quests.map(({ id }) => id)).toEqual(quests.map(({ id }) => id));
    setClock("2026-11-02T05:00");
    expect((await user.me()).quests[0]!.endsAt).toBe("2026-11-09T05:00:00.000Z");
  });
});

describe("a quest", () => {
  it("is completed by reading, not by marking, and brings its tokens once", async () => {
    await user.finish(foxes[0]!);
    const quest = await seek("Finish the series Paper Foxes");
    expect(quest).toMatchObject({ target: 2, progress: 0, description: "Only 2 are left." });
    await user.mark(foxes, true);
    await user.mark(foxes, false);
    expect((await find(quest.id)).progress).toBe(0);
    const { tokens } = await user.me();
    await user.finish(foxes[1]!);
    expect(await find(quest.id)).toMatchObject({ progress: 1, done: false });
    await user.finish(foxes[1]!, foxes[2]!);
    expect(await find(quest.id)).toMatchObject({ progress: 2, done: true });
    expect((await user.me()).tokens - tokens).toBeGreaterThanOrEqual(quest.reward);
    const after = (await user.me()).tokens;
    await user.finish(foxes[2]!);
    expect((await user.me()).tokens).toBe(after);
  });

  it("of old pages counts pages of old works alone", async () => {
    const quest = await seek("10 old pages");
    expect(quest.description).toMatch(/^Read 10 pages of something from before 20\d\d\.$/);
    await user.finish(foxes[0]!);
    expect((await find(quest.id)).progress).toBe(0);
    await user.read(old[0]!, 6);
    expect((await find(quest.id)).progress).toBe(6);
    await user.read(old[1]!, 9);
    expect(await find(quest.id)).toMatchObject({ progress: 10, done: true });
  });

  it("names an author whom the user does not know, and counts that author's works", async () => {
    await user.read(old[0]!, 2);
    const quest = await seek("Meet Ada Quill");
    expect(quest.description).toBe("Read 20 pages by this author, such as Paper Foxes.");
    await user.read(old[1]!, 20);
    expect((await find(quest.id)).progress).toBe(0);
    await user.read(foxes[0]!, 20);
    expect(await find(quest.id)).toMatchObject({ progress: 20, done: true });
  });

  it("leads to a series that was never begun", async () => {
    const quest = await seek("Try Night Bell");
    expect(quest.href).toMatch(/^\/series\/\d+$/);
    await user.read(old[0]!, 12);
    expect(await find(quest.id)).toMatchObject({ progress: 12, done: false });
  });

  it("does not count what was read in the week before it was swapped in", async () => {
    const swapped = await swappedIn("10 old pages", async () => user.read(old[0]!, 15));
    expect(swapped.progress).toBe(0);
    await user.read(old[0]!, 18);
    expect((await find(swapped.id)).progress).toBe(3);
  });

  it("ends with its week: later reading does not complete it", async () => {
    const { tokens } = await user.me();
    setClock("2026-11-30T00:00");
    await user.finish(...foxes, ...old);
    setClock("2026-11-30T00:01");
    const now = await user.me();
    const done = now.quests.filter((quest) => quest.done).reduce((sum, { reward }) => sum + reward, 0);
    expect(now.tokens - tokens).toBe(done);
  });
});

describe("swapping", () => {
  it("is possible three times a week, and three times again in the next", async () => {
    const seen = new Set(titles((await user.me()).quests));
    for (const left of [2, 1, 0]) {
      const [quest] = (await user.me()).quests;
      const { status, body } = await reroll(quest!);
      expect([status, body.rerollsLeft, seen.has(body.quest.title)]).toEqual([200, left, false]);
      seen.add(body.quest.title);
    }
    const { quests, rerollsLeft } = await user.me();
    expect([quests.length, rerollsLeft]).toEqual([3, 0]);
    const refused = await reroll(quests[0]!);
    expect([refused.status, refused.body.code]).toEqual([409, "gamify/no-rerolls"]);
    setClock("2026-11-29T23:59");
    expect((await reroll(quests[0]!)).status).toBe(409);
    setClock("2026-11-30T00:00");
    const next = await user.me();
    expect(next.rerollsLeft).toBe(3);
    expect((await reroll(next.quests[0]!)).status).toBe(200);
  });

  it("happens three times when it is asked for many times at once", async () => {
    const { quests } = await user.me();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => reroll(quests[index % 3]!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await user.me()).quests).toHaveLength(3);
  });

  it("is refused for quests that are completed, past, another's, or unknown", async () => {
    await user.finish(foxes[0]!, foxes[1]!);
    const quest = await seek("Finish the series Paper Foxes");
    await user.finish(foxes[2]!);
    const done = await reroll(quest);
    expect([done.status, done.body.code]).toEqual([409, "gamify/quest-done"]);
    const other = await desk.join("other-quester");
    const theirs = (await other.me()).quests[0]!;
    setClock("2028-01-01T00:00");
    for (const id of [theirs.id, quest.id, 999_999]) {
      const refused = await user.client.post("/api/gamify/reroll", { questId: id });
      expect([refused.status, refused.body.code]).toEqual([404, "gamify/quest-not-found"]);
    }
  });
});

describe("in a library with little in it", () => {
  it("there are no quests, or as many as there are", async () => {
    await using empty = await openQuestDesk();
    const reader = await empty.join("viewer");
    expect((await reader.me()).quests).toEqual([]);
    await empty.place({ series: "Alone", numbers: ["1"] });
    expect(titles((await reader.me()).quests).toSorted()).toEqual(["Read 20 pages", "Read on 3 days", "Try Alone"]);
    const [quest] = (await reader.me()).quests;
    const refused = await reader.client.post("/api/gamify/reroll", { questId: quest!.id });
    expect([refused.status, refused.body.code]).toEqual([409, "gamify/no-other-quest"]);
    expect((await reader.me()).rerollsLeft).toBe(3);
  });
});
