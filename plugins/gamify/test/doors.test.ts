import { definePlugin } from "@longbox/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openQuestDesk, pagesEach, setClock, type QuestDesk } from "./support/quest-desk.js";

let desk: QuestDesk;
let works: number[];

const noon = "2026-11-23T12:00";

beforeAll(async () => {
  setClock(noon);
  desk = await openQuestDesk();
  works = await desk.place({ series: "Moth Patrol", numbers: ["1", "2", "3", "4"], writer: "Ada Quill" });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => desk[Symbol.asyncDispose]());

const doors = [
  ["GET", "/api/gamify/me", undefined],
  ["GET", "/api/gamify/leaderboard", undefined],
  ["POST", "/api/gamify/goal", { target: 12 }],
  ["POST", "/api/gamify/optout", { optOut: false }],
  ["POST", "/api/gamify/preferences", { onHome: true }],
] as const;

describe("every route", () => {
  it.each(doors)("%s %s is for who may see the library, each for their own account", async (method, path, body) => {
    setClock(noon);
    const call = async (role: string) => {
      const client = desk.host.as(role);
      return await (method === "GET" ? client.get(path) : client.post(path, body));
    };
    await desk.join("blind", ["users.manage"]);
    const statuses = [];
    for (const role of ["viewer", "trusted", "admin", "blind", "anonymous"]) statuses.push((await call(role)).status);
    expect(statuses).toEqual([200, 200, 200, 403, 401]);
  });

  it("refuses what is not of its shape, and changes nothing", async () => {
    setClock(noon);
    const user = await desk.join("strict");
    await user.client.post("/api/gamify/goal", { target: 7 });
    const before = await user.me();
    for (const [path, body] of [
      ["goal", {}],
      ["goal", { target: -1 }],
      ["goal", { target: 1.5 }],
      ["goal", { target: 10_001 }],
      ["goal", { target: "12" }],
      ["goal", { target: null }],
      ["goal", []],
      ["optout", { optOut: "yes" }],
      ["optout", {}],
      ["reroll", { questId: 0 }],
      ["reroll", { questId: "1; drop table quest" }],
      ["reroll", { questId: 1e300 }],
      ["reroll", {}],
      ["preferences", { timeZone: "Mars/Olympus" }],
      ["preferences", { timeZone: "" }],
      ["preferences", { timeZone: "a".repeat(10_000) }],
      ["preferences", { timeZone: ["UTC"] }],
      ["preferences", { onHome: 1 }],
    ] as const) {
      const answer = await user.client.post(`/api/gamify/${path}`, body);
      expect([path, body, answer.status]).toEqual([path, body, 400]);
    }
    expect(await user.me()).toEqual(before);
  });

  it("shows each user only what is theirs", async () => {
    setClock(noon);
    const [one, other] = [await desk.join("own-1"), await desk.join("own-2")];
    await one.finish(works[0]!);
    await one.client.post("/api/gamify/goal", { target: 9 });
    await one.client.post("/api/gamify/preferences", { timeZone: "Asia/Tokyo", onHome: true });
    const [mine, theirs] = [await one.me(), await other.me()];
    expect([mine.points, mine.goal.target, mine.timeZone, mine.onHome]).toEqual([30, 9, "Asia/Tokyo", true]);
    expect([theirs.points, theirs.goal.target, theirs.timeZone, theirs.onHome]).toEqual([0, 0, null, false]);
    const ids = new Set(mine.quests.map(({ id }) => id));
    expect(theirs.quests.some(({ id }) => ids.has(id))).toBe(false);
  });

  it("tells only the reader's own clients of what was read", async () => {
    setClock(noon);
    const reader = await desk.join("heard-reader");
    await desk.join("heard-other");
    const heard = await desk.host.domains("heard-reader");
    const others = await desk.host.domains("heard-other");
    await reader.read(works[1]!, 3);
    await heard.until("gamify");
    expect(others.heard).not.toContain("gamify");
    await heard.release();
    await others.release();
  });
});

describe("the feature", () => {
  it("says why it is not ready: switched off, without the reading history, without the reader", async () => {
    setClock(noon);
    await using own = await openQuestDesk();
    const user = await own.join("viewer");
    expect((await user.answer()).ready).toBe(true);
    const admin = own.host.as("admin");
    const check = async (cause: string, reason: string) => {
      expect(await user.answer()).toEqual({ ready: false, cause, reason });
      for (const [path, body] of [
        ["goal", { target: 1 }],
        ["reroll", { questId: 1 }],
        ["freeze", {}],
      ] as const) {
        const refused = await user.client.post(`/api/gamify/${path}`, body);
        expect([refused.status, refused.body.code, refused.body.error]).toEqual([409, "gamify/not-ready", reason]);
      }
      expect((await user.client.get("/api/gamify/leaderboard")).status).toBe(409);
    };
    await admin.post("/api/settings", { gamify: { enabled: false } });
    await check("quests", "Quests are switched off on this server.");
    await admin.post("/api/settings", { gamify: { enabled: true } });
    await own.host.disable("reader");
    await check("reader", "Quests need the reader, and its plugin “Reader” is off.");
    await own.host.enable("reader");
    expect((await user.answer()).ready).toBe(true);
    await own.host.disable("reading");
    await check("reading", "Quests are computed from the reading history, and its plugin “Reading state” is off.");
    await own.host.enable("reading");
    expect((await user.answer()).ready).toBe(true);
  });

  it("says that the reader is missing where it was never installed", async () => {
    setClock(noon);
    const { startKernelTestHost } = await import("@longbox/kernel/testing");
    await using host = await startKernelTestHost({ plugins: ["collection", "gamify"] });
    expect((await host.as("viewer").get("/api/gamify/me")).body).toMatchObject({ ready: false });
  });
});

describe("a server without accounts", () => {
  it("has quests for the local admin, whose choices the first account takes over", async () => {
    setClock(noon);
    const { startKernelTestHost } = await import("@longbox/kernel/testing");
    const reader = {
      manifest: { id: "reader", title: "Reader", description: "", sdk: "^1.0.0" },
      plugin: definePlugin({ activate: () => {} }),
    };
    await using host = await startKernelTestHost({
      plugins: ["collection", "reading", "gamify", reader],
      kernel: { setupToken: "a token for tests" },
    });
    const local = host.as("anonymous");
    const goal = { year: 2026, target: 6, done: 0 };
    expect((await local.post("/api/gamify/goal", { target: 6 })).body).toEqual(goal);
    expect((await local.get("/api/gamify/leaderboard")).body.rows).toMatchObject([{ points: 0, me: true }]);
    const account = { username: "first", password: "a long password" };
    expect((await local.post("/api/auth/register", account)).status).toBeLessThan(300);
    expect((await host.as("first").get("/api/gamify/me")).body).toMatchObject({ ready: true, goal });
  });
});

describe("the leaderboard", () => {
  it("counts this month, in order, without users who read nothing", async () => {
    setClock(noon);
    await using own = await openQuestDesk();
    const ids = await own.place({ series: "Moth Patrol", numbers: ["1", "2", "3"] });
    const [one, two, idle] = [await own.join("viewer"), await own.join("trusted"), await own.join("admin")];
    setClock("2026-10-31T23:59");
    await one.finish(ids[0]!);
    setClock(noon);
    await one.read(ids[1]!, 5);
    await two.finish(ids[0]!);
    const rows = [
      { username: "trusted", points: 30, pages: 20, finished: 1, me: false },
      { username: "viewer", points: 5, pages: 5, finished: 0, me: true },
    ];
    expect(await one.board()).toEqual({ month: "2026-11", rows });
    expect((await idle.board()).rows.map(({ username, points }) => [username, points])).toEqual([
      ["trusted", 30],
      ["viewer", 5],
      ["admin", 0],
    ]);
    setClock("2026-12-01T00:00");
    expect(await one.board()).toEqual({
      month: "2026-12",
      rows: [{ username: "viewer", points: 0, pages: 0, finished: 0, me: true }],
    });
    const admin = own.host.as("admin");
    await admin.post("/api/settings", { gamify: { leaderboard: false } });
    expect((await one.board()).rows).toEqual([]);
    expect((await one.me()).leaderboard).toBe(false);
  });

  it("counts by each user's own days", async () => {
    setClock(noon);
    const [east, west] = [await desk.join("east"), await desk.join("west")];
    await east.client.post("/api/gamify/preferences", { timeZone: "Pacific/Auckland" });
    await west.client.post("/api/gamify/preferences", { timeZone: "America/Los_Angeles" });
    // In Auckland it is December already.
    setClock("2026-11-30T20:00");
    for (const user of [east, west]) await user.read(works[2]!, 4);
    const pages = async (user: typeof east) => {
      const { month, rows } = await user.board();
      const of = (name: string) => rows.find(({ username }) => username === name)?.pages;
      return [month, of("east"), of("west")];
    };
    expect(await pages(east)).toEqual(["2026-12", 4, undefined]);
    expect(await pages(west)).toEqual(["2026-11", undefined, 4]);
  });

  it("hides users who opted out everywhere, and shows them again once they come back", async () => {
    setClock(noon);
    const [shy, other] = [await desk.join("shy"), await desk.join("curious")];
    await shy.finish(...works);
    await other.read(works[3]!, 2);
    const rank = async () => (await other.board()).rows.findIndex(({ me }) => me);
    const before = await rank();
    expect((await shy.client.post("/api/gamify/optout", { optOut: true })).body).toEqual({ optOut: true });
    for (const user of [shy, other, await desk.join("admin")])
      expect(JSON.stringify(await user.board())).not.toContain("shy");
    expect(await rank()).toBe(before - 1);
    // The user's own page stays as it was.
    expect(await shy.me()).toMatchObject({ optOut: true, points: 4 * (pagesEach + 10) });
    await shy.client.post("/api/gamify/optout", { optOut: false });
    expect(await rank()).toBe(before);
  });

  it("leaves out accounts that are disabled or deleted, and forgets them", async () => {
    setClock(noon);
    const [gone, off] = [await desk.join("goner"), await desk.join("sleeper")];
    for (const user of [gone, off]) await user.finish(works[0]!);
    const admin = desk.host.as("admin");
    const names = async () => (await (await desk.join("admin")).board()).rows.map(({ username }) => username);
    expect(await names()).toEqual(expect.arrayContaining(["goner", "sleeper"]));
    expect((await admin.delete(`/api/users/${gone.userId}`)).status).toBe(200);
    expect((await admin.patch(`/api/users/${off.userId}`, { active: false })).status).toBe(200);
    expect(await names()).not.toEqual(expect.arrayContaining(["goner"]));
    expect(await names()).not.toEqual(expect.arrayContaining(["sleeper"]));
  });
});

describe("what is restricted", () => {
  it("is in no quest, total or leaderboard of who may not know of it", async () => {
    setClock(noon);
    await using own = await openQuestDesk();
    const admin = own.host.as("admin");
    const shown = await own.place({ series: "Plain Sight", numbers: ["1", "2"] });
    const hidden = await own.place({ series: "Hidden House", numbers: ["1", "2"], writer: "Secret Hand" });
    const [issue] = await own.library.findIssues([hidden[0]!], (await import("@longbox/sdk")).systemViewer);
    const [child, parent] = [
      await own.join("viewer"),
      await own.join("parent", ["library.view", "library.restricted"]),
    ];
    await child.read(hidden[0]!, 5);
    const namesHidden = async () => {
      for (let week = 0; week < 6; week += 1) {
        setClock(new Date(Date.parse(`${noon}:00Z`) + week * 7 * 86_400_000).toISOString());
        for (let swap = 0; swap < 4; swap += 1) {
          const { quests } = await child.me();
          if (/Hidden|Secret/.test(JSON.stringify(quests))) return true;
          await child.client.post("/api/gamify/reroll", { questId: quests[0]!.id }).then(({ status }) => status);
        }
      }
      return false;
    };
    expect(await namesHidden()).toBe(true);
    const { quests } = await child.me();
    await admin.post(`/api/collection/${issue!.seriesId}/restricted`, { restricted: true });
    // The quest that named it makes room for another one.
    const after = await child.me();
    expect(after.quests.length).toBeGreaterThan(0);
    expect(after.quests.filter(({ id }) => !quests.some((quest) => quest.id === id)).length).toBeGreaterThan(0);
    expect(await namesHidden()).toBe(false);
    setClock(noon);
    expect((await child.me()).points).toBe(0);
    await parent.finish(...hidden);
    await parent.read(shown[0]!, 4);
    expect((await parent.me()).points).toBe(4 + 2 * (pagesEach + 10));
    for (const user of [child, parent])
      expect((await user.board()).rows.find(({ username }) => username === "parent")).toMatchObject({
        points: 4,
        pages: 4,
        finished: 0,
      });
  });
});
