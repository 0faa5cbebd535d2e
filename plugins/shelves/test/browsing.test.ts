import { SeriesFacets } from "@longbox/collection/contract";
import { BadInput, definePlugin } from "@longbox/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowsingDesk, standardFiles, until, type BrowsingDesk } from "./support/browsing-desk.js";

const all = ["Low Tides #1", "Moth Patrol #1", "Moth Patrol #2", "Moth Patrol #10", "Nameless #1", "Salt Road #1"];

/** A facet of another plugin: the mood of series with an "o" in their ids' titles. */
const moods = {
  manifest: {
    id: "moods",
    title: "Moods",
    description: "Moods of series",
    sdk: "^1.0.0",
    contributes: { seriesFacets: "^1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      const seriesOf: Readonly<Record<string, readonly number[]>> = { dark: [1, 2], calm: [3] };
      context.contribute(SeriesFacets, {
        name: "mood",
        label: "Mood",
        findSeries: async (value) => {
          const found = seriesOf[String(value)];
          if (!found) throw new BadInput("moods/no-such-mood", "There is no such mood.", { mood: "unknown" });
          return found;
        },
        listValues: async () =>
          Object.entries(seriesOf).map(([value, seriesIds]) => ({ value, label: value.toUpperCase(), seriesIds })),
      });
    },
  }),
};

let desk: BrowsingDesk;
beforeAll(async () => {
  desk = await openBrowsingDesk({ plugins: [moods] });
  await desk.place(...standardFiles);
  await desk.built();
  await until(async () => (await desk.titles("viewer")).length === all.length);
});
afterAll(() => desk[Symbol.asyncDispose]());

describe("items", () => {
  it("are sorted by title and number, and by date, length and age in the library, whichever way", async () => {
    expect(await desk.titles("viewer")).toEqual(all);
    expect(await desk.titles("viewer", "?sort=-title")).toEqual(all.toReversed());
    // What has no date is last in both directions.
    const dated = ["Moth Patrol #1", "Moth Patrol #2", "Moth Patrol #10"];
    expect((await desk.titles("viewer", "?sort=date")).slice(0, 3)).toEqual(dated);
    expect((await desk.titles("viewer", "?sort=-date")).slice(0, 3)).toEqual(dated.toReversed());
    expect((await desk.titles("viewer", "?sort=-length"))[0]).toBe("Salt Road #1");
    expect((await desk.titles("viewer", "?sort=length")).at(-1)).toBe("Salt Road #1");
  });

  it("come in pages from 0, with the total of the selection", async () => {
    const { body } = await desk.host.as("viewer").get("/api/shelves/items?page=1&limit=4&genre=Mystery");
    expect(body).toMatchObject({ total: 4, page: 1, limit: 4, items: [] });
    expect(await desk.titles("viewer", "?page=1&limit=4")).toEqual(all.slice(4));
  });

  it("fit any value of a facet, every facet, and no value that is left out", async () => {
    expect(await desk.titles("viewer", "?genre=Adventure")).toEqual(["Low Tides #1", "Salt Road #1"]);
    expect(await desk.titles("viewer", "?author=ada%20quill&language=de")).toEqual(["Salt Road #1"]);
    expect(await desk.titles("viewer", "?author=%C3%89va%20Wave&author=Ada%20Quill&genre=Adventure")).toEqual([
      "Low Tides #1",
      "Salt Road #1",
    ]);
    expect(await desk.titles("viewer", "?genre=Mystery&genre=-Adventure")).toEqual(all.slice(1, 4));
    expect(await desk.titles("viewer", "?genre=-Mystery&genre=-")).toEqual(["Low Tides #1"]);
    expect(await desk.titles("viewer", "?author=")).toEqual(["Nameless #1"]);
    expect(await desk.titles("viewer", "?decade=2000&q=tides")).toEqual(["Low Tides #1"]);
    expect(await desk.titles("viewer", "?length=pages-400")).toEqual(["Salt Road #1"]);
  });

  it("fit facets of other plugins, which are counted as well", async () => {
    expect(await desk.titles("viewer", "?mood=calm")).toEqual(["Low Tides #1"]);
    expect(await desk.titles("viewer", "?mood=-dark")).toEqual(["Low Tides #1", "Nameless #1"]);
    expect(await desk.counts("viewer", "mood", "?genre=Adventure&mood=calm")).toEqual({ CALM: 1, DARK: 1 });
    const { status, body } = await desk.host.as("viewer").get("/api/shelves/items?mood=odd");
    expect([status, body.code]).toEqual([400, "moods/no-such-mood"]);
  });
});

describe("a selection", () => {
  const narrowed = async (value: unknown) => {
    const facet = encodeURIComponent(JSON.stringify({ shelves: value }));
    return await desk.host.as("viewer").get(`/api/collection?facet=${facet}`);
  };
  const series = async (value: string) =>
    (await narrowed(value)).body.map(({ title }: { title: string }) => title).toSorted();

  it("narrows lists of series to those with an item that fits", async () => {
    expect(await series("genre=Mystery")).toEqual(["Moth Patrol", "Salt Road"]);
    expect(await series("genre=Mystery&genre=-Adventure")).toEqual(["Moth Patrol"]);
    expect(await series("author=%C3%89va+Wave&author=Ada+Quill&genre=Adventure")).toEqual(["Low Tides", "Salt Road"]);
    expect(await series("q=tides")).toEqual(["Low Tides"]);
    expect(await series("mood=calm&genre=Mystery")).toEqual([]);
  });

  it.each([
    ["genre=Mystery&nope=1", "shelves/unknown-facet"],
    ["shelves=genre%3DMystery", "shelves/unknown-facet"],
    [["Mystery"], "shelves/bad-selection"],
    [`q=${"a".repeat(8000)}`, "shelves/bad-selection"],
  ])("%s does not narrow lists of series: refused", async (value, code) => {
    const { status, body } = await narrowed(value);
    expect([status, body.code]).toEqual([400, code]);
  });
});

describe("facets", () => {
  it("count the selection, each without its own choices, and name the values in their own spelling", async () => {
    expect(await desk.counts("viewer", "author", "?author=ada%20quill")).toEqual({
      "Ada Quill": 4,
      "Éva Wave": 1,
      "Without any": 1,
    });
    expect(await desk.counts("viewer", "genre", "?author=Ada%20Quill")).toEqual({ Mystery: 4, Adventure: 1 });
    expect(await desk.counts("viewer", "decade", "?genre=Adventure")).toEqual({ "2000s": 2 });
    expect(await desk.counts("viewer", "language")).toEqual({ English: 4, German: 1, "Without any": 1 });
    expect(await desk.counts("viewer", "age")).toEqual({ Teen: 1, "Without any": 5 });
    expect(await desk.counts("viewer", "artist", "?artist=-Ben%20Ink")).toMatchObject({ "Ben Ink": 3 });
  });

  it("say what is chosen and left out, and are found by part of a name", async () => {
    const { body } = await desk.host.as("viewer").get("/api/shelves/facets?genre=Mystery&genre=-Adventure");
    expect(body.genre.slice(0, 2)).toEqual([
      { value: "Mystery", label: "Mystery", count: 4, selected: true, excluded: false },
      { value: "Adventure", label: "Adventure", count: 2, selected: false, excluded: true },
    ]);
    const found = await desk.host.as("viewer").get("/api/shelves/facets?facet=character&find=serg");
    expect(Object.keys(found.body)).toEqual(["character"]);
    expect(found.body.character.map(({ label }: { label: string }) => label)).toEqual(["Sergeant Lamp"]);
  });

  it("list authors by letter and text, within a type and a library", async () => {
    const names = async (query: string) => {
      const { body, headers } = await desk.host.as("viewer").get(`/api/shelves/authors${query}`);
      return [headers.get("x-total-count"), body];
    };
    expect(await names("")).toEqual([
      "2",
      [
        { name: "Ada Quill", count: 4 },
        { name: "Éva Wave", count: 1 },
      ],
    ]);
    expect(await names("?letter=e")).toEqual(["1", [{ name: "Éva Wave", count: 1 }]]);
    expect(await names("?q=quil")).toEqual(["1", [{ name: "Ada Quill", count: 4 }]]);
    expect(await names("?type=manga")).toEqual(["0", []]);
    expect(await names(`?type=comic&library=${desk.libraryId}&limit=1&offset=1`)).toEqual([
      "2",
      [{ name: "Éva Wave", count: 1 }],
    ]);
  });
});

describe("hostile questions", () => {
  it.each([
    ["a facet that does not exist", "items?nope=1", "shelves/unknown-facet"],
    ["a sort that does not exist", "items?sort=sideways", "kernel/invalid-input"],
    ["a NUL", "items?author=a%00b", "shelves/bad-selection"],
    ["a NUL in a text", "items?q=a%00b", "shelves/bad-selection"],
    ["a NUL in what is found", "facets?find=a%00b", "shelves/bad-selection"],
    ["a NUL in a letter", "authors?letter=%00", "shelves/bad-selection"],
    ["a value that is too long", `items?author=${"x".repeat(301)}`, "shelves/bad-selection"],
    ["1,000 values", `items?${"author=a&".repeat(1000)}`, "shelves/bad-selection"],
    ["a page before the first", "items?page=-1", "kernel/invalid-input"],
    ["a page that is too large", "items?limit=121", "kernel/invalid-input"],
    ["no page at all", "items?limit=0", "kernel/invalid-input"],
    ["a facet called constructor", "facets?constructor=1", "shelves/unknown-facet"],
  ])("%s: refused, and says so", async (_, path, code) => {
    const { status, body } = await desk.host.as("viewer").get(`/api/shelves/${path}`);
    expect([status, body.code]).toEqual([400, code]);
  });

  it("of 10,000 values are refused", async () => {
    const { status } = await desk.host.as("viewer").get(`/api/shelves/items?${"a=b&".repeat(10_000)}`);
    expect([400, 414, 431]).toContain(status);
  });

  it("with quotes, wildcards and SQL find nothing and break nothing", async () => {
    for (const value of ["%", "_", "\\-", "'; drop table name; --", '"', "\\", "\u{1f4da}"])
      expect(await desk.titles("viewer", `?author=${encodeURIComponent(value)}`)).toEqual([]);
    expect(await desk.titles("viewer", `?q=${encodeURIComponent("%_'")}`)).toEqual([]);
    expect(await desk.titles("viewer")).toEqual(all);
  });
});

it("is for those who may see the library", async () => {
  for (const path of [
    "status",
    "items",
    "facets",
    "authors",
    "rebuild/status",
    "surprise",
    "because",
    "saved",
    "strips",
  ]) {
    expect((await desk.host.as("anonymous").get(`/api/shelves/${path}`)).status, path).toBe(401);
    expect((await desk.host.as("viewer").get(`/api/shelves/${path}`)).status, path).toBe(200);
  }
  expect((await desk.host.as("viewer").post("/api/shelves/rebuild")).status).toBe(403);
  expect((await desk.host.as("anonymous").post("/api/shelves/rebuild")).status).toBe(401);
});
