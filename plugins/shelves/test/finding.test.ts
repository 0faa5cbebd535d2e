import { describe, expect, it } from "vitest";
import { openBrowsingDesk, standardFiles, until, type BrowsingDesk, type FileSpec } from "./support/browsing-desk.js";

interface Hit {
  readonly group: { readonly id: string };
  readonly title: string;
  readonly detail?: string;
  readonly href: string;
}

/** Many titles with one word, as large libraries have them. */
const beacons: readonly FileSpec[] = [
  ...["Amber Beacon", "Burning Beacon", "Beacon Hill Patrol", "Beacons of Salt"].map((series) => ({ series })),
  { series: "The Beacon", number: "12", year: 1987, issue: { title: "Long Night" } },
  { series: "Zebra", issue: { title: "A Beacon at Sea" } },
];

async function find(desk: BrowsingDesk, words: string, role = "viewer"): Promise<readonly Hit[]> {
  const { body } = await desk.host.as(role).get(`/api/search?q=${encodeURIComponent(words)}`);
  expect(body.partial).toBe(false);
  return body.items;
}

const titlesOf = (hits: readonly Hit[], group: string) =>
  hits.filter((hit) => hit.group.id === group).map(({ title }) => title);

describe("what is typed", () => {
  it("finds the series of that name first, then titles that begin with it, then the others, and forgives typing errors", async () => {
    await using desk = await openBrowsingDesk();
    await desk.place(...beacons);
    await desk.built();
    const hits = await find(desk, "beacon");
    expect(hits[0]?.title).toBe("The Beacon");
    const series = titlesOf(hits, "series");
    expect(series.slice(0, 2)).toEqual(["The Beacon", "Beacon Hill Patrol"]);
    expect(series.toSorted()).toEqual(
      ["Amber Beacon", "Beacon Hill Patrol", "Beacons of Salt", "Burning Beacon", "The Beacon"].toSorted(),
    );
    expect(titlesOf(hits, "issues")).toEqual(["Zebra #1"]);
    for (const words of ["baecon", "becon", "beacoon", "beakon", "xeacon"])
      expect([words, (await find(desk, words))[0]?.title]).toEqual([words, "The Beacon"]);
    // Every letter on the way finds something.
    for (const part of ["b", "be", "beac", "beaco"]) expect((await find(desk, part)).length).toBeGreaterThan(3);
  });

  it("finds issues by number and title, series by year, and people, characters, teams and arcs", async () => {
    await using desk = await openBrowsingDesk();
    await desk.place(...beacons, ...standardFiles, { series: "Night Moth Returns" });
    await desk.built();
    for (const words of ["beacon #12", "the beacon 12", "long nig"])
      expect([words, (await find(desk, words))[0]?.title]).toEqual([words, "The Beacon #12"]);
    expect(titlesOf(await find(desk, "beacon 1987"), "series")).toEqual(["The Beacon"]);
    const [quill] = await find(desk, "quill");
    expect(quill).toMatchObject({ group: { id: "people" }, title: "Ada Quill", href: "/shelves?author=Ada+Quill" });
    // Titles that begin so come before a character of exactly that name.
    expect((await find(desk, "night moth"))[0]?.title).toBe("Night Moth Returns");
    expect(titlesOf(await find(desk, "night m"), "characters")).toEqual(["Night Moth"]);
    expect(titlesOf(await find(desk, "the patrol"), "teams")).toEqual(["The Patrol"]);
    expect(titlesOf(await find(desk, "first"), "arcs")).toEqual(["First Light"]);
    expect(titlesOf(await find(desk, "lamplight"), "publishers")).toEqual(["Lamplight"]);
    expect(await find(desk, "")).toEqual([]);
  });

  it("finds nothing of restricted series, nor says by typing errors that there is something", async () => {
    await using desk = await openBrowsingDesk();
    const placed = await desk.place(
      { series: "Velvet Comet", issue: { title: "Velvet Dawn", credits: [{ name: "Vera Velvet", role: "writer" }] } },
      { series: "Velvets" },
    );
    await desk.built();
    expect((await find(desk, "velvet")).map(({ title }) => title)).toContain("Velvet Comet");
    await desk.restrict(placed[0]!.seriesId);
    await until(async () => (await find(desk, "velvet")).length === 1);
    for (const words of ["velvet", "velvat", "velvet comet", "velvet dawn", "vera", "velvet #1"])
      expect((await find(desk, words)).filter(({ title }) => title !== "Velvets" && title !== "Velvets #1")).toEqual(
        [],
      );
    // The same typing error leads to what is visible, as if the restricted series were not there.
    expect(titlesOf(await find(desk, "velvat"), "series")).toEqual(["Velvets"]);
    expect(titlesOf(await find(desk, "velvet", "admin"), "series")).toEqual(["Velvet Comet", "Velvets"]);
  });

  it("finds what the library became, also after a restart", async () => {
    await using desk = await openBrowsingDesk();
    await desk.place({ series: "Low Tide", issue: { title: "Ebb" } });
    await desk.built();
    await desk.place({ series: "High Tide", issue: { title: "Flood" } });
    await until(async () => (await find(desk, "flood")).length === 1);
    await desk.host.restart();
    await desk.built();
    expect(titlesOf(await find(desk, "tide"), "series").toSorted()).toEqual(["High Tide", "Low Tide"]);
    expect(titlesOf(await find(desk, "ebb"), "issues")).toEqual(["Low Tide #1"]);
  });
});
