import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCertain, judge } from "../src/matching/evidence.js";
import { readProviderId } from "../src/provider-id.js";
import { catalogOf, serve, volume } from "./support/server.js";
import { trouble } from "./support/provider.js";

describe("POST /api/cv/match", () => {
  it("matches where title, year, publisher and numbers leave no doubt, and says why", async () => {
    await using served = await serve();
    served.provider.add(
      volume(5001, "The Moth Patrol", 6),
      volume(5002, "Moth Patrol", { count: 6, start_year: "1987" }),
      volume(5003, "Moth Patrol Annual", 2),
    );
    const seriesId = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1", "2"] });
    const { status, body } = await served.host.as("trusted").post("/api/cv/match", { seriesId });
    expect([status, body]).toMatchObject([
      200,
      { matched: true, seriesId, cvId: 5001, reasons: ["same title", "same year 2019", "issue numbers fit"] },
    ]);
    expect((await served.host.as("viewer").get(`/api/collection/${seriesId}`)).body).toMatchObject({
      cvId: 5001,
      total: 6,
      owned: 2,
    });
    expect((await served.host.as("trusted").post("/api/cv/match", { seriesId })).status).toBe(409);
  });

  it("leaves what is unsure to a person, who chooses", async () => {
    await using served = await serve();
    served.provider.add(
      volume(5001, "Moth Patrol", 6),
      volume(5002, "Moth Patrol", 6),
      volume(5003, "Moth Patrol", { count: 6, start_year: "2018" }),
    );
    const seriesId = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    const { body } = await served.host.as("trusted").post("/api/cv/match", { seriesId });
    expect(body).toMatchObject({
      matched: false,
      cvId: null,
      candidates: [
        { id: 5001, score: 75 },
        { id: 5002, score: 75 },
        { id: 5003, score: 60, reasons: expect.arrayContaining(["year differs by one"]) },
      ],
    });
    const chosen = await served.host.as("trusted").post("/api/cv/match", { seriesId, providerId: "4050-5002" });
    expect(chosen.body).toMatchObject({ matched: true, cvId: 5002, reasons: ["chosen by a person"] });
    expect((await served.host.as("trusted").post("/api/cv/match", { seriesId: 99 })).status).toBe(404);
    expect(
      (await served.host.as("trusted").post("/api/cv/match", { seriesId, providerId: "nonsense" })).body.details,
    ).toHaveProperty("providerId");
  });

  it("starts the sync when it names no series", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 6), volume(5002, "Lantern Row", 3));
    const placed = [
      await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] }),
      await served.place({ name: "Lantern Row", year: 2019, numbers: ["1"] }),
    ];
    const trusted = served.host.as("trusted");
    expect((await trusted.post("/api/cv/match", {})).body).toEqual({ started: true, jobId: expect.any(Number) });
    const cvIds = () =>
      Promise.all(placed.map(async (id) => (await trusted.get(`/api/collection/${id}`)).body.cvId as number | null));
    await expect.poll(cvIds, { timeout: 30_000 }).toEqual([5001, 5002]);
  });

  it("believes the issue ids inside the files before any search", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Mottenpatrouille", 6));
    const seriesId = await served.place({ name: "Scans of something", numbers: ["1"], cvIssueIds: [5001001] });
    expect((await served.host.as("trusted").post("/api/cv/match", { seriesId })).body).toMatchObject({
      matched: true,
      cvId: 5001,
      reasons: ["the provider's ids inside the files"],
    });
    expect(served.provider.asked.some((path) => path.includes("/search/"))).toBe(false);
  });

  it("hides series from those who may not see them", async () => {
    await using served = await serve();
    await served.host
      .as("admin")
      .post("/api/roles", { name: "keeper", permissions: ["library.view", "library.manage"] });
    const seriesId = await served.place({ name: "Moth Patrol", numbers: ["1"] });
    await served.host.as("admin").post(`/api/collection/${seriesId}/restricted`, { restricted: true });
    const keeper = served.host.as("keeper");
    for (const [path, body] of [
      ["/api/cv/match", { seriesId }],
      [`/api/collection/${seriesId}/cv`, { providerId: 5001 }],
      [`/api/collection/${seriesId}/metadata`, {}],
      [`/api/collection/${seriesId}/refresh`, {}],
      ["/api/issue/-1/metadata", {}],
    ] as const) {
      expect((await keeper.post(path, body)).status, path).toBe(404);
    }
  });
});

describe("series that are hidden from the person who matches", () => {
  async function serveWithHidden() {
    const served = await serve();
    const admin = served.host.as("admin");
    await admin.post("/api/roles", { name: "keeper", permissions: ["library.view", "library.manage"] });
    served.provider.add(volume(5001, "Moth Patrol", 6));
    const hidden = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    expect((await admin.post("/api/cv/match", { seriesId: hidden })).body).toMatchObject({ matched: true });
    await admin.post(`/api/collection/${hidden}/restricted`, { restricted: true });
    const open = await served.place({ name: "Mottenstreife", year: 2019, numbers: ["2"] });
    return Object.assign(served, { hidden, open, keeper: served.host.as("keeper") });
  }

  it("are not merged with, and their ids are not told", async () => {
    await using served = await serveWithHidden();
    const { keeper, hidden, open } = served;
    for (const [path, body] of [
      ["/api/cv/match", { seriesId: open, providerId: 5001 }],
      [`/api/collection/${open}/cv`, { providerId: 5001 }],
      ["/api/collection/add-cv", { providerId: 5001 }],
    ] as const) {
      const answer = await keeper.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, "collection/volume-not-found"]);
      expect(answer.body.details, path).toEqual({ cvId: 5001 });
    }
    const admin = served.host.as("admin");
    expect((await keeper.get(`/api/collection/${open}`)).body).toMatchObject({ owned: 1, cvId: null });
    expect((await admin.get(`/api/collection/${hidden}`)).body).toMatchObject({ owned: 1, cvId: 5001 });
    expect((await admin.post("/api/cv/match", { seriesId: open, providerId: 5001 })).body).toMatchObject({
      seriesId: hidden,
    });
    expect((await keeper.get(`/api/collection/${open}`)).status).toBe(404);
  });

  it("decide nothing by their evidence: the answer is as for a volume that is not certain", async () => {
    await using served = await serveWithHidden();
    const open = await served.place({ name: "Scans", numbers: ["3"], cvIssueIds: [5001003] });
    const { status, body } = await served.keeper.post("/api/cv/match", { seriesId: open });
    expect([status, body]).toMatchObject([200, { matched: false, seriesId: open, cvId: null, reasons: [] }]);
    expect(JSON.stringify(body)).not.toContain(`"seriesId":${served.hidden}`);
  });

  it("keep what they hold when another series becomes the volume of one of their issues", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 3));
    const hidden = await served.place({ name: "Night Scans", numbers: ["2"], cvIssueIds: [5001002] });
    await served.host.as("admin").post(`/api/collection/${hidden}/restricted`, { restricted: true });
    const open = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    await served.host.as("trusted").post("/api/cv/match", { seriesId: open, providerId: 5001 });
    const shown = (await served.host.as("viewer").get(`/api/collection/${open}`)).body;
    expect(shown).toMatchObject({ cvId: 5001, owned: 1 });
    expect(shown.issues.map((issue: { number: string }) => issue.number)).toEqual(["1", "3"]);
    expect((await served.host.as("admin").get(`/api/collection/${hidden}`)).body).toMatchObject({ owned: 1 });
  });

  it("are not named by the state of the sync", async () => {
    await using served = await serveWithHidden();
    const admin = served.host.as("admin");
    const other = await served.place({ name: "Secret Lantern", numbers: ["1"] });
    await admin.post(`/api/collection/${other}/restricted`, { restricted: true });
    await admin.post("/api/cv/sync", {});
    const state = async () => (await admin.get("/api/cv")).body;
    await expect.poll(async () => (await state()).finishedAt, { timeout: 30_000 }).toBeDefined();
    await admin.post("/api/roles", { name: "worker", permissions: ["library.view", "library.manage", "system.jobs"] });
    expect((await admin.get("/api/jobs")).body[0].message).toBeDefined();
    for (const person of ["viewer", "worker"])
      expect((await served.host.as(person).get("/api/cv")).body).not.toHaveProperty("message");
    expect((await served.host.as("worker").get("/api/jobs")).body[0]).not.toHaveProperty("message");
  });
});

describe("evidence", () => {
  const owned = (number: string, change: object = {}) => ({
    issueId: Number.parseInt(number, 10),
    number,
    kind: "issue" as const,
    title: undefined,
    year: undefined,
    ...change,
  });
  const series = (change: object) => ({
    seriesId: 1,
    type: "comic",
    cvId: undefined,
    title: "Moth Patrol",
    aliases: [],
    year: 2019,
    publisher: undefined,
    issues: [owned("1")],
    languages: [],
    cvIssueIds: [],
    ...change,
  });
  const summaryOf = (id: number, name: string, startYear: number | undefined, change: object = {}) => ({
    id,
    name,
    startYear,
    issueCount: 6,
    publisher: "Lamplight",
    deck: undefined,
    aliases: [],
    imageUrl: undefined,
    ...change,
  });
  /** A volume of six issues that began with a number. */
  const found = (
    name: string,
    startYear: number | undefined,
    { from = 1, ...change }: Record<string, unknown> = {},
  ) => ({
    summary: summaryOf(1, name, startYear, change),
    listed: {
      issues: Array.from({ length: 6 }, (_, at) => ({
        cvIssueId: at + 1,
        number: String(Number(from) + at),
        title: `Part ${at + 1}`,
        coverDate: startYear === undefined ? undefined : `${startYear}-0${at + 1}-01`,
      })),
    },
  });
  const isCertain = (own: ReturnType<typeof series>, theirs: ReturnType<typeof found>) =>
    findCertain([{ judgement: judge(own, theirs) }]) !== undefined;

  it.each([
    ["another year", series({}), found("Moth Patrol", 2018)],
    ["no year", series({ year: undefined }), found("Moth Patrol", 2019)],
    ["another title", series({}), found("Moth Patrol Annual", 2019)],
    ["numbers that it does not have", series({ issues: [owned("12")] }), found("Moth Patrol", 2019)],
    ["another publisher", series({ publisher: "Candela" }), found("Moth Patrol", 2019)],
    ["another language", series({ languages: ["en"] }), found("Moth Patrol", 2019, { deck: "German translation." })],
    ["a language that it does not tell", series({ languages: ["de"] }), found("Moth Patrol", 2019)],
    ["issues of other years", series({ issues: [owned("2", { year: 2022 })] }), found("Moth Patrol", 2019)],
    ["collected editions", series({ issues: [owned("TPB 1", { kind: "collected" })] }), found("Moth Patrol", 2019)],
    ["nothing but annuals", series({ issues: [owned("Annual 1", { kind: "annual" })] }), found("Moth Patrol", 2019)],
  ])("leaves a doubt with %s", (_, own, theirs) => expect(isCertain(own, theirs)).toBe(false));

  it.each([
    ["the same year", series({}), found("Moth Patrol", 2019)],
    ["a legacy numbering", series({ issues: [owned("702")] }), found("Moth Patrol", 2019, { from: 700 })],
    ["an imprint", series({ publisher: "Vertigo" }), found("Moth Patrol", 2019, { publisher: "DC Comics" })],
    [
      "titles of issues",
      series({ year: undefined, issues: [owned("2", { title: "part 2" }), owned("3", { title: "Part 3" })] }),
      found("Moth Patrol", 2019),
    ],
    [
      "the language of a translation",
      series({ languages: ["de"] }),
      found("Moth Patrol", 2019, { deck: "German translation of Moth Patrol." }),
    ],
    [
      "the volume of annuals",
      series({ issues: [owned("Annual 1", { kind: "annual" })] }),
      found("Moth Patrol Annual", 2019),
    ],
  ])("is certain with %s", (_, own, theirs) => expect(isCertain(own, theirs)).toBe(true));

  it("is never certain of a wrong volume while the right one is among the results", () => {
    const name = fc.constantFrom("Moth Patrol", "The Moth Patrol", "Moth Patrol Annual", "Moth & Candle", "Moths");
    const universe = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 50 }),
        name,
        year: fc.integer({ min: 2017, max: 2020 }),
        count: fc.integer({ min: 1, max: 60 }),
      }),
      { selector: (entry) => entry.id, minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(universe, fc.nat(), fc.boolean(), fc.boolean(), (volumes, chosen, knowsYear, saysThe) => {
        const truth = volumes[chosen % volumes.length] as (typeof volumes)[number];
        const title = saysThe ? `The ${truth.name.replace(/^The /, "")}` : truth.name;
        const issues = [owned(String(truth.count))];
        const own = series({ title, year: knowsYear ? truth.year : undefined, issues });
        const candidates = volumes.map((entry) => {
          const listed = Array.from({ length: entry.count }, (_, at) => ({ cvIssueId: at, number: String(at + 1) }));
          const summary = summaryOf(entry.id, entry.name, entry.year, { issueCount: entry.count });
          return { id: entry.id, judgement: judge(own, { summary, listed: { issues: listed } }) };
        });
        const certain = findCertain(candidates);
        expect(certain === undefined || certain.id === truth.id).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["5001", 5001],
    ["4050-5001", 5001],
    ["cv:5001", 5001],
    ["cv-5001", 5001],
    ["CV 5001", 5001],
    ["2000 AD", undefined],
    ["https://x.example/a/4050-5001/?b", 5001],
    ["4000-5001", undefined],
    ["0", undefined],
    ["", undefined],
    ["99999999999999", undefined],
  ])("reads the volume id %j as %j", (written, id) => expect(readProviderId(written, "volume")).toBe(id));
});

describe("pointing, refreshing and syncing", () => {
  it("points a series elsewhere and drops hand assignments", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 3), volume(6001, "Moth Patrol Deluxe", 3));
    const seriesId = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1", "2"] });
    const trusted = served.host.as("trusted");
    await trusted.post("/api/cv/match", { seriesId, providerId: 5001 });
    await trusted.post(`/api/collection/${seriesId}/assign-file`, {
      path: "/library/Moth Patrol (2019)/1.cbz",
      cvIssueId: 5001003,
    });
    const owned = async () =>
      (await trusted.get(`/api/collection/${seriesId}`)).body.issues
        .filter((issue: { owned: boolean }) => issue.owned)
        .map((issue: { cvIssueId: number }) => issue.cvIssueId);
    expect(await owned()).toEqual([5001002, 5001003]);
    await trusted.post(`/api/collection/${seriesId}/metadata`);
    expect(await owned()).toEqual([5001002, 5001003]);
    expect((await trusted.post(`/api/collection/${seriesId}/cv`, { providerId: 6001 })).body).toEqual({
      seriesId,
      cvId: 6001,
    });
    expect(await owned()).toEqual([6001001, 6001002]);
    expect((await trusted.post(`/api/collection/${seriesId}/cv`, {})).body.details).toHaveProperty("providerId");
    expect((await trusted.post(`/api/collection/${seriesId}/cv`, { providerId: 404 })).status).toBe(404);
  });

  it("describes an issue whole, and finds its series by the creators", async () => {
    await using served = await serve();
    const detail = {
      name: "Lamp Oil",
      description: "<p>Dark.</p><script>x</script>",
      person_credits: [{ name: "Ada Quill", role: "writer, cover" }],
      character_credits: [{ name: "Mo" }],
      team_credits: [],
      location_credits: [{ name: "Port" }],
      story_arc_credits: [{ name: "Dusk" }],
      cover_date: "2019-05-01",
    };
    served.provider.add(volume(5001, "Moth Patrol", { count: 0, issues: [{ id: 901, issue_number: "1", ...detail }] }));
    const trusted = served.host.as("trusted");
    const seriesId = await served.place({ name: "Moth Patrol", numbers: ["1"] });
    const issueId = (await trusted.get(`/api/collection/${seriesId}`)).body.issues[0].cvIssueId;
    expect((await trusted.post(`/api/issue/${issueId}/metadata`)).status).toBe(409);
    expect((await trusted.post(`/api/collection/${seriesId}/metadata`)).status).toBe(409);
    await trusted.post("/api/cv/match", { seriesId, providerId: 5001 });
    expect((await trusted.post(`/api/issue/${issueId}/metadata`)).body).toEqual({ cvIssueId: 901, refreshed: true });
    expect((await trusted.get("/api/issue/901")).body).toMatchObject({
      title: "Lamp Oil",
      description: "<p>Dark.</p>",
      coverDate: "2019-05-01",
      credits: [
        { name: "Ada Quill", role: "writer" },
        { name: "Ada Quill", role: "cover" },
      ],
      characters: ["Mo"],
      locations: ["Port"],
      arcs: ["Dusk"],
    });
    expect((await trusted.get("/api/collection?search=quill")).body).toHaveLength(1);
    expect((await trusted.post(`/api/collection/${seriesId}/refresh`)).body).toEqual({
      seriesId,
      cvId: 5001,
      refreshed: true,
    });
  });

  it("syncs in the background: matches what is certain, refreshes what the files matched, and tells how far it is", async () => {
    await using served = await serve();
    served.provider.add(
      volume(5001, "Moth Patrol", 6),
      volume(6001, "Candle", 4),
      volume(7001, "Wick", 3),
      volume(7002, "Wick", 3),
    );
    const [moth, candle, wick] = [
      await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] }),
      await served.place({ name: "Kerze", numbers: ["1"], cvId: 6001 }),
      await served.place({ name: "Wick", year: 2019, numbers: ["1"] }),
    ];
    const domains = await served.host.domains("viewer");
    const trusted = served.host.as("trusted");
    expect((await trusted.get("/api/cv")).body).toEqual({
      running: false,
      done: 0,
      total: 0,
      matched: 0,
      refreshed: 0,
      waiting: 0,
    });
    expect((await trusted.post("/api/cv/sync")).body).toEqual({ started: true, jobId: expect.any(Number) });
    await domains.until("cv");
    await expect.poll(async () => (await trusted.get("/api/cv")).body.running, { timeout: 60_000 }).toBe(false);
    expect((await trusted.get("/api/cv")).body).toMatchObject({
      running: false,
      done: 3,
      total: 3,
      matched: 1,
      refreshed: 1,
      waiting: 1,
      startedAt: expect.any(String),
    });
    const rows = (await trusted.get("/api/collection")).body as Array<{
      id: number;
      cvId: number | null;
      total: number;
      title: string;
    }>;
    expect(Object.fromEntries(rows.map((row) => [row.id, [row.cvId, row.total, row.title]]))).toEqual({
      [moth]: [5001, 6, "Moth Patrol"],
      [candle]: [6001, 4, "Candle"],
      [wick]: [null, 1, "Wick"],
    });
    const asked = served.provider.asked.length;
    await trusted.post("/api/cv/sync");
    await expect
      .poll(
        async () =>
          (await trusted.get("/api/cv")).body.finishedAt !== undefined && !(await trusted.get("/api/cv")).body.running,
        { timeout: 60_000 },
      )
      .toBe(true);
    expect(served.provider.asked).toHaveLength(asked);
    await domains.release();
  });

  it("syncs as a tool and by its schedule, each as a job that says what came of it", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 6));
    const moth = await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    const admin = served.host.as("admin");
    const ended = async (path: string) => {
      const { jobId } = (await admin.post(path)).body;
      await expect
        .poll(async () => (await admin.get(`/api/jobs/${jobId}`)).body.endedAt, { timeout: 60_000 })
        .toBeDefined();
      return (await admin.get(`/api/jobs/${jobId}`)).body;
    };
    expect(await ended("/api/tools/fetch-metadata")).toMatchObject({
      state: "done",
      message: "1 matched, 0 refreshed, 0 waiting for a person",
    });
    expect((await admin.get(`/api/collection/${moth}`)).body).toMatchObject({ cvId: 5001 });
    expect(await ended("/api/schedules/metadata.sync/run")).toMatchObject({
      state: "done",
      message: "0 matched, 0 refreshed, 0 waiting for a person",
    });
  });

  it("syncs as a job that can be cancelled, and is taken up after a restart", async () => {
    await using served = await serve({ storage: "sqlite" });
    served.provider.add(...Array.from({ length: 3 }, (_, index) => volume(5001 + index, `Moth ${index}`, 6)));
    for (let index = 0; index < 3; index += 1)
      await served.place({ name: `Moth ${index}`, year: 2019, numbers: ["1"] });
    // The provider keeps what it is asked waiting.
    served.provider.always(() => undefined);
    const admin = served.host.as("admin");
    const state = async (id: number) => (await admin.get(`/api/jobs/${id}`)).body.state;
    const { jobId } = (await admin.post("/api/cv/sync")).body;
    await expect.poll(() => served.provider.asked.length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await admin.post("/api/cv/match", {})).toMatchObject({
      status: 409,
      body: { code: "metadata/sync-running" },
    });
    await admin.post(`/api/jobs/${jobId}/cancel`);
    await expect.poll(() => state(jobId), { timeout: 60_000 }).toBe("cancelled");
    const again = (await admin.post("/api/cv/sync")).body.jobId;
    await expect.poll(() => state(again), { timeout: 60_000 }).toBe("running");
    served.provider.always(undefined);
    await served.host.restart();
    await expect.poll(() => state(again), { timeout: 60_000 }).toBe("done");
    expect((await admin.get(`/api/jobs/${again}`)).body).toMatchObject({
      message: "3 matched, 0 refreshed, 0 waiting for a person",
      done: 3,
      total: 3,
    });
  });

  it("ends a sync with the reason when the provider keeps failing", async () => {
    await using served = await serve();
    await served.place({ name: "Moth Patrol", year: 2019, numbers: ["1"] });
    served.provider.always(trouble.status(429, { "retry-after": "3600" }));
    const trusted = served.host.as("trusted");
    await trusted.post("/api/cv/sync");
    await expect
      .poll(async () => (await trusted.get("/api/cv")).body.error, { timeout: 60_000 })
      .toContain("fewer requests");
    expect(await catalogOf(served.host).countMatched(["comic", "manga"])).toMatchObject({
      matchedSeries: 0,
      unmatchedSeries: 1,
      unmatchedFiles: 1,
    });
  });
});
