import { describe, expect, it } from "vitest";
import { listFile } from "./support/list-files.js";
import { openShelf, until, type SeriesSpec, type Shelf } from "./support/shelf.js";

const xml = { "content-type": "application/xml" };
type Item = { cvIssueId: number; series: string; number: string; owned: boolean; inLibrary: boolean };

/** As lists are published: every book has the provider's id. */
const published = listFile([
  { series: "The Moth Patrol", number: "1", volume: "2019", year: "2019", issue: 901 },
  { series: "Moth Patrol", number: "1/2", volume: "2019", year: "2020", issue: 950 },
  { series: "Lamp Street", number: "7", volume: "2004", year: "2009", issue: 777 },
]);
/** What a scan makes of files that have no tags. */
const untagged: readonly SeriesSpec[] = [
  { name: "Moth Patrol", year: 2019, issues: { "1": undefined, "½": undefined } },
  { name: "Lamp Street", year: 2004, issues: { "7": undefined } },
];

async function importList(shelf: Shelf, file = published, role = "viewer"): Promise<number> {
  const { status, body } = await shelf.host.as(role).post("/api/lists/import-cbl", file, xml);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

async function read(shelf: Shelf, id: number, role = "viewer"): Promise<{ owned: number; items: Item[] }> {
  const { status, body } = await shelf.host.as(role).get(`/api/lists/${id}`);
  expect(status).toBe(200);
  return body;
}

const owned = ({ items }: { items: readonly Item[] }) => items.map((item) => item.owned);

describe("a published list in a library whose files carry no ids", () => {
  it("shows everything that is owned, before it is kept and after, and exports the ids that it came with", async () => {
    await using shelf = await openShelf({ alone: true });
    for (const series of untagged) await shelf.place(series);
    const viewer = shelf.host.as("viewer");
    const preview = await viewer.post("/api/lists/cbl-preview", published, xml);
    expect(preview).toMatchObject({ status: 200, body: { total: 3, owned: 3 } });
    expect(preview.body.books.every((book: { inLibrary: boolean }) => book.inLibrary)).toBe(true);
    const id = await importList(shelf);
    const list = await read(shelf, id);
    expect(owned(list)).toEqual([true, true, true]);
    for (const { cvIssueId } of list.items) expect((await viewer.get(`/api/issue/${cvIssueId}`)).status).toBe(200);
    expect((await viewer.get("/api/lists")).body).toMatchObject([{ items: 3, owned: 3 }]);
    const exported = (await viewer.get(`/api/lists/${id}/cbl`)).body as string;
    for (const cvId of [901, 950, 777]) expect(exported).toContain(`Issue="${cvId}"`);
  });

  it("takes no other series, no other year and no issue that the provider knows as another one", async () => {
    await using shelf = await openShelf({ alone: true });
    await shelf.place({ name: "Moth Patrol", year: 1985, issues: { "1": undefined } });
    await shelf.place({ name: "Moth Patrol Annual", year: 2019, issues: { "1": undefined } });
    await shelf.place({ name: "Lamp Street", year: 2004, cvId: 6002, issues: { "7": 70_007 } });
    const list = await read(shelf, await importList(shelf));
    expect(list.items.map(({ cvIssueId, inLibrary }) => [cvIssueId, inLibrary])).toEqual([
      [901, false],
      [950, false],
      [777, false],
    ]);
  });

  it("takes no series of which there are several that fit", async () => {
    await using shelf = await openShelf({ alone: true });
    const issues = [
      { series: "Moth Patrol", number: "3", issue: 903 },
      { series: "Moth Patrol", number: "3", volume: "1985", issue: 803 },
    ];
    await shelf.place({ name: "Moth Patrol", year: 2019, issues: { "3": undefined } });
    await shelf.place({ name: "Moth Patrol", year: 1985, issues: { "3": undefined } });
    expect(owned(await read(shelf, await importList(shelf, listFile(issues))))).toEqual([false, true]);
  });

  it("finds annuals in the folder of their series and in one of their own, whichever way the list names them", async () => {
    await using shelf = await openShelf({ alone: true });
    const books = [
      { series: "Moth Patrol Annual", number: "8", volume: "2015", year: "2023", issue: 908 },
      { series: "Moth Patrol Annual", number: "8", volume: "2015" },
      { series: "Lamp Street", number: "Annual 3", volume: "2001" },
      { series: "Moth Patrol Annual", number: "8", volume: "1999", issue: 808 },
      { series: "Moth Patrol Annual", number: "1", volume: "2019", issue: 901 },
    ];
    const id = await importList(shelf, listFile(books));
    expect(owned(await read(shelf, id))).not.toContain(true);
    await shelf.place({ name: "Moth Patrol", year: 2010, issues: { "1": undefined, "Annual 8": undefined } });
    await shelf.place({ name: "Lamp Street Annual", year: 2004, issues: { "3": undefined } });
    await until(async () => (await read(shelf, id)).owned === 3);
    const items = (await read(shelf, id)).items.map(({ cvIssueId, series, number }) => [cvIssueId > 0, series, number]);
    expect(items).toEqual([
      [false, "Moth Patrol", "Annual 8"],
      [false, "Moth Patrol", "Annual 8"],
      [false, "Lamp Street Annual", "3"],
      [true, "Moth Patrol Annual", "8"],
      [true, "Moth Patrol Annual", "1"],
    ]);
  });

  it("is filled by itself when files arrive later, with ids or without", async () => {
    await using shelf = await openShelf({ alone: true });
    const withoutIds = listFile([
      { series: "Moth Patrol", number: "1", volume: "2019" },
      { series: "Lamp Street", number: "7", volume: "2004", issue: 777 },
    ]);
    const id = await importList(shelf, withoutIds);
    expect(await read(shelf, id)).toMatchObject({ owned: 0, items: [{ cvIssueId: 777 }] });
    for (const series of untagged) await shelf.place(series);
    await until(async () => (await read(shelf, id)).owned === 2);
    expect((await read(shelf, id)).items.map(({ series, number }) => [series, number])).toEqual([
      ["Moth Patrol", "1"],
      ["Lamp Street", "7"],
    ]);
  });

  it("stays filled when the provider names the series afterwards", async () => {
    await using shelf = await openShelf();
    const seriesId = await shelf.place({ name: "Lamp Street", year: 2004, issues: { "7": undefined } });
    shelf.source.add({ id: 6002, name: "Lamp Street", year: 2004, issues: { "7": 777 } });
    const id = await importList(shelf, listFile([{ series: "Lamp Street", number: "7", volume: "2004", issue: 777 }]));
    expect(await read(shelf, id)).toMatchObject({ owned: 1, items: [{ inLibrary: true }] });
    const matched = await shelf.host.as("trusted").post("/api/cv/match", { seriesId, cvId: 6002 });
    expect(matched.status, JSON.stringify(matched.body)).toBe(200);
    await until(async () => (await read(shelf, id)).items[0]?.cvIssueId === 777);
    expect(await read(shelf, id)).toMatchObject({ owned: 1, items: [{ inLibrary: true }] });
  });

  it("tells users who may not know of a series nothing of it", async () => {
    await using shelf = await openShelf({ alone: true });
    await shelf.place({ name: "Lamp Street", year: 2004, issues: { "7": undefined }, restricted: true });
    const id = await importList(shelf, published, "trusted");
    await shelf.host.as("trusted").post(`/api/lists/${id}/public`, { public: true });
    expect(owned(await read(shelf, id, "trusted"))).toEqual([false, false, true]);
    expect(owned(await read(shelf, id))).toEqual([false, false, false]);
    const preview = await shelf.host.as("viewer").post("/api/lists/cbl-preview", published, xml);
    expect(preview.body.owned).toBe(0);
  });
});

it("the number of lists of each user is a setting, and a preview says how many are left", async () => {
  await using shelf = await openShelf({ alone: true, settings: { lists: { listsPerUser: 2 } } });
  const viewer = shelf.host.as("viewer");
  const left = async () => (await viewer.post("/api/lists/cbl-preview", published, xml)).body.listsLeft;
  expect(await left()).toBe(2);
  await importList(shelf);
  expect(await left()).toBe(1);
  await importList(shelf);
  expect(await left()).toBe(0);
  const { status, body } = await viewer.post("/api/lists/import-cbl", published, xml);
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { error: "You already have 2 lists, which is the maximum on this server." },
  });
  expect((await shelf.host.as("trusted").post("/api/lists/cbl-preview", published, xml)).body.listsLeft).toBe(2);
});
