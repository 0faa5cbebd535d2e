import { Catalog, type ProviderVolume } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openShelf, type Shelf } from "./support/shelf.js";

const annualsOf = (year: number): ProviderVolume => ({
  cvId: year,
  title: "Moth Patrol Annual",
  year,
  aliases: [],
  status: "ended",
  issues: [1, 2].map((number) => ({
    cvIssueId: year * 10 + number,
    number: String(number),
    coverDate: `${year + number - 1}-06-01`,
  })),
});

const annual = (number: string, coverDate?: string, year = 2019) => ({
  ...{ number: `Annual ${number}`, kind: "annual" as const, year },
  ...(coverDate !== undefined && { ofIssue: { coverDate } }),
});

async function add(shelf: Shelf, volume: ProviderVolume): Promise<number> {
  const request = { viewer: systemViewer, why: "picked" as const, libraryTypes: ["comic"] };
  return (await shelf.host.use(Catalog).addVolume(volume, request)).seriesId;
}

async function numbersIn(shelf: Shelf, seriesId: number): Promise<string[]> {
  const { body } = await shelf.host.as("admin").get(`/api/collection/${seriesId}`);
  const owned = body.issues.filter((issue: { owned: boolean }) => issue.owned);
  return owned.map((issue: { number: string }) => issue.number);
}

describe("annuals in the folder of their parent", () => {
  it("become issues of their own series where it is known, and later ones go there at once", async () => {
    await using shelf = await openShelf();
    const [one] = await shelf.place({ number: "1" }, annual("1"));
    const seriesId = await add(shelf, annualsOf(2019));
    expect(await numbersIn(shelf, seriesId)).toEqual(["1"]);
    expect(await numbersIn(shelf, one!.seriesId)).toEqual(["1"]);
    const [second, third] = await shelf.place(annual("2"), { number: "2" });
    expect([second!.seriesId, third!.seriesId]).toEqual([seriesId, one!.seriesId]);
    expect(await numbersIn(shelf, seriesId)).toEqual(["1", "2"]);
  });

  it("stay where their year is that of another volume, or nothing tells which volume they are of", async () => {
    await using shelf = await openShelf();
    const [dated] = await shelf.place(annual("1", "1963-06-01", 1940), { number: "5", year: 1940 });
    const later = await add(shelf, annualsOf(2012));
    expect(await numbersIn(shelf, later)).toEqual([]);
    const right = await add(shelf, annualsOf(1962));
    expect(await numbersIn(shelf, right)).toEqual(["1"]);
    expect(await numbersIn(shelf, dated!.seriesId)).toEqual(["5"]);
  });
});
