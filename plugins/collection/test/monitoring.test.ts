import { describe, expect, it } from "vitest";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { Catalog, IssueGetters } from "@longbox/collection/contract";
import { openShelf, type Shelf } from "./support/shelf.js";

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** A volume of six issues and an annual, of which nothing is owned. */
async function addVolume(shelf: Shelf, cvId = 5001, title = "Moth Patrol") {
  const issues = [1, 2, 3, 4, 5, 6].map((number) => ({
    cvIssueId: cvId * 10 + number,
    number: String(number),
    storeDate: day((number - 5) * 30),
  }));
  const annual = { cvIssueId: cvId * 10, number: "Annual 1", storeDate: day(-10) };
  const volume = {
    cvId,
    title,
    year: 2019,
    publisher: "Lamplight",
    aliases: [],
    status: "ongoing" as const,
    issues: [...issues, annual],
  };
  return (await shelf.host.use(Catalog).addVolume(volume, { viewer: systemViewer })).seriesId;
}

const wantedNumbers = async (shelf: Shelf, query = "") =>
  (await shelf.host.as("viewer").get(`/api/wanted?${query}`)).body.map((row: { number: string }) => row.number);

describe("monitoring", () => {
  it("wants all, the new ones from a number on, or none", async () => {
    await using shelf = await openShelf();
    const id = await addVolume(shelf);
    const monitor = async (body: unknown) =>
      (await shelf.host.as("trusted").post(`/api/collection/${id}/monitor`, body)).body;
    expect(await wantedNumbers(shelf)).toEqual(["1", "2", "3", "4", "5", "6", "Annual 1"]);
    expect(await monitor({ monitor: "new", from: 5 })).toEqual({ monitor: "new", monitor_from: 5, monitored: true });
    expect(await wantedNumbers(shelf)).toEqual(["5", "6"]);
    expect(await monitor({ monitor: "new" })).toEqual({ monitor: "new", monitor_from: 7, monitored: true });
    expect(await wantedNumbers(shelf)).toEqual([]);
    expect(await monitor({ monitored: true })).toEqual({ monitor: "all", monitor_from: null, monitored: true });
    expect(await monitor({ monitored: false })).toEqual({ monitor: "none", monitor_from: null, monitored: false });
    expect(await monitor({ monitor: "some" })).toMatchObject({ details: { monitor: expect.any(String) } });
    expect(await monitor({})).toMatchObject({ details: { monitor: expect.any(String) } });
  });

  it("yields to picks, which say why and can be cleared", async () => {
    await using shelf = await openShelf();
    const id = await addVolume(shelf);
    const trusted = shelf.host.as("trusted");
    await trusted.post(`/api/collection/${id}/monitor`, { monitor: "none" });
    const picked = await trusted.post(`/api/collection/${id}/wanted`, {
      cvIssueIds: [50012, 50010],
      want: true,
      reason: "the good ones",
    });
    const row = { wanted: true, why: "picked", pick: true, reason: "the good ones" };
    expect(picked.body).toEqual({
      changed: 2,
      issues: [
        { cv_issue_id: 50012, ...row },
        { cv_issue_id: 50010, ...row },
      ],
    });
    expect(await wantedNumbers(shelf)).toEqual(["2", "Annual 1"]);
    await trusted.post(`/api/collection/${id}/monitor`, { monitor: "all" });
    const refused = await trusted.post(`/api/collection/${id}/wanted`, { cvIssueIds: [50013], want: false });
    expect(refused.body.issues).toEqual([{ cv_issue_id: 50013, wanted: false, why: null, pick: false, reason: null }]);
    expect(await wantedNumbers(shelf)).not.toContain("3");
    await trusted.post(`/api/collection/${id}/wanted`, { cvIssueIds: [50013, 50012], clear: true });
    expect((await trusted.get("/api/wanted?q=%232")).body).toMatchObject([
      { number: "2", why: "monitored", pick: false, reason: null },
    ]);
    await trusted.post(`/api/collection/${id}/wanted`, { cvIssueIds: [50011], want: false });
    await trusted.post(`/api/collection/${id}/monitor`, { monitor: "all", clearPicks: true });
    expect(await wantedNumbers(shelf)).toHaveLength(7);
    expect(await trusted.post(`/api/collection/${id}/wanted`, { cvIssueIds: [1], want: true })).toMatchObject({
      status: 400,
      body: { details: { cvIssueIds: expect.stringContaining("1") } },
    });
    expect(
      (await shelf.host.as("viewer").post(`/api/collection/${id}/wanted`, { cvIssueIds: [50011], want: true })).status,
    ).toBe(403);
  });

  it("wants nothing that is owned", async () => {
    await using shelf = await openShelf();
    const id = await addVolume(shelf);
    const [placed] = await shelf.place({ number: "4" });
    expect(placed?.seriesId).toBe(id);
    expect(await wantedNumbers(shelf)).not.toContain("4");
    expect((await shelf.host.as("viewer").get(`/api/collection/${id}`)).body).toMatchObject({
      total: 7,
      owned: 1,
      missing: 6,
      monitor: "all",
      monitored: true,
    });
    await shelf.library.removeFiles([placed?.path as string]);
    expect(await wantedNumbers(shelf)).toContain("4");
  });
});

describe("GET /api/wanted", () => {
  it("shows gaps that are not wanted, sorted, filtered and paged", async () => {
    await using shelf = await openShelf();
    const id = await addVolume(shelf);
    const other = await addVolume(shelf, 6001, "Candle");
    await shelf.place({ series: "Candle", number: "1" });
    const viewer = shelf.host.as("viewer");
    await shelf.host.as("admin").post("/api/collection/bulk", { ids: [id, other], action: "monitor", monitor: "none" });
    expect((await viewer.get("/api/wanted")).body).toEqual([]);
    const gaps = await viewer.get("/api/wanted?scope=gaps&limit=2");
    expect([gaps.headers.get("x-total-count"), gaps.body.map((row: { series: string }) => row.series)]).toEqual([
      "13",
      ["Candle", "Candle"],
    ]);
    expect((await wantedNumbers(shelf, "scope=gaps&sort=newest&q=moth"))[0]).toBe("6");
    expect((await wantedNumbers(shelf, "scope=gaps&sort=oldest&q=moth"))[0]).toBe("1");
    expect(await wantedNumbers(shelf, "scope=gaps&hideUnreleased=1&q=moth")).not.toContain("6");
    expect((await viewer.get("/api/wanted?scope=gaps&sort=most")).body[0].series).toBe("Moth Patrol");
    expect((await viewer.get("/api/wanted?scope=gaps&sort=fewest")).body[0].series).toBe("Candle");
    await viewer.post(`/api/collection/${other}/follow`);
    expect(await wantedNumbers(shelf, "scope=gaps&followed=1")).toHaveLength(6);
    await shelf.host.as("admin").post(`/api/collection/${other}/restricted`, { restricted: true });
    expect((await viewer.get("/api/wanted?scope=gaps")).headers.get("x-total-count")).toBe("7");
  });
});

interface Listed {
  readonly series: string;
  readonly number: string;
  readonly storeDate: string | null;
}

describe("the orders of GET /api/wanted", () => {
  const titles = ["Candle 112", "Candle 28", "Moth Patrol"];
  const inOrder = ["Candle 28", "Candle 112", "Moth Patrol"];
  const dates = { asc: (row: Listed) => row.storeDate ?? "~", desc: (row: Listed) => row.storeDate ?? "" };
  const isSorted = (values: readonly string[]) => values.every((value, at) => at === 0 || values[at - 1]! <= value);

  it("are those of the series list, by date with the undated at the end, and by how many are lacking", async () => {
    await using shelf = await openShelf();
    const ids: number[] = [];
    for (const [at, title] of titles.entries()) ids.push(await addVolume(shelf, 7001 + at, title));
    const undated = { cvIssueId: 79_999, number: "9" };
    await shelf.host
      .use(Catalog)
      .addVolume(
        { cvId: 7900, title: "Undated", aliases: [], status: "ended", issues: [undated] },
        { viewer: systemViewer },
      );
    await shelf.place({ series: "Moth Patrol", number: "1" });
    await shelf.host.as("viewer").post(`/api/collection/${ids[0]}/follow`);
    const released = (row: Listed) => row.storeDate === null || row.storeDate <= day(0);
    for (const scope of ["wanted", "gaps"])
      for (const sort of ["series", "newest", "oldest", "most", "fewest"])
        for (const [filter, isChosen] of [
          ["", () => true],
          ["&followed=1", (row: Listed) => row.series === titles[0]],
          ["&hideUnreleased=1", released],
          ["&followed=1&hideUnreleased=1", (row: Listed) => row.series === titles[0] && released(row)],
          ["&q=candle", (row: Listed) => row.series.startsWith("Candle")],
        ] as const) {
          const all: Listed[] = [];
          let total = "";
          do {
            const path = `/api/wanted?scope=${scope}&sort=${sort}${filter}&limit=5&offset=${all.length}`;
            const answer = await shelf.host.as("viewer").get(path);
            if (answer.body.length === 0) throw new Error(`${path} has no row behind ${all.length} of ${total}.`);
            total = answer.headers.get("x-total-count") ?? "";
            all.push(...answer.body);
          } while (all.length < Number(total));
          const unlimited = (await shelf.host.as("viewer").get(`/api/wanted?scope=${scope}&limit=500`))
            .body as Listed[];
          const key = (row: Listed) => `${row.series} ${row.number}`;
          const where = `${scope} ${sort} ${filter}`;
          expect(all.map(key).sort(), where).toEqual(unlimited.filter(isChosen).map(key).sort());
          const shown = [...new Set(all.map(({ series }) => series))];
          if (sort === "newest") expect(isSorted(all.map(dates.desc).reverse()), where).toBe(true);
          if (sort === "oldest") expect(isSorted(all.map(dates.asc)), where).toBe(true);
          if (sort === "series")
            expect(shown, where).toEqual([...inOrder, "Undated"].filter((title) => shown.includes(title)));
          if (sort === "most" && filter === "") expect(shown, where).toEqual([...inOrder, "Undated"]);
          if (sort === "fewest" && filter === "")
            expect(shown, where).toEqual(["Undated", "Moth Patrol", "Candle 28", "Candle 112"]);
        }
  });
});

describe("POST /api/collection/bulk", () => {
  it("does one thing to many series, or nothing when one of them is not there", async () => {
    await using shelf = await openShelf();
    const ids = [await addVolume(shelf), await addVolume(shelf, 6001, "Candle")];
    const trusted = shelf.host.as("trusted");
    const bulk = (body: Record<string, unknown>) => trusted.post("/api/collection/bulk", { ids, ...body });
    expect(await trusted.post("/api/collection/bulk", { ids: [...ids, 99], action: "remove" })).toMatchObject({
      status: 404,
    });
    expect((await bulk({ action: "follow" })).body).toEqual({ done: 2 });
    expect((await trusted.get("/api/collection/counts")).body).toMatchObject({ followed: 2, monitored: 2 });
    expect((await bulk({ action: "monitor", monitor: "new" })).body).toEqual({ done: 2 });
    expect((await trusted.get("/api/collection")).body).toMatchObject([{ monitor_from: 7 }, { monitor_from: 7 }]);
    expect((await bulk({ action: "move-library", libraryId: shelf.libraryId })).body).toEqual({ done: 2 });
    expect((await bulk({ action: "move-library", libraryId: 99 })).status).toBe(404);
    expect((await bulk({ action: "move-library" })).body.details).toHaveProperty("libraryId");
    expect(await bulk({ action: "download-missing" })).toMatchObject({
      status: 409,
      body: { code: "collection/no-downloader" },
    });
    expect((await bulk({ action: "unfollow" })).body).toEqual({ done: 2 });
    expect((await bulk({ action: "remove" })).body).toEqual({ done: 2 });
    expect((await trusted.get("/api/collection")).body).toEqual([]);
  });
});

describe("with a plugin that downloads", () => {
  const queued: number[] = [];
  const getter = {
    manifest: {
      id: "getter",
      title: "Getter",
      description: "",
      sdk: "^1.0.0",
      contributes: { issueGetters: "^1.0.0" },
    },
    plugin: definePlugin({
      activate: (_, context) =>
        void context.contribute(IssueGetters, {
          queue: async (issueIds) => queued.push(...issueIds) && issueIds.length,
          findStates: async (issueIds) =>
            issueIds.filter((id) => queued.includes(id)).map((issueId) => ({ issueId, status: "downloading" })),
        }),
    }),
  };

  it("missing issues are queued, when a series is added too if the settings and the role say so", async () => {
    queued.length = 0;
    await using shelf = await openShelf({ plugins: [getter], settings: { collection: { downloadOnAdd: true } } });
    const catalog = shelf.host.use(Catalog);
    const volume = {
      cvId: 5001,
      title: "Moth Patrol",
      aliases: [],
      status: "ended" as const,
      issues: [
        { cvIssueId: 1, number: "1" },
        { cvIssueId: 2, number: "2" },
      ],
    };
    const mayNot = { ...systemViewer, may: (permission: string) => permission !== "downloads.grab" };
    expect((await catalog.addVolume(volume, { viewer: mayNot })).queued).toBe(0);
    const added = await catalog.addVolume(volume, { viewer: systemViewer });
    expect(added.queued).toBe(2);
    const trusted = shelf.host.as("trusted");
    expect((await trusted.get("/api/wanted")).body).toMatchObject([
      { queueStatus: "downloading" },
      { queueStatus: "downloading" },
    ]);
    queued.length = 0;
    expect((await trusted.get("/api/wanted")).body[0].queueStatus).toBeNull();
    expect(
      (await trusted.post("/api/collection/bulk", { ids: [added.seriesId], action: "download-missing" })).body,
    ).toEqual({ done: 1, queued: 2 });
    await shelf.host
      .as("admin")
      .post("/api/roles", { name: "keeper", permissions: ["library.view", "library.manage"] });
    expect(
      (
        await shelf.host
          .as("keeper")
          .post("/api/collection/bulk", { ids: [added.seriesId], action: "download-missing" })
      ).status,
    ).toBe(403);
  });
});
