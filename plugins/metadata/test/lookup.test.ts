import { afterEach, describe, expect, it, vi } from "vitest";
import { definePlugin } from "@longbox/sdk";
import { Metadata, MetadataSources, type MetadataSource } from "@longbox/metadata/contract";
import { serve, volume } from "./support/server.js";
import { trouble } from "./support/provider.js";

/** The longest text that is parsed as JSON on the main thread from now on: the server runs in this process. */
function watchParsing(): () => number {
  let longest = 0;
  const original = JSON.parse;
  vi.spyOn(JSON, "parse").mockImplementation((text: string, ...rest) => {
    longest = Math.max(longest, text.length);
    return original(text, ...rest) as unknown;
  });
  return () => longest;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("asking the provider", () => {
  it("shows volumes with what the library has of them, and finds one by its id or address", async () => {
    await using served = await serve();
    served.provider.add(
      volume(5001, "Moth Patrol", { count: 3, aliases: "Patrulha Mariposa\r\nMP" }),
      volume(5002, "Moth Candle", { count: 0, start_year: "20??", publisher: null }),
    );
    const trusted = served.host.as("trusted");
    const added = await trusted.post("/api/collection/add-cv", { providerId: 5001 });
    expect(added).toMatchObject({ status: 200, body: { cvId: 5001, queued: 0 } });
    const { body } = await trusted.get("/api/cv/search?q=moth");
    expect(body).toEqual([
      {
        id: 5001,
        name: "Moth Patrol",
        publisher: "Lamplight",
        startYear: 2019,
        issueCount: 3,
        image: "/api/cv/volume/5001/cover",
        deck: null,
        aliases: ["Patrulha Mariposa", "MP"],
        inLibrary: true,
        seriesId: added.body.seriesId,
      },
      {
        id: 5002,
        name: "Moth Candle",
        publisher: null,
        startYear: null,
        issueCount: 0,
        image: "/api/cv/volume/5002/cover",
        deck: null,
        aliases: [],
        inLibrary: false,
      },
    ]);
    for (const q of ["cv:5002", "4050-5002", "https://comicvine.example/moth-candle/4050-5002/"]) {
      expect(
        (await trusted.get(`/api/cv/search?q=${encodeURIComponent(q)}`)).body.map((row: { id: number }) => row.id),
        q,
      ).toEqual([5002]);
    }
    expect((await trusted.get("/api/cv/search")).body.details).toHaveProperty("q");
    expect([...served.provider.agents]).toEqual(["Longbox/1.0 (self-hosted library)"]);
  });

  it("reads a volume whole, page after page, and cleans what strangers wrote", async () => {
    await using served = await serve();
    const description = `<p onclick="steal()">Moths on <a href="javascript:x">patrol</a>.</p><script>steal()</script><img src=x onerror=steal()>`;
    served.provider.add(volume(5001, "Moth <b>Patrol</b>", { count: 250, description }));
    const { body } = await served.host.as("viewer").get("/api/cv/volume/5001");
    expect(body).toMatchObject({
      id: 5001,
      name: "Moth Patrol",
      description: "<p>Moths on patrol.</p>",
      status: "ended",
      inLibrary: false,
    });
    expect(body.issues).toHaveLength(250);
    expect(body.issues[249]).toEqual({
      id: 5001250,
      number: "250",
      name: null,
      coverDate: "2019-10-01",
      storeDate: null,
    });
    expect((await served.host.as("viewer").get("/api/cv/volume/77")).status).toBe(404);
    expect((await served.host.as("viewer").get("/api/cv/volume/nonsense")).status).toBe(400);
  });

  it("reads the markup of thousands of texts in a thread, not where requests are answered", async () => {
    await using served = await serve();
    const name = `${"<i>&amp;<b>".repeat(180)}Night`;
    const issues = Array.from({ length: 2_000 }, (_, index) => ({ id: index + 1, issue_number: `${index + 1}`, name }));
    served.provider.add(volume(5001, "Moth Patrol", { count: 0, issues }));
    const trusted = served.host.as("trusted");
    await trusted.get("/api/cv/volume/5001");
    // From here on the provider, which runs in this process, is not asked: the answer is kept.
    const [thread, process_] = [process.threadCpuUsage(), process.cpuUsage()];
    const { body } = await trusted.get("/api/cv/volume/5001");
    const [here, everywhere] = [process.threadCpuUsage(thread).user, process.cpuUsage(process_).user];
    expect(body.issues).toHaveLength(2_000);
    expect(body.issues[1_999].name).toBe(`${"&".repeat(180)}Night`);
    expect(here / everywhere).toBeLessThan(0.5);
  });

  it("never asks the same twice, not even at once", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 3));
    const reader = served.host.as("trusted");
    await Promise.all(Array.from({ length: 5 }, () => reader.get("/api/cv/volume/5001")));
    await served.host.restart();
    await reader.get("/api/cv/volume/5001");
    expect(served.provider.asked).toHaveLength(2);
    const { seriesId } = (await served.host.as("trusted").post("/api/collection/add-cv", { providerId: 5001 })).body;
    expect(served.provider.asked).toHaveLength(2);
    await served.host.as("trusted").post(`/api/collection/${seriesId}/metadata`);
    expect(served.provider.asked).toHaveLength(4);
  });

  it("asks about a hundred issues at once", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 150));
    const ids = Array.from({ length: 150 }, (_, index) => 5_001_001 + index);
    const found = await served.host.use(Metadata).listIssues([...ids, 404], { urgency: "person" });
    expect(found).toHaveLength(150);
    expect(found[0]).toMatchObject({
      cvIssueId: 5_001_001,
      volumeId: 5001,
      volumeName: "Moth Patrol",
      number: "1",
      coverDate: "2019-01-01",
    });
    expect(served.provider.asked).toHaveLength(2);
  });

  it("asks the source that the settings name, also one that another plugin brings", async () => {
    const other: MetadataSource = {
      id: "other",
      label: "Other",
      libraryTypes: ["comic", "manga"],
      searchVolumes: async (query) => [
        {
          id: 1,
          name: query.toUpperCase(),
          publisher: undefined,
          startYear: undefined,
          issueCount: 0,
          deck: undefined,
          aliases: [],
          imageUrl: undefined,
        },
      ],
      findVolume: async () => undefined,
      findIssue: async () => undefined,
      searchArcs: async () => [],
      findArc: async () => undefined,
      listReleases: async () => [],
      test: async () => ({ ok: true, registered: true, message: "Here." }),
      countKept: async () => 7,
    };
    const bringing = {
      manifest: {
        id: "other",
        title: "Other",
        description: "",
        sdk: "^1.0.0",
        contributes: { metadataSources: "^1.0.0" },
      },
      plugin: definePlugin({ activate: (_, context) => void context.contribute(MetadataSources, other) }),
    };
    await using served = await serve({ plugins: [bringing, "stats"], metadata: { source: "other" } });
    const admin = served.host.as("admin");
    expect((await admin.get("/api/cv/search?q=moth")).body).toMatchObject([{ id: 1, name: "MOTH", image: null }]);
    expect((await admin.get("/api/cv/volume/9")).status).toBe(404);
    expect((await admin.post("/api/metadata/test")).body).toEqual({ ok: true, registered: true, message: "Here." });
    expect((await admin.get("/api/stats")).body.comicvine).toMatchObject({ source: "other", cached: 7 });
    await served.host.disable("other");
    expect(await admin.get("/api/cv/search?q=moth")).toMatchObject({
      status: 503,
      body: { code: "metadata/no-such-source" },
    });
    expect((await admin.post("/api/metadata/test")).body).toMatchObject({ ok: false, registered: false });
  });

  it("lists volumes a hundred at a time, and asks again only for what was not answered since work began", async () => {
    await using served = await serve();
    const ids = Array.from({ length: 120 }, (_, index) => index + 1);
    served.provider.add(
      ...ids.map((id) => volume(id, `Volume ${id}`, { count: 1, publisher: id % 2 ? "Lamplight" : null })),
    );
    const metadata = served.host.use(Metadata);
    const began = Date.now();
    const found = await metadata.listVolumes([...ids, 999, 1], { urgency: "background" });
    expect(found).toHaveLength(120);
    expect(found[0]).toMatchObject({ id: 1, name: "Volume 1", publisher: "Lamplight", startYear: 2019 });
    expect(found[1]?.publisher).toBeUndefined();
    const asked = served.provider.asked.length;
    expect(asked).toBe(2);
    await metadata.listVolumes([1, ...ids, 999], { urgency: "background", since: began });
    expect(served.provider.asked).toHaveLength(asked);
    const later = Date.now() + 60_000;
    await metadata.listVolumes([...ids, 999], { urgency: "background", since: later });
    expect(served.provider.asked).toHaveLength(asked + 2);
    served.provider.always(trouble.status(500));
    await expect(metadata.listVolumes([1, 2], { urgency: "person", since: later })).rejects.toMatchObject({
      code: "metadata/provider-failed",
    });
  });

  it("finds story arcs and releases", async () => {
    await using served = await serve();
    served.provider.add(
      volume(5001, "Moth Patrol", {
        count: 1,
        issues: [
          { id: 9, issue_number: "1", store_date: "2026-11-18" },
          { id: 10, issue_number: "2", store_date: "2026-12-18" },
        ],
      }),
    );
    served.provider.arcs.set(77, { id: 77, name: "Dusk", issues: [{ id: 9, name: "Night" }] });
    const viewer = served.host.as("viewer");
    expect((await viewer.get("/api/cv/arcs?q=dusk")).body).toEqual([
      { id: 77, name: "Dusk", publisher: null, deck: null, image: null },
    ]);
    expect((await viewer.get("/api/cv/arcs/77")).body.issues).toEqual([{ cvIssueId: 9, name: "Night" }]);
    const releases = await served.host
      .use(Metadata)
      .listReleases({ from: "2026-11-16", to: "2026-11-22" }, { urgency: "background" });
    expect(releases).toMatchObject([
      { cvIssueId: 9, volumeId: 5001, volumeName: "Moth Patrol", number: "1", storeDate: "2026-11-18" },
    ]);
  });

  it("fetches covers itself, once, and only those that the provider named", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 2));
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
      "base64",
    );
    served.provider.images.set("/images/v5001.png", png);
    served.provider.images.set("/images/i5001001.png", png);
    const viewer = served.host.as("viewer");
    expect((await viewer.get("/api/cv/volume/5009/cover")).status).toBe(404);
    const { seriesId } = (await served.host.as("trusted").post("/api/collection/add-cv", { providerId: 5001 })).body;
    for (const path of [
      "/api/cv/volume/5001/cover",
      "/api/cv/volume/5001/cover",
      `/api/collection/${seriesId}/cover`,
      "/api/issue/5001001/cover",
    ]) {
      const answer = await viewer.get(path);
      expect([answer.status, answer.headers.get("content-type"), Buffer.compare(answer.bytes, png)], path).toEqual([
        200,
        "image/png",
        0,
      ]);
    }
    expect(served.provider.asked.filter((path) => path.startsWith("/images/"))).toEqual([
      "/images/v5001.png",
      "/images/i5001001.png",
    ]);
    expect((await viewer.get("/api/issue/5001002/cover")).status).toBe(502);
  });
});

describe("a provider that stumbles", () => {
  it.each([
    ["an error", trouble.status(500)],
    ["a page for people", trouble.html],
    ["a rate limit", trouble.code(107, "Rate limit exceeded")],
    ["a closed connection", trouble.hangUp],
    ["too many requests", trouble.status(420)],
  ])("is asked again after %s", async (_, answer) => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 1));
    served.provider.next(answer);
    expect((await served.host.as("viewer").get("/api/cv/search?q=moth")).body).toHaveLength(1);
    expect(served.provider.asked).toHaveLength(2);
  });

  it("holds nothing up with answers of five megabytes, and none that are made to hold up are read", async () => {
    await using served = await serve();
    const longest = watchParsing();
    const description = `<p>${"Moths on patrol. ".repeat(300_000)}</p>`;
    served.provider.add(volume(5001, "Moth Patrol", { count: 2, description }));
    const viewer = served.host.as("viewer");
    const healthy: number[] = [];
    const asking = [1, 2].map(() => viewer.get("/api/cv/volume/5001"));
    while (healthy.length < 5) healthy.push((await viewer.get("/healthz")).status);
    for (const { status, body } of await Promise.all(asking))
      expect([status, body.description.slice(0, 12), body.description.length < 50_000]).toEqual([
        200,
        "<p>Moths on ",
        true,
      ]);
    // What was kept of it is read no other way.
    expect((await viewer.get("/api/cv/volume/5001")).status).toBe(200);
    for (const document of [`{"results":${"[".repeat(2_500_000)}`, `{"results":[${"0,".repeat(2_500_000)}0]}`]) {
      served.provider.next((response) => response.end(document));
      expect(await viewer.get(`/api/cv/search?q=${document.length}`)).toMatchObject({
        status: 502,
        body: { code: "metadata/provider-failed" },
      });
    }
    expect(new Set(healthy)).toEqual(new Set([200]));
    expect(longest()).toBeLessThanOrEqual(64 * 1024);
  });

  it("is a 502 with a code, and its key is never shown", async () => {
    await using served = await serve({ metadata: { apiKey: "wrong-key" } });
    const viewer = served.host.as("viewer");
    const refused = await viewer.get("/api/cv/search?q=moth");
    expect(refused).toMatchObject({ status: 502, body: { code: "metadata/key-refused" } });
    expect(served.provider.asked).toHaveLength(1);
    served.provider.always(trouble.status(429, { "retry-after": "120" }));
    const limited = await viewer.get("/api/cv/search?q=candle");
    expect([limited.status, limited.headers.get("retry-after"), served.provider.asked.length]).toEqual([502, "120", 2]);
    expect(JSON.stringify([refused.body, limited.body])).not.toContain("wrong-key");
    served.provider.always(trouble.code(104, "Filter Error"));
    expect((await viewer.get("/api/cv/search?q=wick")).status).toBe(502);
    await served.host.as("admin").post("/api/settings", { metadata: { apiKey: "" } });
    expect(await viewer.get("/api/cv/search?q=lamp")).toMatchObject({
      status: 502,
      body: { code: "metadata/key-refused" },
    });
  });

  it("is named by the health checks until it answers again", async () => {
    await using served = await serve();
    const admin = served.host.as("admin");
    const finding = async () => {
      const { body } = await admin.get("/api/health/checks");
      return (body.checks ?? body).find((check: { id: string }) => check.id === "metadata-provider");
    };
    expect(await finding()).toMatchObject({ level: "ok" });
    served.provider.next(trouble.code(100, "Invalid API Key"));
    expect((await admin.get("/api/cv/search?q=moth")).status).toBe(502);
    expect(await finding()).toMatchObject({ level: "warning", advice: expect.stringContaining("refuses the key") });
    expect((await admin.get("/api/cv/search?q=moth")).status).toBe(200);
    expect(await finding()).toMatchObject({ level: "ok" });
    expect((await admin.get("/api/status")).body.crawl).toEqual({ running: false });
    await admin.post("/api/settings", { metadata: { apiKey: "" } });
    expect(await finding()).toMatchObject({
      level: "warning",
      advice: expect.stringContaining("There is no key"),
      link: { path: "/settings#metadata" },
    });
  });

  it("is left alone for a while after five failures, and kept answers still serve", async () => {
    await using served = await serve();
    served.provider.add(volume(5001, "Moth Patrol", 1));
    const viewer = served.host.as("viewer");
    expect((await viewer.get("/api/cv/search?q=moth")).status).toBe(200);
    served.provider.always(trouble.status(503));
    expect((await viewer.get("/api/cv/search?q=one")).status).toBe(502);
    expect((await viewer.get("/api/cv/search?q=two")).status).toBe(502);
    const askedBefore = served.provider.asked.length;
    const left = await viewer.get("/api/cv/search?q=three");
    expect([left.status, Number(left.headers.get("retry-after")) > 0, served.provider.asked.length]).toEqual([
      502,
      true,
      askedBefore,
    ]);
    expect((await viewer.get("/api/cv/search?q=moth")).body).toHaveLength(1);
    served.provider.always(undefined);
    await served.host.as("admin").post("/api/settings", { metadata: { baseUrl: `${served.provider.origin}/api/` } });
    expect((await viewer.get("/api/cv/search?q=three")).status).toBe(200);
  });

  it("is not asked beyond its hourly budget, of which people keep a share", async () => {
    await using served = await serve({ metadata: { requestsPerHour: 5 } });
    served.provider.add(volume(5001, "Moth Patrol", 1));
    const metadata = served.host.use(Metadata);
    for (const word of ["a", "b", "c", "d"]) await metadata.searchVolumes(word, { urgency: "background" });
    await expect(metadata.searchVolumes("e", { urgency: "background" })).rejects.toMatchObject({
      code: "metadata/budget-spent",
      kind: "upstream",
    });
    const viewer = served.host.as("viewer");
    expect((await viewer.get("/api/cv/search?q=f")).status).toBe(200);
    const spent = await viewer.get("/api/cv/search?q=g");
    expect([spent.status, spent.body.code, Number(spent.headers.get("retry-after")) > 3500]).toEqual([
      502,
      "metadata/budget-spent",
      true,
    ]);
    expect((await viewer.get("/api/cv/volume/5001")).status).toBe(200);
  });
});

describe("connection tests", () => {
  it("answer 200 whatever is wrong, also for values that are not saved yet", async () => {
    await using served = await serve({ metadata: { apiKey: "" } });
    const admin = served.host.as("admin");
    expect((await admin.post("/api/metadata/test")).body).toEqual({
      ok: false,
      registered: false,
      message: "No key is configured.",
    });
    expect((await admin.post("/api/cv/test", { apiKey: "wrong" })).body).toEqual({
      ok: false,
      message: "The provider refuses the key.",
    });
    expect((await admin.post("/api/cv/test", { apiKey: served.provider.key })).body).toEqual({
      ok: true,
      message: "ComicVine answers.",
    });
    expect((await admin.post("/api/cv/test", { baseUrl: "http://127.0.0.1:9/api", apiKey: "k" })).body).toMatchObject({
      ok: false,
    });
    expect((await served.host.as("trusted").post("/api/cv/test")).status).toBe(403);
  });

  it("register the server at a hosted source once, and prove the key with a search", async () => {
    await using served = await serve({ metadata: { source: "hosted", apiKey: "" } });
    const admin = served.host.as("admin");
    served.provider.next(trouble.status(500));
    expect((await admin.post("/api/metadata/test")).body).toMatchObject({ ok: false, registered: false });
    expect((await admin.post("/api/metadata/test")).body).toEqual({
      ok: true,
      registered: true,
      message: "The hosted source answers.",
    });
    expect((await admin.post("/api/metadata/test")).body.ok).toBe(true);
    expect(served.provider.registrations).toBe(1);
    expect((await served.host.as("viewer").get("/api/cv/search?q=moth")).status).toBe(200);
  });
});
