import { describe, expect, it } from "vitest";
import { definePlugin } from "@longbox/sdk";
import { SeriesFacets } from "@longbox/collection/contract";
import { openShelf, type Shelf } from "../support/shelf.js";

const titles = (body: Array<{ title: string }>) => body.map((row) => row.title);

async function fill(shelf: Shelf) {
  const credits = [{ name: "Zoë Ångström", role: "writer" }];
  return await shelf.place(
    { series: "The Lamp", year: 1999, ofSeries: { publisher: "Candela" }, ofIssue: { coverDate: "1999-02-01" } },
    { series: "Moth Patrol", number: "12", year: 2019, ofIssue: { credits, coverDate: "2020-01-01" } },
    { series: "Ümlaut & Söhne", number: "2", year: 2005, ofSeries: { rightToLeft: true } },
    { series: "Moth Patrol", number: "112", year: 2019 },
  );
}

describe("GET /api/collection", () => {
  it("finds words as prefixes, without accents, in titles, aliases, publishers and creators, and issues by #number", async () => {
    await using shelf = await openShelf();
    const [lamp] = await fill(shelf);
    await shelf.host
      .as("admin")
      .post(`/api/collection/${lamp?.seriesId}/aliases`, { aliases: ["Lanterne Rouge", " "] });
    const found = async (search: string) =>
      titles((await shelf.host.as("viewer").get(`/api/collection?search=${encodeURIComponent(search)}`)).body);
    expect(await found("umla")).toEqual(["Ümlaut & Söhne"]);
    expect(await found("angstrom zoe")).toEqual(["Moth Patrol"]);
    expect(await found("candel")).toEqual(["The Lamp"]);
    expect(await found("rouge")).toEqual(["The Lamp"]);
    expect(await found("#12")).toEqual(["Moth Patrol"]);
    expect(await found("moth #112")).toEqual(["Moth Patrol"]);
    expect(await found("candela #12")).toEqual([]);
    expect(await found(`"*) OR moth`)).toEqual([]);
    expect(await found("  ")).toHaveLength(3);
  });

  it("sorts titles without their articles, and by year, date and gaps, and pages with a total", async () => {
    await using shelf = await openShelf();
    await fill(shelf);
    const viewer = shelf.host.as("viewer");
    const sorted = async (query: string) => titles((await viewer.get(`/api/collection?${query}`)).body);
    expect(await sorted("")).toEqual(["The Lamp", "Moth Patrol", "Ümlaut & Söhne"]);
    expect(await sorted("sort=-title")).toEqual(["Ümlaut & Söhne", "Moth Patrol", "The Lamp"]);
    expect(await sorted("sort=year")).toEqual(["The Lamp", "Ümlaut & Söhne", "Moth Patrol"]);
    expect(await sorted("sort=-year")).toEqual(["Moth Patrol", "Ümlaut & Söhne", "The Lamp"]);
    expect(await sorted("sort=latest")).toEqual(["Moth Patrol", "The Lamp", "Ümlaut & Söhne"]);
    const page = await viewer.get("/api/collection?limit=1&offset=1");
    expect([titles(page.body), page.headers.get("x-total-count")]).toEqual([["Moth Patrol"], "3"]);
  });

  it("sorts numbers in titles by their value", async () => {
    await using shelf = await openShelf();
    await shelf.place(
      ...["Tide 112", "Tide 28", "Tide 3 1/2", "Tide", "7 Lamps", "Tide 0003"].map((series) => ({ series })),
    );
    const sorted = async (query: string) =>
      titles((await shelf.host.as("viewer").get(`/api/collection?${query}`)).body);
    const expected = ["7 Lamps", "Tide", "Tide 0003", "Tide 3 1/2", "Tide 28", "Tide 112"];
    expect(await sorted("")).toEqual(expected);
    expect(await sorted("sort=-title")).toEqual(expected.toReversed());
    await shelf.place({ series: "Zebra" }, { series: "Ümlaut" }, { series: "Ялта" });
    const letters = (await shelf.host.as("viewer").get("/api/collection/letters")).body;
    const places = [
      ["#", 0],
      ["T", 1],
      ["U", 6],
      ["Z", 7],
      ["…", 8],
    ] as const;
    expect(letters).toEqual(places.map(([letter, offset]) => ({ letter, offset })));
  });

  it("narrows by filter, library type and library, and refuses what it does not know by name", async () => {
    await using shelf = await openShelf();
    const [lamp] = await fill(shelf);
    const viewer = shelf.host.as("viewer");
    await viewer.post(`/api/collection/${lamp?.seriesId}/follow`, { follow: true });
    const narrowed = async (query: string) => titles((await viewer.get(`/api/collection?${query}`)).body);
    expect(await narrowed("filter=followed")).toEqual(["The Lamp"]);
    expect(await narrowed("filter=manga")).toEqual(["Ümlaut & Söhne"]);
    expect(await narrowed("filter=complete")).toHaveLength(3);
    expect(await narrowed("filter=unmatched&publisher=Candela")).toEqual(["The Lamp"]);
    expect(await narrowed(`library=${shelf.libraryId}`)).toHaveLength(3);
    for (const [query, field] of [
      ["filter=nonsense", "filter"],
      ["sort=nonsense", "sort"],
      ["limit=0", "limit"],
      ["library=x", "library"],
      ["facet={}", "facet"],
      ["facet=[", "facet"],
    ]) {
      expect(await viewer.get(`/api/collection?${query}`), query).toMatchObject({
        status: 400,
        body: { details: { [field as string]: expect.any(String) } },
      });
    }
    expect((await viewer.get("/api/collection?library=99")).status).toBe(404);
  });

  it("shows each user what that user follows, at once", async () => {
    await using shelf = await openShelf();
    const [lamp] = await fill(shelf);
    const path = `/api/collection/${lamp?.seriesId}/follow`;
    const [viewer, trusted] = [shelf.host.as("viewer"), shelf.host.as("trusted")];
    const followed = async (client: typeof viewer) => (await client.get("/api/collection")).body[0].followed;
    expect((await viewer.post(path)).body).toEqual({ followed: true });
    expect([await followed(viewer), await followed(trusted)]).toEqual([true, false]);
    expect((await viewer.post(path)).body).toEqual({ followed: false });
    expect((await viewer.post(path, { follow: false })).body).toEqual({ followed: false });
    expect((await viewer.get("/api/collection/counts")).body.followed).toBe(0);
  });

  it("leaves restricted series out before it counts, pages or searches", async () => {
    await using shelf = await openShelf();
    const [lamp] = await fill(shelf);
    const admin = shelf.host.as("admin");
    expect((await admin.post(`/api/collection/${lamp?.seriesId}/restricted`, { restricted: true })).body).toEqual({
      restricted: true,
    });
    const viewer = shelf.host.as("viewer");
    const all = await viewer.get("/api/collection?limit=1");
    expect([titles(all.body), all.headers.get("x-total-count")]).toEqual([["Moth Patrol"], "2"]);
    expect((await viewer.get("/api/collection?search=candela")).body).toEqual([]);
    expect((await viewer.get("/api/series")).body).toHaveLength(2);
    expect((await viewer.get("/api/collection/counts")).body).toMatchObject({ all: 2 });
    for (const path of [
      `/api/collection/${lamp?.seriesId}`,
      `/api/series/${lamp?.seriesId}/issues`,
      `/api/collection/${lamp?.seriesId}/cover`,
      `/api/issue/-${lamp?.issueId}/cover`,
    ]) {
      expect((await viewer.get(path)).status, path).toBe(404);
    }
    expect((await viewer.post(`/api/collection/${lamp?.seriesId}/follow`)).status).toBe(404);
    expect((await admin.get("/api/collection/counts")).body).toMatchObject({ all: 3, unmatched: 3, manga: 1 });
  });

  it("answers 304 until something changes", async () => {
    await using shelf = await openShelf();
    await fill(shelf);
    const viewer = shelf.host.as("viewer");
    const etag = (await viewer.get("/api/collection")).headers.get("etag") as string;
    expect((await viewer.get("/api/collection", { "if-none-match": etag })).status).toBe(304);
    await shelf.place({ series: "Wick" });
    expect((await viewer.get("/api/collection", { "if-none-match": etag })).body).toHaveLength(4);
  });

  it("answers whole and in order however many series there are", async () => {
    await using shelf = await openShelf({ storage: "sqlite" });
    await shelf.place(
      ...Array.from({ length: 2_400 }, (_, index) => ({
        series: `Series ${String((index * 7919) % 2_400).padStart(4, "0")}`,
      })),
    );
    const viewer = shelf.host.as("viewer");
    const whole = await viewer.get("/api/collection");
    expect([whole.headers.get("x-total-count"), titles(whole.body)]).toEqual([
      "2400",
      Array.from({ length: 2_400 }, (_, index) => `Series ${String(index).padStart(4, "0")}`),
    ]);
    expect(titles((await viewer.get("/api/collection?offset=2398&sort=-title")).body)).toEqual([
      "Series 0001",
      "Series 0000",
    ]);
    expect(titles((await viewer.get("/api/collection?offset=1001")).body)).toHaveLength(1_399);
  });

  it("is narrowed by facets of other plugins", async () => {
    const facets = {
      manifest: {
        id: "facets",
        title: "Facets",
        description: "",
        sdk: "^1.0.0",
        contributes: { seriesFacets: "^1.0.0" },
      },
      plugin: definePlugin({
        activate: (_, context) =>
          void context.contribute(SeriesFacets, {
            name: "shelf",
            findSeries: async (value) => (value === "top" ? [1, 3, 99] : []),
          }),
      }),
    };
    await using shelf = await openShelf({ plugins: [facets] });
    await fill(shelf);
    const viewer = shelf.host.as("viewer");
    const facet = encodeURIComponent(JSON.stringify({ shelf: "top" }));
    expect(titles((await viewer.get(`/api/collection?facet=${facet}`)).body)).toEqual(["The Lamp", "Ümlaut & Söhne"]);
    expect((await viewer.get(`/api/collection/counts?facet=${facet}`)).body).toMatchObject({ all: 2, manga: 1 });
    expect((await viewer.get(`/api/collection?facet=${encodeURIComponent('{"other":1}')}`)).status).toBe(400);
  });
});

describe("GET /api/series", () => {
  it("also lists series that are not tracked any more, which can be tracked again with all they had", async () => {
    await using shelf = await openShelf();
    const [lamp] = await fill(shelf);
    const admin = shelf.host.as("admin");
    expect((await admin.post(`/api/collection/${lamp?.seriesId}/delete`)).body).toEqual({ removed: true });
    expect((await admin.get(`/api/collection/${lamp?.seriesId}`)).status).toBe(404);
    expect((await admin.get("/api/collection")).body).toHaveLength(2);
    expect((await admin.get("/api/series?search=candela")).body).toMatchObject([{ id: lamp?.seriesId, owned: 1 }]);
    expect((await admin.get(`/api/series/${lamp?.seriesId}/issues`)).body).toMatchObject([
      { id: lamp?.issueId, owned: true },
    ]);
    await shelf.place({ series: "The Lamp", number: "2" });
    expect((await admin.get("/api/collection")).body).toHaveLength(2);
    await admin.post(`/api/collection/${lamp?.seriesId}/track`);
    expect((await admin.get(`/api/collection/${lamp?.seriesId}`)).body).toMatchObject({ owned: 2, monitor: "none" });
  });

  it("tells which numbers are missing of a series without a volume, and leaves that to the volume of others", async () => {
    await using shelf = await openShelf();
    const [first] = await shelf.place(
      ...["2", "3", "5", "9", "1A", "Annual 12"].map((number) => ({ number })),
      { series: "Yearly", number: "2001" },
      { series: "Yearly", number: "2020.5" },
    );
    const admin = shelf.host.as("admin");
    expect((await admin.get(`/api/collection/${first?.seriesId}`)).body.gaps).toEqual([
      { from: 4, to: 4 },
      { from: 6, to: 8 },
    ]);
    await shelf.place({ series: "Candle", number: "7" });
    const listed = async (query: string) => (await admin.get(`/api/collection?${query}`)).body;
    expect(await listed("sort=missing")).toMatchObject([
      { title: "Yearly", missing: 0, numberGaps: 18 },
      { title: "Moth Patrol", numberGaps: 4 },
      { title: "Candle", numberGaps: 0 },
    ]);
    expect([titles(await listed("filter=incomplete")), titles(await listed("filter=complete"))]).toEqual([
      ["Moth Patrol", "Yearly"],
      ["Candle"],
    ]);
  });

  it("takes files whose numbers are no numbers", async () => {
    await using shelf = await openShelf();
    const [odd] = await shelf.place({
      number: "1",
      ofSeries: { year: 2019.5, cvId: -3 },
      ofIssue: { cvIssueId: 1.5 },
      change: { pages: 7.9, sizeBytes: Number.NaN, seconds: Number.POSITIVE_INFINITY },
    });
    expect((await shelf.host.as("admin").get(`/api/collection/${odd?.seriesId}`)).body).toMatchObject({
      year: 2019,
      cvId: null,
      issues: [{ cvIssueId: -(odd?.issueId as number), pages: 7, seconds: null, files: [{ size: 0 }] }],
    });
  });
});
