import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readFile, unlink, writeFile } from "node:fs/promises";
import { Collection } from "@longbox/collection/contract";
import { openReadingRoom, type ReadingRoom, type RoomIssue } from "./support/reading-room.js";

let room: ReadingRoom;
let issues: Record<"one" | "two" | "three" | "bell", RoomIssue>;
beforeAll(async () => {
  room = await openReadingRoom();
  const [one, two, three, bell] = await Promise.all([
    room.issue("Moth Patrol", "1"),
    room.issue("Moth Patrol", "2"),
    room.issue("Moth Patrol", "3"),
    room.issue("Night Bell", "1"),
  ]);
  issues = { one, two, three, bell };
});
afterAll(() => room[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const role of ["viewer", "trusted"]) {
    const client = room.host.as(role);
    await client.post("/api/reader/read-bulk", {
      ids: Object.values(issues).map((issue) => issue.cvIssueId),
      read: false,
    });
    for (const issue of Object.values(issues)) await client.post(`/api/reader/later/${issue.cvIssueId}`, { on: false });
  }
});

const path = (issue: RoomIssue, what = "progress") => `/api/reader/issue/${issue.cvIssueId}/${what}`;
const report = (issue: RoomIssue, body: object, role = "viewer") => room.host.as(role).post(path(issue), body);
const shelf = async (name: string, role = "viewer") =>
  (await room.host.as(role).get(`/api/reader/${name}`)).body.items.map((item: { cvIssueId: number }) => item.cvIssueId);

describe("progress", () => {
  it("goes forward and back, and is each user's own", async () => {
    await report(issues.one, { page: 2, pages: 4, completed: false });
    await report(issues.one, { page: 1, pages: 4, completed: false });
    expect((await room.host.as("viewer").get(`/api/reader/issue/${issues.one.cvIssueId}`)).body.progress).toMatchObject(
      { page: 1, pages: 4, completed: false },
    );
    expect((await room.host.as("trusted").get(`/api/reader/issue/${issues.one.cvIssueId}`)).body.progress).toBeNull();
  });

  it("keeps a completion when the reader turns back, and takes it back when the issue is begun again", async () => {
    await report(issues.one, { page: 3, pages: 4, completed: true });
    expect((await report(issues.one, { page: 0, pages: 4, completed: false })).body).toMatchObject({
      page: 0,
      completed: true,
      timesFinished: 1,
    });
    expect(await shelf("continue")).not.toContain(issues.one.cvIssueId);
    expect((await report(issues.one, { page: 0, pages: 4, completed: false, restart: true })).body).toMatchObject({
      page: 0,
      completed: false,
      timesFinished: 1,
    });
    expect(await shelf("continue")).toContain(issues.one.cvIssueId);
    expect((await report(issues.one, { page: 3, pages: 4 })).body).toMatchObject({ completed: true, timesFinished: 2 });
  });

  it("merges two devices by the time of reading, not by the time of arrival", async () => {
    await report(issues.two, { page: 2, pages: 4, completed: false, readAt: "2026-03-01T20:00:00Z" });
    const late = await report(issues.two, { page: 1, pages: 4, completed: false, readAt: "2026-03-01T21:30:00+02:00" });
    expect(late.body).toMatchObject({ page: 2, readAt: "2026-03-01T20:00:00.000Z" });
    const finishedElsewhere = await report(issues.two, {
      page: 3,
      pages: 4,
      completed: true,
      readAt: "2026-03-01T18:00:00Z",
    });
    expect(finishedElsewhere.body).toMatchObject({ page: 2, completed: true, readAt: "2026-03-01T20:00:00.000Z" });
  });

  it("stays forgotten when a device tells late of what was read before the unread mark", async () => {
    const before = new Date(Date.now() - 60_000).toISOString();
    await report(issues.three, { page: 3, pages: 4, completed: true });
    await room.host.as("viewer").post(path(issues.three, "mark"), { read: false });
    const late = await report(issues.three, { page: 2, pages: 4, completed: true, readAt: before });
    expect([late.status, late.body]).toEqual([
      200,
      expect.objectContaining({ page: 0, pages: 4, completed: false, timesFinished: 0 }),
    ]);
    expect((await room.host.as("viewer").get(path(issues.three))).body.progress).toBeNull();
    expect((await report(issues.three, { page: 1, pages: 4, completed: false })).body).toMatchObject({
      page: 1,
      completed: false,
    });
  });

  it("takes a time in the future for now", async () => {
    const { body } = await report(issues.two, { page: 1, pages: 4, completed: false, readAt: "2999-01-01T00:00:00Z" });
    expect(Date.parse(body.readAt)).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    [{ page: 4, pages: 4, completed: false }, "page"],
    [{ page: -1, pages: 4, completed: false }, "page"],
    [{ page: 1.5, pages: 4, completed: false }, "page"],
    [{ page: 1, completed: false }, "pages"],
    [{ page: 0, pages: 0, completed: false }, "pages"],
    [{ page: 0, pages: 4, completed: "yes" }, "completed"],
    [{ page: 0, pages: 4, readAt: "yesterday" }, "readAt"],
  ])("refuses %j and names %s", async (body, field) => {
    const answer = await report(issues.one, body);
    expect([answer.status, JSON.stringify(answer.body.details)]).toEqual([400, expect.stringContaining(field)]);
  });

  it("answers 404 for issues that are not there", async () => {
    expect(
      (await room.host.as("viewer").post("/api/reader/issue/999999/progress", { page: 0, pages: 4, completed: false }))
        .status,
    ).toBe(404);
  });

  it("follows an issue that turns out to be another", async () => {
    await report(issues.bell, { page: 2, pages: 4, completed: false });
    await room.host.as("viewer").post(path(issues.bell, "bookmark"), { page: 3, on: true });
    const library = room.host.use(Collection);
    const files = {
      libraryId: room.libraryId,
      name: "x.cbz",
      sizeBytes: 10,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 4,
      valid: true,
      tagged: true,
    };
    const series = { name: "Night Bell", folder: `${room.root}/Night Bell (2016)`, year: 2016 };
    await library.placeFiles([
      { ...files, path: issues.bell.path, series, issue: { number: "1", kind: "issue", cvIssueId: 4242 } },
    ]);
    const opened = await room.host.as("viewer").get("/api/reader/issue/4242/progress");
    expect(opened.body).toMatchObject({ cvIssueId: 4242, progress: { page: 2, completed: false } });
    expect((await room.host.as("viewer").get("/api/reader/bookmarks")).body).toMatchObject([
      { cvIssueId: 4242, page: 3 },
    ]);
    expect((await room.host.as("viewer").get(path(issues.bell))).body.progress).toMatchObject({ page: 2 });
  });
});

describe("marks", () => {
  it("count an issue that is named twice once, and take thousands", async () => {
    const { cvIssueId: one } = issues.one;
    const viewer = room.host.as("viewer");
    expect(
      (await viewer.post("/api/reader/read-bulk", { ids: Array.from({ length: 5000 }, () => one), read: true })).body,
    ).toEqual({ done: 1 });
    expect(
      (await viewer.post("/api/reader/read-bulk", { ids: Array.from({ length: 5001 }, () => one), read: true })).status,
    ).toBe(400);
    expect((await viewer.post("/api/reader/read-bulk", { ids: [], read: true })).status).toBe(400);
  });

  it("marks many at once, or none when one is unknown", async () => {
    const { cvIssueId: one } = issues.one;
    const { cvIssueId: two } = issues.two;
    const viewer = room.host.as("viewer");
    expect((await viewer.post("/api/reader/read-bulk", { ids: [one, two, one], read: true })).body).toEqual({
      done: 2,
    });
    expect((await viewer.post("/api/reader/read-bulk", { ids: [one, 999_999], read: false })).status).toBe(404);
    expect((await viewer.get(path(issues.one))).body.progress).toMatchObject({ completed: true });
    expect((await viewer.post(path(issues.one, "mark"), { read: false })).body).toEqual({ read: false });
    expect((await viewer.get(path(issues.one))).body.progress).toBeNull();
    expect((await viewer.post("/api/reader/read-bulk", { ids: [], read: true })).status).toBe(400);
  });

  it("sets and clears bookmarks, and lists them all", async () => {
    const viewer = room.host.as("viewer");
    await viewer.post(path(issues.one, "bookmark"), { page: 3, on: true });
    expect((await viewer.post(path(issues.one, "bookmark"), { page: 1, on: true })).body).toEqual({
      bookmarks: [1, 3],
    });
    expect((await viewer.get("/api/reader/bookmarks")).body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ cvIssueId: issues.one.cvIssueId, page: 1, series: "Moth Patrol" }),
      ]),
    );
    await viewer.post(path(issues.one, "bookmark"), { page: 1, on: false });
    expect((await viewer.post(path(issues.one, "bookmark"), { page: 3, on: false })).body).toEqual({ bookmarks: [] });
  });

  it("refuses a bookmark on a page that is not there, and clears one that was", async () => {
    const viewer = room.host.as("viewer");
    const refused = await viewer.post(path(issues.one, "bookmark"), { page: 4, on: true });
    expect([refused.status, refused.body.details]).toEqual([400, { page: "must be less than the 4 pages" }]);
    expect((await viewer.post(path(issues.one, "bookmark"), { page: 4, on: false })).body).toEqual({ bookmarks: [] });
  });

  it("keeps a rating and a note for the user who gave them, each without the other", async () => {
    const { one } = issues;
    const [viewer, other] = [room.host.as("viewer"), room.host.as("trusted")];
    const opinion = async () => (await viewer.get(path(one, "opinion"))).body;
    expect(await opinion()).toEqual({ rating: null, note: "" });
    await viewer.post(path(one, "opinion"), { rating: 4 });
    await viewer.post(path(one, "opinion"), { note: "The moth is real." });
    expect(await opinion()).toEqual({ rating: 4, note: "The moth is real." });
    expect((await other.get(path(one, "opinion"))).body).toEqual({ rating: null, note: "" });
    await viewer.post(path(one, "opinion"), { rating: null });
    expect(await opinion()).toEqual({ rating: null, note: "The moth is real." });
    for (const wrong of [{ rating: 6 }, { rating: 0 }, { note: "x".repeat(10_001) }])
      expect((await viewer.post(path(one, "opinion"), wrong)).status).toBe(400);
    expect((await viewer.get("/api/reader/issue/999999/opinion")).status).toBe(404);
  });

  it("tells the clients of who reads, and no others, that something was read", async () => {
    const [own, other] = [await room.host.domains("viewer"), await room.host.domains("trusted")];
    await report(issues.one, { page: 1, pages: 4, completed: false });
    await own.until("reader");
    // What the other reads comes after it, so that silence until then is silence.
    await room.host.as("trusted").post(path(issues.one), { page: 1, pages: 4 });
    await other.until("reader");
    expect(other.heard.filter((domain) => domain === "reader")).toHaveLength(1);
    await own.release();
    await other.release();
  });
});

describe("shelves", () => {
  it("go on with what can be read, and not with what has lost its file", async () => {
    await using other = await openReadingRoom({
      plans: [{ title: "Paper Kites", year: 2012, issues: ["1", "2", "3"] }],
    });
    const viewer = other.host.as("viewer");
    const [one, two] = [await other.issue("Paper Kites", "1"), await other.issue("Paper Kites", "2")];
    const list = async (name: string) =>
      (await viewer.get(`/api/reader/${name}`)).body.items.map((item: { number: string }) => item.number);
    await viewer.post(path(one), { page: 3, pages: 4 });
    await viewer.post(path(two), { page: 1, pages: 4 });
    expect([await list("continue"), await list("next-up")]).toEqual([["2"], []]);
    const kept = await readFile(two.path);
    await unlink(two.path);
    await other.scan();
    expect([await list("continue"), await list("next-up")]).toEqual([[], ["3"]]);
    await writeFile(two.path, kept);
    await other.scan();
    expect([await list("continue"), await list("next-up")]).toEqual([["2"], []]);
  });

  it("move an issue from new over continue to finished, and name what is next", async () => {
    const { one, two, bell } = issues;
    expect(await shelf("start-new")).toEqual(expect.arrayContaining([one.cvIssueId]));
    expect(await shelf("new-in-library")).toContain(one.cvIssueId);
    await report(one, { page: 1, pages: 4, completed: false });
    expect([
      await shelf("continue"),
      (await shelf("start-new")).includes(one.cvIssueId),
      (await shelf("new-in-library")).includes(one.cvIssueId),
    ]).toEqual([[one.cvIssueId], false, false]);
    await report(one, { page: 3, pages: 4, completed: true });
    expect([await shelf("continue"), await shelf("recently-finished"), await shelf("next-up")]).toEqual([
      [],
      [one.cvIssueId],
      [two.cvIssueId],
    ]);
    await report(two, { page: 0, pages: 4, completed: false });
    expect([await shelf("continue"), await shelf("next-up")]).toEqual([[two.cvIssueId], []]);
    expect(bell.seriesId).not.toBe(one.seriesId);
  });

  it("find what comes next in a series, however many issues of others were marked since", async () => {
    await using other = await openReadingRoom({ plans: [{ title: "Paper Kites", year: 2012, issues: ["1", "2"] }] });
    const viewer = other.host.as("viewer");
    const kites = await Promise.all(["1", "2"].map((number) => other.issue("Paper Kites", number)));
    await viewer.post(path(kites[0]!), { page: 3, pages: 4 });
    const files = (number: number) => ({
      libraryId: other.libraryId,
      name: `${number}.cbz`,
      path: `${other.root}/Long Run (2001)/${number}.cbz`,
      sizeBytes: 10,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 4,
      valid: true,
      tagged: true,
      series: { name: "Long Run", folder: `${other.root}/Long Run (2001)`, year: 2001 },
      issue: { number: String(number), kind: "issue" as const },
    });
    const placed = await other.host
      .use(Collection)
      .placeFiles(Array.from({ length: 620 }, (_, index) => files(index + 1)));
    expect(
      (
        await viewer.post("/api/reader/read-bulk", {
          ids: placed.slice(0, 610).map(({ issueId }) => -issueId),
          read: true,
        })
      ).body,
    ).toEqual({ done: 610 });
    const next = (await viewer.get("/api/reader/next-up")).body.items.map(
      (item: { series: string; number: string }) => `${item.series} ${item.number}`,
    );
    expect(next).toEqual(["Long Run 611", "Paper Kites 2"]);
  });

  it("keep what is put aside until it is read", async () => {
    const viewer = room.host.as("viewer");
    await viewer.post(`/api/reader/later/${issues.one.cvIssueId}`, { on: true });
    await viewer.post(`/api/reader/later/${issues.two.cvIssueId}`, { on: true });
    expect(new Set(await shelf("later"))).toEqual(new Set([issues.one.cvIssueId, issues.two.cvIssueId]));
    await report(issues.one, { page: 3, pages: 4, completed: true });
    expect(await shelf("later")).toEqual([issues.two.cvIssueId]);
  });

  it("list each series once where that is asked for, with the number of the others", async () => {
    const viewer = room.host.as("viewer");
    const of = async (query: string) =>
      (await viewer.get(`/api/reader/new-in-library?${query}`)).body.items as Array<{
        seriesId: number;
        more?: number;
      }>;
    const all = await of("limit=100");
    const grouped = await of("limit=100&grouped=true");
    const series = new Set(all.map(({ seriesId }) => seriesId));
    expect([grouped.length, new Set(grouped.map(({ seriesId }) => seriesId))]).toEqual([series.size, series]);
    for (const { seriesId, more } of grouped)
      expect(more).toBe(all.filter((item) => item.seriesId === seriesId).length - 1);
    expect(all.some(({ more }) => more !== undefined)).toBe(false);
    expect(await of("limit=1&offset=1&grouped=1")).toEqual(grouped.slice(1, 2));
    expect((await viewer.get("/api/reader/later?grouped=perhaps")).status).toBe(400);
  });

  it("take a limit and refuse a wrong one", async () => {
    const viewer = room.host.as("viewer");
    expect((await viewer.get("/api/reader/new-in-library?limit=1")).body.items).toHaveLength(1);
    expect((await viewer.get("/api/reader/continue?limit=0")).status).toBe(400);
  });

  it("gives the shelves and the bookmarks in parts", async () => {
    const viewer = room.host.as("viewer");
    for (const issue of [issues.one, issues.two, issues.three]) {
      await viewer.post(`/api/reader/later/${issue.cvIssueId}`, { on: true });
      await viewer.post(`/api/reader/issue/${issue.cvIssueId}/bookmark`, { page: 1, on: true });
    }
    const ids = (rows: Array<{ cvIssueId: number }>) => rows.map((row) => row.cvIssueId);
    const whole = ids((await viewer.get("/api/reader/later")).body.items);
    const parts = await Promise.all(
      [0, 1, 2, 3].map(async (offset) =>
        ids((await viewer.get(`/api/reader/later?limit=1&offset=${offset}`)).body.items),
      ),
    );
    expect([whole.length, parts]).toEqual([3, [[whole[0]], [whole[1]], [whole[2]], []]]);

    const marks = await viewer.get("/api/reader/bookmarks");
    const part = await viewer.get("/api/reader/bookmarks?limit=1&offset=1");
    expect([ids(part.body), part.headers.get("x-total-count"), marks.headers.get("x-total-count")]).toEqual([
      [ids(marks.body)[1]],
      `${marks.body.length}`,
      `${marks.body.length}`,
    ]);
    expect(marks.body.length).toBeGreaterThanOrEqual(3);
    expect((await viewer.get("/api/reader/bookmarks?limit=0")).status).toBe(400);
  });

  it("hide what the viewer may not know of", async () => {
    await report(issues.one, { page: 1, pages: 4, completed: false });
    await room.host.as("viewer").post(`/api/reader/later/${issues.one.cvIssueId}`, { on: true });
    const admin = room.host.as("admin");
    await admin.post(`/api/libraries/${room.libraryId}`, { restricted: true });
    try {
      expect(
        await Promise.all(["continue", "later", "new-in-library", "start-new"].map((name) => shelf(name))),
      ).toEqual([[], [], [], []]);
      const viewer = room.host.as("viewer");
      expect((await viewer.get(`/api/reader/issue/${issues.one.cvIssueId}`)).status).toBe(404);
      expect((await viewer.get(`/api/reader/issue/${issues.one.cvIssueId}/page/0`)).status).toBe(404);
      expect((await viewer.post(path(issues.one, "mark"), { read: true })).status).toBe(404);
      expect((await viewer.get("/api/reader/bookmarks")).body).toEqual([]);
      expect((await viewer.get("/api/reader/stats")).body.series).toEqual([]);
      expect((await room.host.as("trusted").get(`/api/reader/issue/${issues.one.cvIssueId}`)).status).toBe(200);
    } finally {
      await admin.post(`/api/libraries/${room.libraryId}`, { restricted: false });
    }
  });
});

describe("series", () => {
  it("say what comes next, and keep how they are read", async () => {
    const viewer = room.host.as("viewer");
    const series = `/api/reader/series/${issues.one.seriesId}`;
    await report(issues.one, { page: 3, pages: 4, completed: true });
    expect((await viewer.get(series)).body).toMatchObject({
      read: 1,
      next: { cvIssueId: issues.two.cvIssueId },
      progress: [{ cvIssueId: issues.one.cvIssueId, completed: true }],
    });
    await viewer.post("/api/reader/preferences", { fit: "width" });
    expect((await viewer.post(`${series}/preferences`, { direction: "rtl", mode: "double" })).body).toEqual({
      mode: "double",
      direction: "rtl",
      fit: null,
    });
    expect((await viewer.get(`/api/reader/issue/${issues.one.cvIssueId}`)).body).toMatchObject({
      direction: "rtl",
      preferences: { mode: "double", direction: "rtl", fit: "width" },
    });
    expect((await viewer.post(`${series}/preferences`, { mode: "sideways" })).status).toBe(400);
    expect((await viewer.post("/api/reader/series/99999/preferences", { mode: "single" })).status).toBe(404);
    await viewer.post(`${series}/preferences`, { direction: null, mode: null });
    await viewer.post("/api/reader/preferences", { fit: null });
    expect((await viewer.get(`/api/reader/issue/${issues.one.cvIssueId}`)).body.direction).toBe("ltr");
  });
});
