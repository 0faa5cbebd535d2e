import { Catalog, Collection } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openShelf, type Shelf } from "./support/shelf.js";

interface Part {
  readonly id: number;
  readonly title: string;
}

async function offersOf(shelf: Shelf): Promise<Array<{ from: Part; to: Part; reasons: string[] }>> {
  return (await shelf.host.as("admin").get("/api/library/split-series")).body.offers;
}

async function join(shelf: Shelf, { from, to }: { from: Part; to: Part }): Promise<number> {
  const pair = { from: from.id, to: to.id };
  const { status, body } = await shelf.host.as("admin").post("/api/library/split-series/join", pair);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

async function undo(shelf: Shelf, id: number): Promise<void> {
  const { status, body } = await shelf.host.as("admin").post(`/api/library/split-series/joined/${id}/undo`);
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Every series with its issues: number, id and whether it is owned. */
async function contentsOf(shelf: Shelf): Promise<Record<string, unknown>> {
  const admin = shelf.host.as("admin");
  const contents: Record<string, unknown> = {};
  for (const { id, title } of (await admin.get("/api/collection")).body) {
    const { issues, aliases } = (await admin.get(`/api/collection/${id}`)).body;
    const facts = issues.map((issue: Record<string, unknown>) => [issue["number"], issue["id"], issue["owned"]]);
    contents[`${id} ${title}`] = { aliases, facts };
  }
  return contents;
}

const pageOf = { page: 3, pages: 22 };

describe("series that were split", () => {
  it("are offered with the reasons, unless a number is in both, years differ, or a person said that they are two", async () => {
    await using shelf = await openShelf();
    await shelf.place(
      ...["1", "2", "3"].map((number) => ({ series: "Moth Patrol", number })),
      ...["4", "5"].map((number) => ({ series: "Moth-Patrol", number })),
      ...[
        { series: "Night Bell", number: "1" },
        { series: "Nightbell", number: "1" },
      ],
      ...[
        { series: "Paper Wings", number: "1" },
        { series: "Paper-Wings", number: "2", year: 1988 },
      ],
      ...[
        { series: "Lantern Street", number: "1" },
        { series: "Lantern Streit", number: "2" },
      ],
    );
    const offers = await offersOf(shelf);
    expect(offers.map(({ from, to }) => [from.title, to.title])).toEqual([
      ["Moth-Patrol", "Moth Patrol"],
      ["Lantern Streit", "Lantern Street"],
    ]);
    expect(offers[0]!.reasons).toEqual([
      "The titles differ in case, accents or punctuation at most.",
      "Both began in 2019.",
      "No number is in both: one has 1 to 3, the other 4 to 5.",
    ]);
    const pair = { from: offers[1]!.from.id, to: offers[1]!.to.id };
    expect((await shelf.host.as("admin").post("/api/library/split-series/apart", pair)).status).toBe(200);
    expect(await offersOf(shelf)).toHaveLength(1);
    const viewer = await shelf.host.as("viewer").get("/api/library/split-series");
    expect(viewer.status).toBe(403);
  });

  it("are found in a large library too, where a thread compares the titles", async () => {
    await using shelf = await openShelf();
    const others = Array.from({ length: 700 }, (_, at) => ({
      series: `${"abcdefg"[at % 7]}${at} Chronicle of Harbours`,
    }));
    const split = [
      { series: "Lantern Street", number: "1" },
      { series: "Lantern Streit", number: "2" },
    ];
    await shelf.place(...others, ...split);
    const offers = await offersOf(shelf);
    expect(offers.map(({ from, to, reasons }) => [from.title, to.title, reasons[0]])).toEqual([
      ["Lantern Streit", "Lantern Street", "The titles differ by one letter."],
    ]);
  });

  it("become one with their issues, followers and reading state, and two again after a restart", async () => {
    await using shelf = await openShelf({ plugins: ["reading", "reader", "operations", "files", "comics"] });
    const placed = await shelf.place(...["1", "2"].map((number) => ({ series: "Moth Patrol", number })), {
      series: "Moth-Patrol",
      number: "4",
    });
    const [four] = placed.slice(-1);
    const viewer = shelf.host.as("viewer");
    const before = await contentsOf(shelf);
    await viewer.post(`/api/collection/${four!.seriesId}/follow`, { follow: true });
    await viewer.post(`/api/reader/issue/-${four!.issueId}/progress`, pageOf);
    const [offer] = await offersOf(shelf);
    const id = await join(shelf, offer!);
    expect(Object.keys(await contentsOf(shelf))).toHaveLength(1);
    const followed = (await viewer.get("/api/collection")).body;
    expect(followed).toMatchObject([{ owned: 3, followed: true }]);
    const progress = async () => (await viewer.get(`/api/reader/issue/-${four!.issueId}/progress`)).body.progress?.page;
    expect(await progress()).toBe(3);
    // The folder that the files lie in leads to the joined series now.
    const [five] = await shelf.place({ series: "Moth-Patrol", number: "5" });
    expect(five!.seriesId).toBe(offer!.to.id);

    await shelf.host.restart();
    await undo(shelf, id);
    const after = await contentsOf(shelf);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after[`${offer!.from.id} ${offer!.from.title}`]).toEqual(before[`${offer!.from.id} ${offer!.from.title}`]);
    expect(await progress()).toBe(3);
    const rows = (await shelf.host.as("viewer").get("/api/collection")).body as Array<{
      id: number;
      followed: boolean;
    }>;
    expect(rows.filter((row) => row.followed).map((row) => row.id)).toEqual([four!.seriesId]);
    const six = shelf.file({ series: "Moth-Patrol", number: "6" });
    const [sixth] = await shelf.host.use(Collection).placeFiles([six]);
    expect(sixth!.seriesId).toBe(four!.seriesId);
    const again = await shelf.host.as("admin").post(`/api/library/split-series/joined/${id}/undo`);
    expect(again.status).toBe(404);
  });

  it("fill the gaps of a volume, and give back what they filled", async () => {
    await using shelf = await openShelf({ plugins: ["reading", "reader", "operations", "files", "comics"] });
    const [one] = await shelf.place({ series: "Moth Patrol", number: "1" });
    const issues = [1, 2, 3].map((number) => ({ cvIssueId: 900 + number, number: String(number) }));
    const volume = { cvId: 90, title: "Moth Patrol", year: 2019, aliases: [], status: "ended" as const, issues };
    await shelf.host.use(Catalog).matchSeries(one!.seriesId, volume, systemViewer);
    const [two] = await shelf.place({ series: "Moth Patroll", number: "2", ofIssue: { title: "Dusk" } });
    const viewer = shelf.host.as("viewer");
    await viewer.post(`/api/reader/issue/-${two!.issueId}/progress`, pageOf);
    const before = await contentsOf(shelf);
    const [offer] = await offersOf(shelf);
    expect(offer).toMatchObject({ from: { id: two!.seriesId }, to: { id: one!.seriesId } });
    const id = await join(shelf, offer!);
    const progress = async (issue: number) =>
      (await viewer.get(`/api/reader/issue/${issue}/progress`)).body.progress?.page;
    await expect.poll(() => progress(902)).toBe(3);
    expect((await viewer.get("/api/issue/902")).body).toMatchObject({ owned: true, title: "Dusk" });
    await undo(shelf, id);
    expect(await contentsOf(shelf)).toEqual(before);
    await expect.poll(() => progress(-two!.issueId)).toBe(3);
    expect((await viewer.get("/api/issue/902")).body).toMatchObject({ owned: false, title: null });
  });

  it("are not joined where both have files of a number, or the one that would go is matched", async () => {
    await using shelf = await openShelf();
    const [one, other] = await shelf.place({ series: "Night Bell", number: "1" }, { series: "Nightbell", number: "1" });
    const admin = shelf.host.as("admin");
    const pair = { from: other!.seriesId, to: one!.seriesId };
    const refused = await admin.post("/api/library/split-series/join", pair);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: "collection/same-numbers", details: { numbers: ["1"] } },
    });
    const issues = [{ cvIssueId: 901, number: "1" }];
    const volume = { cvId: 90, title: "Nightbell", aliases: [], status: "ended" as const, issues };
    await shelf.host.use(Catalog).matchSeries(other!.seriesId, volume, systemViewer);
    expect(await admin.post("/api/library/split-series/join", pair)).toMatchObject({
      status: 409,
      body: { code: "collection/two-volumes" },
    });
  });
});
