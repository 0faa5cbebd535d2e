import { IssueGetters } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { trouble } from "../../metadata/test/support/provider.js";
import { coming, inDays, openReleaseDesk, place, today } from "./support/release-desk.js";

describe("releases", () => {
  it("are this week's, matched to the collection and to what the viewer follows", async () => {
    await using desk = await openReleaseDesk();
    const viewer = desk.host.as("viewer");
    const empty = (await viewer.get("/api/releases")).body;
    expect(empty).toMatchObject({
      week: expect.stringMatching(/^\d{4}-W\d\d$/),
      month: null,
      checkedAt: null,
      releases: [],
    });
    expect(await desk.check()).toMatchObject({ state: "done" });
    await place(desk.host, { title: "Moth Patrol", cvId: 1, issues: { "5": 105 } });
    const bell = await desk.add(2);
    await desk.host.as("admin").post(`/api/collection/${bell}/wanted`, { cvIssueIds: [203], want: true });
    await viewer.post(`/api/collection/${bell}/follow`, { follow: true });
    await viewer.post("/api/releases/publishers", { publisher: "grim press", follow: true });
    const { body } = await viewer.get("/api/releases");
    expect(body.checkedAt).toMatch(/Z$/);
    const facts = Object.fromEntries(
      body.releases.map((row: Record<string, unknown>) => [
        row["series"],
        ["tracked", "owned", "wanted", "followed", "first", "mine"].filter((name) => row[name] === true).join(" "),
      ]),
    );
    expect(facts).toEqual({
      "Moth Patrol": "tracked owned",
      "Night Bell": "tracked wanted followed mine",
      "Salt Road": "first mine",
      "Hidden House": "",
      Nameless: "",
    });
    expect(body.releases.find(({ cvIssueId }: { cvIssueId: number }) => cvIssueId === 203)).toMatchObject({
      cvId: 2,
      seriesId: bell,
      number: "3",
      title: null,
      publisher: "Grim Press",
      storeDate: today,
      cover: "/api/releases/203/cover",
    });
    // By publisher; those without one come last.
    expect(body.releases.at(-1).series).toBe("Nameless");
    expect(await desk.names("viewer", "?show=mine")).toEqual(["Night Bell #3", "Salt Road #1"]);
    expect(await desk.names("viewer", "?show=owned")).toEqual(["Moth Patrol #5"]);
    expect(await desk.names("viewer", "?show=tracked")).toEqual(["Night Bell #3", "Moth Patrol #5"]);
    expect(await desk.names("viewer", "?show=wanted")).toEqual(["Night Bell #3"]);
    expect(await desk.names("viewer", "?show=first")).toEqual(["Salt Road #1"]);
    expect(await desk.names("viewer", "?publisher=Lamplight&q=patrol")).toEqual(["Moth Patrol #5"]);
    expect(await desk.names("trusted", "?show=mine")).toEqual([]);
    expect((await viewer.get("/api/releases/publishers")).body).toEqual([
      { publisher: "Grim Press", followed: true, releases: 2 },
      { publisher: "Lamplight", followed: false, releases: 2 },
    ]);
  });

  it("lie in weeks and months before and after, and wrong ones are refused by name", async () => {
    const volumes = [
      coming(1, "Moth Patrol", { number: 1 }),
      coming(2, "Later", { number: 1, issues: [{ id: 201, issue_number: "1", store_date: inDays(7) }] }),
    ];
    await using desk = await openReleaseDesk({ volumes });
    await desk.check();
    const viewer = desk.host.as("viewer");
    const { next, week, previous } = (await viewer.get("/api/releases")).body;
    expect(await desk.names("viewer", `?week=${next}`)).toEqual(["Later #1"]);
    expect(await desk.names("viewer", `?week=${inDays(7)}`)).toEqual(["Later #1"]);
    expect(await desk.names("viewer", `?week=${previous}`)).toEqual([]);
    expect((await viewer.get(`/api/releases?week=${next}`)).body.previous).toBe(week);
    const month = (await viewer.get(`/api/releases?month=${today.slice(0, 7)}`)).body;
    expect(month).toMatchObject({
      week: null,
      month: today.slice(0, 7),
      from: `${today.slice(0, 7)}-01`,
      checkedAt: null,
    });
    expect(month.releases.map(({ series }: { series: string }) => series)).toContain("Moth Patrol");
    for (const [query, field] of [
      ["week=2026-W60", "week"],
      ["week=..%2F..", "week"],
      ["month=2026-13", "month"],
      ["month=2026-11&week=2026-W48", "month"],
      ["show=yours", "show"],
    ] as const)
      expect(await viewer.get(`/api/releases?${query}`)).toMatchObject({
        status: 400,
        body: { details: { [field]: expect.any(String) } },
      });
  });

  it("are asked for only by those who manage the library, one check at a time, and a week by its name", async () => {
    await using desk = await openReleaseDesk();
    for (const [role, status] of [
      ["anonymous", 401],
      ["viewer", 403],
    ] as const)
      expect((await desk.host.as(role).post("/api/releases/check", {})).status).toBe(status);
    for (const path of ["/api/releases", "/api/releases/publishers", "/api/releases/calendar-key"])
      expect((await desk.host.as("anonymous").get(path)).status).toBe(401);
    const trusted = desk.host.as("trusted");
    expect((await trusted.post("/api/releases/check", { week: "2026-W99" })).body.details).toHaveProperty("week");
    const week = (await desk.host.as("viewer").get("/api/releases")).body.previous;
    expect(await desk.check(week)).toMatchObject({ state: "done", message: "0 releases in 1 week" });
    expect((await desk.host.as("viewer").get(`/api/releases?week=${week}`)).body.checkedAt).not.toBeNull();
  });

  it("keep what moved, drop what is gone, and survive an answer with nothing in it", async () => {
    await using desk = await openReleaseDesk({
      volumes: [
        coming(1, "Moth Patrol", { number: 5 }),
        coming(2, "Night Bell", { number: 3 }),
        coming(3, "Salt Road", { number: 1 }),
      ],
    });
    await desk.check();
    expect((await desk.names("viewer")).toSorted()).toEqual(["Moth Patrol #5", "Night Bell #3", "Salt Road #1"]);
    desk.provider.volumes.delete(3);
    desk.provider.add(
      coming(1, "Moth Patrol", { number: 5, issues: [{ id: 105, issue_number: "5", store_date: inDays(7) }] }),
    );
    await desk.check();
    expect(await desk.names("viewer")).toEqual(["Night Bell #3"]);
    const { next } = (await desk.host.as("viewer").get("/api/releases")).body;
    expect(await desk.names("viewer", `?week=${next}`)).toEqual(["Moth Patrol #5"]);
    desk.provider.volumes.clear();
    await desk.check();
    expect(await desk.names("viewer")).toEqual(["Night Bell #3"]);
  });

  it("hold no surprises of the provider: no number, no volume, markup, control characters", async () => {
    const wild = "Moth\u0000 <script>alert(1)</script>\r\nBEGIN:VEVENT";
    const issues = [
      { id: 901, issue_number: "", store_date: today, name: `<b>${wild}</b>` },
      { id: 902, issue_number: "9".repeat(400), store_date: today },
      { id: 903, issue_number: "1", store_date: today, volume: null },
      { id: 904, issue_number: "1", store_date: "soon" },
    ];
    await using desk = await openReleaseDesk({ volumes: [coming(9, wild, { number: 1, issues })] });
    expect(await desk.check()).toMatchObject({ state: "done" });
    const { releases } = (await desk.host.as("viewer").get("/api/releases")).body;
    expect(releases.map(({ cvIssueId }: { cvIssueId: number }) => cvIssueId)).toEqual([901, 902]);
    // oxlint-disable-next-line no-control-regex
    for (const { series, title } of releases) expect(`${series}${title}`).not.toMatch(/<script>|[\u0000-\u001f]/);
    expect(releases[0].series).toContain("Moth");
  });
});

describe("a release that is not owned", () => {
  const getter = { queued: [] as number[] };
  const getting = {
    manifest: {
      id: "getting",
      title: "Getting",
      description: "Gets issues in a test",
      sdk: "^1.0.0",
      contributes: { issueGetters: "^1.0.0" },
    },
    plugin: definePlugin({
      activate(_, context) {
        context.contribute(IssueGetters, {
          queue: async (issueIds) => getter.queued.push(...issueIds) && issueIds.length,
          findStates: async () => [],
        });
      },
    }),
  };

  it("is wanted and queued: alone, or with its whole series", async () => {
    getter.queued = [];
    await using desk = await openReleaseDesk({ plugins: [getting] });
    await desk.check();
    const trusted = desk.host.as("admin");
    for (const [role, status] of [
      ["anonymous", 401],
      ["viewer", 403],
    ] as const)
      expect(await desk.host.as(role).post("/api/releases/download", { cvIssueId: 203 })).toMatchObject({ status });
    const { status, body } = await trusted.post("/api/releases/download", { cvIssueId: 203 });
    expect([status, body]).toEqual([200, { seriesId: expect.any(Number), queued: 1 }]);
    expect(getter.queued).toHaveLength(1);
    expect(await desk.names("admin", "?show=wanted")).toEqual(["Night Bell #3"]);
    expect((await trusted.get(`/api/collection/${body.seriesId}`)).body).toMatchObject({ monitor: "none" });
    const whole = await trusted.post("/api/releases/download", { cvIssueId: 105, track: true });
    expect((await trusted.get(`/api/collection/${whole.body.seriesId}`)).body).toMatchObject({ monitor: "all" });
    await place(desk.host, { title: "Night Bell", cvId: 2, issues: { "3": 203 } });
    expect(await trusted.post("/api/releases/download", { cvIssueId: 203 })).toMatchObject({
      status: 409,
      body: { code: "releases/already-owned", seriesId: body.seriesId },
    });
    expect((await trusted.post("/api/releases/download", { cvIssueId: 9999 })).status).toBe(404);
    expect((await trusted.post("/api/releases/download", { cvIssueId: -1 })).body.details).toHaveProperty("cvIssueId");
  });

  it("is wanted where no plugin gets anything, and asked for again where the kept volume does not know it", async () => {
    await using desk = await openReleaseDesk();
    await desk.host.as("trusted").get("/api/cv/volume/2");
    const wish = desk.provider.volumes.get(2)!;
    desk.provider.add({ ...wish, issues: [...wish.issues, { id: 204, issue_number: "4", store_date: today }] });
    await desk.check();
    const { status, body } = await desk.host.as("admin").post("/api/releases/download", { cvIssueId: 204 });
    expect([status, body.queued]).toEqual([200, 0]);
    expect(await desk.names("admin", "?show=wanted")).toEqual(["Night Bell #4"]);
    desk.provider.always(trouble.status(500));
    expect((await desk.host.as("admin").post("/api/releases/download", { cvIssueId: 301 })).status).toBe(502);
  });
});
