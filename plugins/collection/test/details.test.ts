import { systemViewer } from "@longbox/sdk";
import { Catalog } from "@longbox/collection/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShelf, type Shelf } from "./support/shelf.js";

let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf();
});
afterAll(() => shelf[Symbol.asyncDispose]());

const read = async (id: number) => (await shelf.host.as("trusted").get(`/api/collection/${id}`)).body;
const write = (id: number, details: unknown) => shelf.host.as("trusted").post(`/api/collection/${id}/details`, details);
const volume = (cvId: number, title: string) => ({
  cvId,
  title,
  year: 1999,
  publisher: "Provided",
  description: "Of the provider.",
  aliases: [],
  status: "ended" as const,
  issues: ["1", "2", "3"].map((number) => ({ cvIssueId: cvId * 10 + Number(number), number })),
});
const refresh = (id: number, cvId: number, title: string) =>
  shelf.host.use(Catalog).matchSeries(id, volume(cvId, title), systemViewer);

it("keeps what a person wrote when the provider describes the series, and lets it say the rest", async () => {
  const [placed] = await shelf.place({ series: "Moth Patrol", number: "1" });
  const { seriesId } = placed!;
  expect((await write(seriesId, { title: "Moths by Night", description: "Mine." })).body).toEqual({
    locked: ["title", "description"],
  });
  await refresh(seriesId, 5001, "Moth Patrol of the Provider");
  expect(await read(seriesId)).toMatchObject({
    title: "Moths by Night",
    description: "Mine.",
    publisher: "Provided",
    year: 1999,
    locked: ["title", "description"],
    aliases: ["Moth Patrol", "Moth Patrol of the Provider"],
  });
  // The former title still finds it, and its files still belong to it.
  const [again] = await shelf.place({ series: "Moth Patrol", number: "2" });
  expect(again!.seriesId).toBe(seriesId);
  for (const search of ["moth patrol", "moth patrol of the provider"])
    expect(
      (await shelf.host.as("viewer").get(`/api/collection?search=${encodeURIComponent(search)}`)).body.map(
        ({ id }: { id: number }) => id,
      ),
    ).toContain(seriesId);
});

it("gives a field back to its sources when its lock is removed, or when it is emptied", async () => {
  const [placed] = await shelf.place({ series: "Night Bell", number: "1" });
  const { seriesId } = placed!;
  await write(seriesId, { publisher: "Own", year: 1901, description: "Mine." });
  expect((await write(seriesId, { description: null, locked: ["publisher", "description"] })).body).toEqual({
    locked: ["publisher"],
  });
  await refresh(seriesId, 5002, "Night Bell");
  expect(await read(seriesId)).toMatchObject({
    publisher: "Own",
    year: 1999,
    description: "Of the provider.",
    locked: ["publisher"],
  });
});

it("shows the chosen cover while its issue is there, under an address of its own", async () => {
  const placed = await shelf.place({ series: "Salt Road", number: "1" }, { series: "Salt Road", number: "2" });
  const { seriesId } = placed[0]!;
  const { issues, cover } = await read(seriesId);
  expect([cover, (await read(seriesId)).coverIssue]).toEqual([`/api/collection/${seriesId}/cover`, null]);
  expect((await write(seriesId, { coverIssue: issues[1].cvIssueId })).status).toBe(200);
  const chosen = await read(seriesId);
  expect(chosen).toMatchObject({ coverIssue: issues[1].cvIssueId, cover: `${cover}?issue=${issues[1].id}` });
  // A scan counts the series again; the choice stays.
  await shelf.place({ series: "Salt Road", number: "0" });
  expect(await read(seriesId)).toMatchObject({ coverIssue: issues[1].cvIssueId, cover: chosen.cover });
  await refresh(seriesId, 5003, "Salt Road");
  expect((await read(seriesId)).coverIssue).toBe(50_032);
  await write(seriesId, { coverIssue: null });
  expect(await read(seriesId)).toMatchObject({ coverIssue: null, cover });
});

it("refuses what is wrong, and those who may not manage the library", async () => {
  const placed = await shelf.place({ series: "Gravel Saints", number: "1" }, { series: "Other", number: "1" });
  const [mine, other] = placed.map(({ seriesId }) => seriesId) as [number, number];
  const foreign = (await read(other)).issues[0].cvIssueId;
  for (const wrong of [{ title: " " }, { year: 99 }, { coverIssue: foreign }, { locked: ["cover"] }])
    expect((await write(mine, wrong)).status).toBe(400);
  expect((await shelf.host.as("viewer").post(`/api/collection/${mine}/details`, { year: 2000 })).status).toBe(403);
  expect((await write(999_999, { year: 2000 })).status).toBe(404);
  expect(await read(mine)).toMatchObject({ title: "Gravel Saints", locked: [] });
});
