import { Catalog } from "@longbox/collection/contract";
import { systemViewer, type Viewer } from "@longbox/sdk";
import type { HistoryEntry, ReadingGain } from "@longbox/reading/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openReadingDesk, page, viewerOf, type ReadingDesk } from "./support/reading-desk.js";

let desk: ReadingDesk;
let one: number;
let two: number;
let three: number;
let users = 10;
let viewer: Viewer;
beforeAll(async () => {
  desk = await openReadingDesk();
  [one, two, three] = desk.works as [number, number, number];
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => {
  viewer = viewerOf(users++);
});

const iso = (ms: number) => new Date(ms).toISOString();
const hourMs = 3_600_000;
const minutesAgo = (minutes: number) => iso(Date.now() - minutes * 60_000);
const issueIds = (items: ReadonlyArray<{ issue: { id: number } }>) => items.map(({ issue }) => issue.id);

describe("reports", () => {
  it("are answered with what holds now, and found again", async () => {
    const at = minutesAgo(5);
    const state = await desk.reading.report(viewer, one, { position: page(4), device: "tablet", at });
    expect(state).toEqual({
      issueId: one,
      position: page(4),
      fraction: 0.25,
      places: { page: page(4) },
      device: "tablet",
      at,
      completed: false,
      finishedAt: undefined,
      timesFinished: 0,
    });
    expect(await desk.reading.find(viewer, [one, two, 999_999])).toEqual([state]);
    expect(await desk.reading.find(viewerOf(users++), [one])).toEqual([]);
  });

  it("in different kinds meet by their fractions, each program finding its own words again", async () => {
    const locator = { kind: "locator", locator: "/body/DocFragment[5]/p.0", fraction: 0.5 } as const;
    const located = await desk.reading.report(viewer, one, { position: locator, device: "e-reader" });
    expect(located.places).toEqual({ locator, page: page(9) });
    const paged = await desk.reading.report(viewer, one, { position: page(9), device: "phone" });
    expect([paged.position, paged.device]).toEqual([locator, "e-reader"]);
    const further = await desk.reading.report(viewer, one, { position: page(14), device: "phone" });
    expect([further.position, further.places]).toEqual([page(14), { page: page(14) }]);
    const listened = await desk.reading.report(viewer, two, {
      position: { kind: "time", seconds: 60, duration: 600 },
      device: "phone",
    });
    const unmeasured = await desk.reading.report(viewer, two, {
      position: { kind: "time", seconds: 120, duration: 0 },
      device: "phone",
    });
    expect([listened.fraction, unmeasured.fraction, unmeasured.places.page]).toEqual([0.1, 0.2, page(3)]);
  });

  it("never lie in the future, and a clock that lost its time says nothing", async () => {
    const before = Date.now();
    const ahead = await desk.reading.report(viewer, one, {
      position: page(1),
      device: "a",
      at: "2999-01-01T00:00:00Z",
    });
    const lost = await desk.reading.report(viewer, two, { position: page(1), device: "a", at: "1970-01-02T00:00:00Z" });
    for (const { at } of [ahead, lost]) {
      expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    }
    const next = await desk.reading.report(viewer, one, { position: page(0), device: "a" });
    expect(next.position).toEqual(page(0));
  });

  it.each([
    ["position.page", { position: page(20), device: "a" }],
    ["position.fraction", { position: { kind: "locator", locator: "", fraction: 1.1 }, device: "a" }],
    ["position.seconds", { position: { kind: "time", seconds: -1, duration: 1 }, device: "a" }],
    ["position.seconds", { position: { kind: "time", seconds: Number.NaN, duration: 1 }, device: "a" }],
    ["device", { position: page(1), device: "" }],
    ["at", { position: page(1), device: "a", at: "yesterday" }],
  ] as const)("are refused with the name of %s", async (field, report) => {
    await expect(desk.reading.report(viewer, one, report)).rejects.toMatchObject({
      code: "reading/wrong-field",
      details: { [field]: expect.any(String) },
    });
  });

  it("tell listeners what was gained, once", async () => {
    const heard: ReadingGain[] = [];
    using _listening = disposable(desk.reading.onRead((gain) => heard.push(gain)));
    const read = (number: number, at: string) =>
      desk.reading.report(viewer, one, { position: page(number), device: "a", at });
    const times = [30, 20, 10].map(minutesAgo) as [string, string, string];
    await read(4, times[0]);
    await read(2, times[1]);
    await read(19, times[2]);
    await desk.reading.mark(viewer, [one, two], true);
    const gain = { userId: viewer.user.id, issueId: one, gainedSeconds: 0 };
    expect(heard).toEqual([
      { ...gain, gainedPages: 5, finished: false, at: times[0] },
      { ...gain, gainedPages: 15, finished: true, at: times[2] },
    ]);
  });

  it("of one user do not disturb each other, however many come at once", async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        desk.reading.report(viewer, one, { position: page(number), device: `device ${number % 3}` }),
      ),
    );
    const { items } = await desk.reading.history(viewer, { limit: 100 });
    expect([
      items.reduce((sum, { pages }) => sum + pages, 0),
      items.reduce((sum, row) => sum + row.finished, 0),
    ]).toEqual([20, 1]);
  });
});

describe("devices", () => {
  it("are remembered, and the furthest other one is named", async () => {
    const at = [30, 20, 10].map(minutesAgo) as [string, string, string];
    await desk.reading.report(viewer, one, { position: page(9), device: "tablet", at: at[0] });
    await desk.reading.report(viewer, one, { position: page(3), device: "phone", at: at[1] });
    await desk.reading.report(viewer, one, { position: page(5), device: "phone", at: at[2] });
    const [tablet, phone] = [
      { device: "tablet", position: page(9), fraction: 0.5, at: at[0] },
      { device: "phone", position: page(5), fraction: 0.3, at: at[2] },
    ];
    expect(await desk.reading.findDevices(viewer, one)).toEqual([phone, tablet]);
    expect(await desk.reading.findFurther(viewer, one, "phone")).toEqual(tablet);
    expect(await desk.reading.findFurther(viewer, one, "tablet")).toBeUndefined();
    expect(await desk.reading.findFurther(viewer, one, "a third")).toEqual(tablet);
  });

  it("make room for new ones, the one that was away longest first", async () => {
    for (let number = 0; number < 23; number++)
      await desk.reading.report(viewer, one, {
        position: page(1),
        device: `device ${number}`,
        at: minutesAgo(60 - number),
      });
    const devices = (await desk.reading.findDevices(viewer, one)).map(({ device }) => device);
    expect([devices.length, devices[0], devices.includes("device 1"), devices.includes("device 5")]).toEqual([
      20,
      "device 22",
      false,
      true,
    ]);
  });
});

describe("marks", () => {
  it("finish works without counting anything, all of them or none", async () => {
    await desk.reading.setLater(viewer, two, true);
    expect(await desk.reading.mark(viewer, [one, two, one], true)).toBe(2);
    await expect(desk.reading.mark(viewer, [three, 999_999], true)).rejects.toMatchObject({
      code: "reading/no-such-issue",
    });
    const states = await desk.reading.find(viewer, [one, two, three]);
    expect(states.map(({ issueId, position, completed }) => [issueId, position, completed])).toEqual([
      [one, page(19), true],
      [two, page(19), true],
    ]);
    expect((await desk.reading.history(viewer, { limit: 10 })).items).toEqual([]);
    expect((await desk.reading.listLater(viewer, { limit: 10 })).items).toEqual([]);
    expect(await desk.reading.mark(viewer, [], true)).toBe(0);
  });

  it("cannot be used to have pages or finishes counted again", async () => {
    const read = () => desk.reading.report(viewer, one, { position: page(19), device: "a" });
    for (let time = 0; time < 4; time++) {
      await read();
      await desk.reading.mark(viewer, [one], false);
      await desk.reading.mark(viewer, [one], true);
      await desk.reading.mark(viewer, [one], false);
    }
    const { items } = await desk.reading.history(viewer, { limit: 10 });
    const sum = (key: "pages" | "finished") => items.reduce((total, row) => total + row[key], 0);
    expect([sum("pages"), sum("finished")]).toEqual([20, 1]);
  });

  it("as unread forget the place, and what was read before does not bring it back", async () => {
    await desk.reading.report(viewer, one, { position: page(19), device: "a" });
    await desk.reading.mark(viewer, [one], false);
    const late = await desk.reading.report(viewer, one, { position: page(7), device: "b", at: minutesAgo(3) });
    expect(late).toMatchObject({ position: page(0), fraction: 0, completed: false, timesFinished: 0 });
    expect([await desk.reading.find(viewer, [one]), await desk.reading.findDevices(viewer, one)]).toEqual([[], []]);
    expect((await desk.reading.report(viewer, one, { position: page(2), device: "b" })).position).toEqual(page(2));
  });
});

describe("lists", () => {
  it("go through what is begun, finished and put aside, part by part", async () => {
    const works = await desk.place(
      "Long Run",
      Array.from({ length: 230 }, (_, index) => String(index + 1)),
    );
    for (const [index, id] of works.entries())
      await desk.reading.report(viewer, id, {
        position: page(index % 2 === 0 ? 3 : 19),
        device: "a",
        at: minutesAgo(1000 - index),
      });
    const [begun, finished] = [0, 1].map((rest) => works.filter((_, index) => index % 2 === rest).reverse());
    expect(await everything((after) => desk.reading.listContinue(viewer, { limit: 40, after }))).toEqual(begun);
    expect(await everything((after) => desk.reading.listFinished(viewer, { limit: 70, after }))).toEqual(finished);
    for (const id of works.slice(0, 12)) await desk.reading.setLater(viewer, id, true);
    await desk.reading.setLater(viewer, works[3]!, false);
    const later = await everything((after) => desk.reading.listLater(viewer, { limit: 5, after }));
    expect(new Set(later)).toEqual(new Set(works.slice(0, 12).filter((id) => id !== works[3])));
    expect(await desk.reading.findLater(viewer, works.slice(2, 5))).toEqual([works[2], works[4]]);
    const series = await desk.reading.listFinishedSeries(viewer, { limit: 10 });
    expect(issueIds(series)).toEqual([finished![0]]);
    expect(await desk.reading.findTouchedSeries(viewer, [desk.seriesId, series[0]!.issue.seriesId])).toEqual([
      series[0]!.issue.seriesId,
    ]);
  });

  it("keep to library types, and refuse what is no end of a part", async () => {
    await desk.reading.report(viewer, one, { position: page(3), device: "a" });
    const list = (types: readonly string[]) => desk.reading.listContinue(viewer, { limit: 5, types });
    expect([issueIds((await list(["comic"])).items), (await list(["ebook"])).items]).toEqual([[one], []]);
    await expect(desk.reading.listContinue(viewer, { limit: 5, after: "x" })).rejects.toMatchObject({
      details: { after: expect.any(String) },
    });
  });
});

describe("history", () => {
  it("says what was read when on which device, and can be read in parts", async () => {
    const quarter = Math.floor(Date.now() / 900_000) * 900_000 - 3_600_000;
    const read = (issueId: number, number: number, device: string, minutes: number) =>
      desk.reading.report(viewer, issueId, { position: page(number), device, at: iso(quarter + minutes * 60_000) });
    await read(one, 4, "tablet", 1);
    await read(one, 9, "tablet", 14);
    await read(one, 19, "phone", 14);
    await read(two, 0, "phone", 16);
    const entry = (part: Partial<HistoryEntry>) => ({ type: "comic", seconds: 0, finished: 0, ...part });
    const all = [
      entry({ issueId: one, device: "phone", quarter: iso(quarter), pages: 10, finished: 1 }),
      entry({ issueId: one, device: "tablet", quarter: iso(quarter), pages: 10 }),
      entry({ issueId: two, device: "phone", quarter: iso(quarter + 900_000), pages: 1 }),
    ];
    const whole = await desk.reading.history(viewer, { limit: 100 });
    expect([whole.items, whole.next]).toMatchObject([all, undefined]);
    expect(whole.items[1]).toMatchObject({ firstAt: iso(quarter + 60_000), lastAt: iso(quarter + 840_000) });
    const first = await desk.reading.history(viewer, { limit: 2 });
    const second = await desk.reading.history(viewer, { limit: 2, after: first.next });
    expect([first.items, second.items, second.next]).toMatchObject([all.slice(0, 2), all.slice(2), undefined]);
    const since = await desk.reading.history(viewer, { limit: 9, since: iso(quarter + 960_000) });
    expect(since.items).toMatchObject(all.slice(2));
    expect((await desk.reading.history(viewer, { limit: 9, types: ["ebook"] })).items).toEqual([]);
  });

  it("gives the days of the time zone that is asked for", async () => {
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const lateEvening = `${day(3)}T23:20:00Z`;
    await desk.reading.report(viewer, one, { position: page(4), device: "a", at: lateEvening });
    const read = async (timeZone: string) =>
      (await desk.reading.activity(viewer, { timeZone, days: 7 })).filter(({ pages }) => pages > 0);
    const activity = { pages: 5, seconds: 0, finished: 0 };
    expect(await read("UTC")).toEqual([{ day: day(3), ...activity }]);
    expect(await read("Asia/Kathmandu")).toEqual([{ day: day(2), ...activity }]);
    expect(await desk.reading.activity(viewer, { timeZone: "UTC", days: 7 })).toHaveLength(7);
    await expect(desk.reading.activity(viewer, { timeZone: "Mars/Olympus", days: 7 })).rejects.toMatchObject({
      details: { timeZone: expect.any(String) },
    });
  });
});

describe("what is hidden", () => {
  it("is neither listed nor counted nor written, and comes back when it may be seen again", async () => {
    const [secret] = (await desk.place("Night Bell", ["1"])) as [number];
    await desk.reading.report(viewer, secret, { position: page(19), device: "a" });
    await desk.reading.report(viewer, secret, { position: page(3), device: "a", restart: true });
    await desk.reading.report(viewer, one, { position: page(4), device: "a" });
    await desk.reading.setLater(viewer, secret, true);
    const [issue] = await desk.library.findIssues([secret], systemViewer);
    await desk.host.as("admin").post(`/api/collection/${issue!.seriesId}/restricted`, { restricted: true });
    const seen = async (by: Viewer) => ({
      found: (await desk.reading.find(by, [secret, one])).map(({ issueId }) => issueId).toSorted(),
      devices: (await desk.reading.findDevices(by, secret)).length,
      further: (await desk.reading.findFurther(by, secret, "b"))?.device,
      begun: issueIds((await desk.reading.listContinue(by, { limit: 9 })).items).toSorted(),
      finished: issueIds((await desk.reading.listFinished(by, { limit: 9 })).items),
      series: issueIds(await desk.reading.listFinishedSeries(by, { limit: 9 })),
      later: issueIds((await desk.reading.listLater(by, { limit: 9 })).items),
      onShelf: await desk.reading.findLater(by, [secret]),
      history: (await desk.reading.history(by, { limit: 9 })).items.map(({ issueId }) => issueId).toSorted(),
      days: (await desk.reading.activity(by, { timeZone: "UTC", days: 2 })).reduce((sum, day) => sum + day.pages, 0),
      statistics: await desk.reading.statistics(by, { timeZone: "UTC", days: 1 }).then(({ days: _, ...sums }) => sums),
    });
    const sums = { seconds: 0, streak: { current: 1, longest: 1 } };
    const row = (title: string, pages: number, finished: number) =>
      expect.objectContaining({ title, pages, seconds: 0, finished });
    expect(await seen({ ...viewer, seesRestricted: false })).toEqual({
      found: [one],
      devices: 0,
      further: undefined,
      begun: [one],
      finished: [],
      series: [],
      later: [],
      onShelf: [],
      history: [one],
      days: 5,
      statistics: { ...sums, finished: 0, begun: 1, pages: 5, series: [row("Moth Patrol", 5, 0)] },
    });
    expect(await seen(viewer)).toEqual({
      found: [one, secret],
      devices: 1,
      further: "a",
      begun: [one, secret],
      finished: [secret],
      series: [secret],
      later: [secret],
      onShelf: [secret],
      history: [one, secret],
      days: 25,
      statistics: {
        ...sums,
        finished: 1,
        begun: 2,
        pages: 25,
        series: [row("Night Bell", 20, 1), row("Moth Patrol", 5, 0)],
      },
    });
    const blind = { ...viewer, seesRestricted: false };
    for (const write of [
      () => desk.reading.report(blind, secret, { position: page(5), device: "a" }),
      () => desk.reading.mark(blind, [one, secret], true),
      () => desk.reading.setLater(blind, secret, false),
    ])
      await expect(write()).rejects.toMatchObject({ kind: "not-found", code: "reading/no-such-issue" });
    expect(await desk.reading.find(viewer, [secret])).toMatchObject([{ position: page(3) }]);
  });
});

describe("works that become others, and users who go", () => {
  it("hand over what was read, counted and put aside", async () => {
    const [to] = (await desk.place("Paper Kites", ["1"])) as [number];
    const [from] = (await desk.place("Paperkites", ["1"])) as [number];
    // In one hour, as what is read is counted by hours.
    const hourBefore = (Math.floor(Date.now() / hourMs) - 1) * hourMs;
    for (const [number, id] of [to, from].entries())
      await desk.reading.report(viewer, id, {
        position: page(number + 8),
        device: "tablet",
        at: iso(hourBefore + number * 60_000),
      });
    await desk.reading.setLater(viewer, from, true);
    const volume = {
      cvId: 5001,
      title: "Paper Kites",
      year: 2001,
      aliases: [],
      status: "ended" as const,
      issues: [{ cvIssueId: 50011, number: "1" }],
    };
    const works = await desk.library.findIssues([to, from], systemViewer);
    for (const { seriesId } of works) await desk.host.use(Catalog).matchSeries(seriesId, volume, systemViewer);
    expect((await desk.library.findIssues([from], systemViewer))[0]!.id).toBe(to);
    await expect
      .poll(async () => (await desk.reading.find(viewer, [to])).map(({ position }) => position))
      .toEqual([page(9)]);
    expect([
      (await desk.reading.findDevices(viewer, to)).map(({ device }) => device),
      (await desk.reading.history(viewer, { limit: 9 })).items.map(({ issueId, pages }) => [issueId, pages]),
      issueIds((await desk.reading.listLater(viewer, { limit: 9 })).items),
    ]).toEqual([["tablet"], [[to, 19]], [to]]);
  });

  it("leave nothing of a user who is deleted, and everything of the others", async () => {
    await using other = await openReadingDesk();
    const [id] = other.works as [number];
    await other.host.as("viewer").get("/api/auth/me");
    const { body } = await other.host.as("viewer").get("/api/auth/me");
    const gone = viewerOf(body.user.id);
    for (const by of [gone, viewer]) await other.reading.report(by, id, { position: page(9), device: "a" });
    expect((await other.host.as("admin").delete(`/api/users/${body.user.id}`)).status).toBeLessThan(300);
    const left = async (by: Viewer) => [
      (await other.reading.find(by, [id])).length,
      (await other.reading.findDevices(by, id)).length,
      (await other.reading.history(by, { limit: 9 })).items.length,
    ];
    expect([await left(gone), await left(viewer)]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
  });
});

async function everything(
  read: (
    after: string | undefined,
  ) => Promise<{ items: ReadonlyArray<{ issue: { id: number } }>; next: string | undefined }>,
): Promise<number[]> {
  const ids: number[] = [];
  for (let after: string | undefined; ;) {
    const part = await read(after);
    ids.push(...issueIds(part.items));
    if (part.next === undefined) return ids;
    after = part.next;
  }
}

function disposable(held: { release(): unknown }): Disposable {
  return { [Symbol.dispose]: () => void held.release() };
}
