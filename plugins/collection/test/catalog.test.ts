import { describe, expect, it } from "vitest";
import { systemViewer } from "@longbox/sdk";
import { Catalog, Collection, type ProviderVolume } from "@longbox/collection/contract";
import { openShelf } from "./support/shelf.js";

const volume = (cvId: number, change: Partial<ProviderVolume> = {}): ProviderVolume => ({
  cvId,
  title: "The Moth Patrol",
  publisher: "Lamplight Press",
  year: 2019,
  aliases: ["MP"],
  status: "ended",
  issues: [1, 2, 3].map((number) => ({
    cvIssueId: cvId * 10 + number,
    number: String(number),
    title: `Night ${number}`,
    coverDate: `2019-0${number}-01`,
  })),
  ...change,
});

describe("matching a series with a volume", () => {
  it("gives issues their provider ids and keeps their own, so that both ids answer", async () => {
    await using shelf = await openShelf();
    const [one, odd] = await shelf.place({ number: "1" }, { number: "99" });
    const seriesId = one?.seriesId as number;
    expect(await shelf.host.use(Catalog).matchSeries(seriesId, volume(5001), systemViewer)).toBe(seriesId);
    const { body } = await shelf.host.as("admin").get(`/api/collection/${seriesId}`);
    expect(body).toMatchObject({
      cvId: 5001,
      matched: true,
      title: "The Moth Patrol",
      publisher: "Lamplight Press",
      aliases: ["MP"],
      total: 4,
      owned: 2,
      missing: 2,
      monitor: "none",
      latest: "2019-03-01",
    });
    expect(
      body.issues.map((issue: { id: number; cvIssueId: number; title: string | null }) => [
        issue.id === one?.issueId,
        issue.cvIssueId,
        issue.title,
      ]),
    ).toEqual([
      [true, 50011, "Night 1"],
      [false, 50012, "Night 2"],
      [false, 50013, "Night 3"],
      [false, -(odd?.issueId as number), null],
    ]);
    expect(body.unlinkedFiles).toMatchObject([{ name: "Moth Patrol 99.cbz" }]);
    const viewer = shelf.host.as("viewer");
    expect((await viewer.get("/api/issue/50011")).body).toEqual((await viewer.get(`/api/issue/-${one?.issueId}`)).body);
    expect((await viewer.get("/api/collection?search=mp")).body).toHaveLength(1);
  });

  it("makes one of two series that are the same volume, and says which issues became one", async () => {
    await using shelf = await openShelf();
    const [one] = await shelf.place({ number: "1" });
    const [again, only] = await shelf.place(
      { series: "Moth Patrol (scans)", number: "1" },
      { series: "Moth Patrol (scans)", number: "7" },
    );
    const merges: Array<{ from: number; to: number }> = [];
    const heard = shelf.host.use(Collection).onIssuesMerged((merge) => merges.push(merge));
    const catalog = shelf.host.use(Catalog);
    await catalog.matchSeries(one?.seriesId as number, volume(5001), systemViewer);
    await shelf.host.as("viewer").post(`/api/collection/${again?.seriesId}/follow`);
    expect(await catalog.matchSeries(again?.seriesId as number, volume(5001), systemViewer)).toBe(one?.seriesId);
    expect(merges).toEqual([{ from: again?.issueId, to: one?.issueId }]);
    const viewer = shelf.host.as("viewer");
    expect((await viewer.get("/api/collection")).body).toMatchObject([{ id: one?.seriesId, owned: 2, followed: true }]);
    expect((await viewer.get(`/api/issue/-${again?.issueId}`)).body).toMatchObject({
      id: one?.issueId,
      cvIssueId: 50011,
      files: [{}, {}],
    });
    expect((await viewer.get(`/api/issue/-${only?.issueId}`)).body).toMatchObject({
      id: only?.issueId,
      seriesId: one?.seriesId,
    });
    expect((await viewer.get(`/api/collection/${again?.seriesId}`)).body.id).toBe(one?.seriesId);
    expect(await shelf.library.findIssues([again?.issueId as number], systemViewer)).toMatchObject([
      { id: one?.issueId },
    ]);
    const [former, present, single] = [again?.issueId as number, one?.issueId as number, only?.issueId as number];
    const holdings = await shelf.library.findHoldings([former, single, present, 987_654]);
    const paths = async (issueId: number) => (await shelf.library.listHoldings(issueId)).map((file) => file.path);
    expect(holdings.map(({ issueId, path }) => [issueId, path])).toEqual(
      (
        await Promise.all([former, single, present].map(async (id) => (await paths(id)).map((path) => [id, path])))
      ).flat(),
    );
    const [next] = await shelf.place({ series: "Moth Patrol (scans)", number: "2" });
    expect(next?.seriesId).toBe(one?.seriesId);
    await heard.release();
  });

  it("numbers annuals plainly in a volume of annuals, those that are there and those that come", async () => {
    await using shelf = await openShelf();
    const annual = (number: string) => ({ number: `Annual ${number}`, kind: "annual" as const, folder: "/annuals" });
    const [first] = await shelf.place(annual("1"), annual("2"));
    const annuals = { ...volume(5009), title: "Moth Patrol Annual" };
    await shelf.host.use(Catalog).matchSeries(first!.seriesId, annuals, systemViewer);
    await shelf.place(annual("3"));
    const { body } = await shelf.host.as("viewer").get(`/api/collection/${first!.seriesId}`);
    expect(body.issues.map((issue: { number: string; owned: boolean }) => [issue.number, issue.owned])).toEqual([
      ["1", true],
      ["2", true],
      ["3", true],
    ]);
    expect(body.issues[0]).toMatchObject({ id: first!.issueId, kind: "issue" });
  });

  it("loses nothing of the series that went: provider ids, names, details, and that it is hidden", async () => {
    await using shelf = await openShelf();
    const [stays] = await shelf.place({ number: "1" });
    const credits = [{ name: "Ada Quill", role: "writer" }];
    const [goes] = await shelf.place({
      series: "Night Moths",
      number: "1",
      ofIssue: { cvIssueId: 901, language: "de", credits },
    });
    const admin = shelf.host.as("admin");
    await admin.post(`/api/collection/${goes?.seriesId}/restricted`, { restricted: true });
    const catalog = shelf.host.use(Catalog);
    await catalog.matchSeries(stays?.seriesId as number, volume(5001), systemViewer);
    await catalog.matchSeries(goes?.seriesId as number, volume(5001), systemViewer);
    const { body } = await admin.get("/api/issue/901");
    expect(body).toMatchObject({ id: stays?.issueId, cvIssueId: 50011, language: "de", credits });
    const asked = await shelf.library.findIssuesByClientIds([901, 50011], systemViewer);
    expect(asked.map(({ cvIssueId, issue }) => [cvIssueId, issue.id]).sort()).toEqual([
      [50011, stays?.issueId],
      [901, stays?.issueId],
    ]);
    expect((await admin.get("/api/collection?search=night+moths")).body).toMatchObject([{ id: stays?.seriesId }]);
    expect((await shelf.host.as("viewer").get("/api/collection")).body).toEqual([]);
  });

  it("takes over an issue that a file had put elsewhere by its id", async () => {
    await using shelf = await openShelf();
    const [one, tagged] = await shelf.place({ number: "1" }, { number: "2", ofIssue: { cvIssueId: 50011 } });
    await shelf.host.use(Catalog).matchSeries(one?.seriesId as number, volume(5001), systemViewer);
    const { body } = await shelf.host.as("viewer").get(`/api/collection/${one?.seriesId}`);
    expect(body.issues[0]).toMatchObject({ id: tagged?.issueId, cvIssueId: 50011, files: [{}, {}] });
    expect((await shelf.host.as("viewer").get(`/api/issue/-${one?.issueId}`)).body.id).toBe(tagged?.issueId);
  });

  it("takes a one-shot for the only issue of its volume, also when it is scanned again or arrives later", async () => {
    await using shelf = await openShelf();
    const alone = volume(5001, { issues: [{ cvIssueId: 50011, number: "1" }] });
    const [one] = await shelf.place({ number: "", kind: "one-shot" });
    await shelf.host.use(Catalog).matchSeries(one?.seriesId as number, alone, systemViewer);
    expect(await shelf.place({ number: "", kind: "one-shot" })).toEqual([one]);
    const [later] = await shelf.place({ number: "", kind: "one-shot", path: "/elsewhere/again.cbz" });
    expect(later?.issueId).toBe(one?.issueId);
    expect((await shelf.host.as("viewer").get("/api/issue/50011")).body).toMatchObject({
      id: one?.issueId,
      owned: true,
      files: [{}, {}],
    });
    expect((await shelf.host.as("viewer").get(`/api/collection/${one?.seriesId}`)).body).toMatchObject({
      total: 1,
      owned: 1,
    });
  });

  it("refreshes without overwriting, and drops what the provider no longer lists unless it is owned", async () => {
    await using shelf = await openShelf();
    const [one] = await shelf.place({ number: "1" }, { number: "2" });
    const catalog = shelf.host.use(Catalog);
    const seriesId = one?.seriesId as number;
    await catalog.matchSeries(seriesId, volume(5001), systemViewer);
    await catalog.refreshSeries(
      seriesId,
      volume(5001, {
        issues: [
          { cvIssueId: 50011, number: "1" },
          { cvIssueId: 50014, number: "4" },
        ],
      }),
    );
    const { body } = await shelf.host.as("viewer").get(`/api/collection/${seriesId}`);
    expect(body.issues.map((issue: { number: string; title: string | null }) => [issue.number, issue.title])).toEqual([
      ["1", "Night 1"],
      ["2", "Night 2"],
      ["4", null],
    ]);
    await expect(catalog.refreshSeries(seriesId, volume(6001))).rejects.toMatchObject({
      code: "collection/other-volume",
    });
  });
});

describe("adding a volume", () => {
  it("monitors everything and follows, or picks just the issues asked for when the settings say so", async () => {
    await using shelf = await openShelf({ settings: { collection: { onlyAskedIssues: true } } });
    const catalog = shelf.host.use(Catalog);
    const whole = await catalog.addVolume(volume(5001), { viewer: systemViewer });
    const part = await catalog.addVolume(volume(6001, { title: "Candle" }), {
      viewer: systemViewer,
      cvIssueIds: [60012],
      reason: "for Bo",
      why: "request",
    });
    const admin = shelf.host.as("admin");
    expect((await admin.get(`/api/collection/${whole.seriesId}`)).body).toMatchObject({ monitor: "all", missing: 3 });
    const { body } = await admin.get(`/api/collection/${part.seriesId}`);
    expect(body.monitor).toBe("none");
    expect(body.issues.filter((issue: { wanted: boolean }) => issue.wanted)).toMatchObject([
      { cvIssueId: 60012, why: "request", reason: "for Bo", status: "wanted" },
    ]);
    expect(await catalog.addVolume(volume(5001), { viewer: systemViewer })).toMatchObject({ seriesId: whole.seriesId });
    await expect(catalog.addVolume(volume(7001), { viewer: systemViewer, cvIssueIds: [1] })).rejects.toMatchObject({
      kind: "bad-input",
    });
    expect((await admin.get("/api/collection")).body).toHaveLength(2);
  });

  it("is found again by the files that arrive for it, but only under the very same title and year", async () => {
    await using shelf = await openShelf();
    const { seriesId } = await shelf.host.use(Catalog).addVolume(volume(5001), { viewer: systemViewer });
    const placed = await shelf.place(
      { number: "2" },
      { series: "Moth Patrol", year: 2011, folder: "/other", number: "3" },
      { series: "Moth Patrols", number: "4" },
    );
    expect(placed.map((file) => file.seriesId === seriesId)).toEqual([true, false, false]);
  });
});

describe("what lists of issues ask for", () => {
  it("finds issues by the ids that clients use, also by former ones, and hides what is restricted", async () => {
    await using shelf = await openShelf();
    const [one, odd] = await shelf.place({ number: "1" }, { number: "99" });
    await shelf.host.use(Catalog).matchSeries(one?.seriesId as number, volume(5001), systemViewer);
    const oddId = -(odd?.issueId as number);
    const found = await shelf.library.findIssuesByClientIds(
      [50011, -(one?.issueId as number), oddId, 50011, 404, -404],
      systemViewer,
    );
    expect(found.map(({ cvIssueId, issue }) => [cvIssueId, issue.id])).toEqual([
      [50011, one?.issueId],
      [-(one?.issueId as number), one?.issueId],
      [oddId, odd?.issueId],
    ]);
    await shelf.host.as("admin").post(`/api/collection/${one?.seriesId}/restricted`, { restricted: true });
    const unrestricted = { ...systemViewer, seesRestricted: false };
    expect(await shelf.library.findIssuesByClientIds([50011, oddId], unrestricted)).toEqual([]);
    expect(await shelf.library.findSeriesByTitles(["moth patrol"], unrestricted)).toEqual([[]]);
  });

  it("finds series by their titles, however they are written", async () => {
    await using shelf = await openShelf();
    const [one] = await shelf.place({ series: "The Móth & Candle", number: "1" });
    const [other] = await shelf.place({
      series: "Moth and Candle",
      folder: `${shelf.root}/comics/again`,
      year: 2021,
      number: "1",
    });
    const [first, none, same] = await shelf.library.findSeriesByTitles(
      ["moth and candle", "Moth", "MOTH & CANDLE"],
      systemViewer,
    );
    expect([first?.map((series) => series.id), none, same?.length]).toEqual([[one?.seriesId, other?.seriesId], [], 2]);
  });

  it("adds a volume for nothing but the issues asked for, and picks issues of any series", async () => {
    await using shelf = await openShelf();
    const catalog = shelf.host.use(Catalog);
    const { seriesId } = await catalog.addVolume(volume(5001), {
      viewer: systemViewer,
      cvIssueIds: [50012],
      why: "list",
      reason: "List: One",
      only: true,
    });
    const admin = shelf.host.as("admin");
    const row = async () => (await admin.get(`/api/collection/${seriesId}`)).body;
    expect(await row()).toMatchObject({ monitor: "none", followed: false });
    expect(
      (await row()).issues.map((issue: { wanted: boolean; why: string | null }) => [issue.wanted, issue.why]),
    ).toEqual([
      [false, null],
      [true, "list"],
      [false, null],
    ]);
    expect(await catalog.pickIssues([50013, 404], { viewer: systemViewer, why: "list" })).toEqual([50013]);
    expect((await row()).issues.map((issue: { wanted: boolean }) => issue.wanted)).toEqual([false, true, true]);
    const reader = { ...systemViewer, may: (permission: string) => permission === "library.view" };
    await expect(catalog.pickIssues([50011], { viewer: reader, why: "list" })).rejects.toMatchObject({
      kind: "forbidden",
      code: "collection/may-not-want",
    });
    await expect(catalog.addVolume(volume(5002), { viewer: reader })).rejects.toMatchObject({ kind: "forbidden" });
    await admin.post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    expect(
      await catalog.pickIssues([50011], { viewer: { ...systemViewer, seesRestricted: false }, why: "list" }),
    ).toEqual([]);
  });
});
