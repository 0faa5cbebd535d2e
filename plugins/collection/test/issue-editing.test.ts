import { systemViewer } from "@longbox/sdk";
import { Catalog } from "@longbox/collection/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changesOf, textsOf } from "../client/src/details/issue-fields.js";
import { creditLines, creditsFrom, nameList, namesFrom } from "../client/src/details/names.js";
import { openShelf, type Shelf } from "./support/shelf.js";

let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf();
});
afterAll(() => shelf[Symbol.asyncDispose]());

const read = async (id: number) => (await shelf.host.as("trusted").get(`/api/issue/${id}`)).body;
const write = (id: number, edits: unknown) => shelf.host.as("trusted").post(`/api/issue/${id}/details`, edits);
const volume = (cvId: number, title: string) => ({
  cvId,
  title,
  aliases: [],
  status: "ended" as const,
  issues: [{ cvIssueId: cvId * 10, number: "1", title: "Provided", coverDate: "1999-01-01" }],
});
const detail = (cvIssueId: number) => ({
  cvIssueId,
  number: "1",
  title: "Provided in detail",
  description: "Of the provider.",
  credits: [{ name: "Ada Provided", role: "Writer" }],
  characters: ["Provided"],
  teams: [],
  locations: [],
  arcs: ["The Long Night"],
});

it("keeps what a person wrote when files and the provider describe the issue, and lets them say the rest", async () => {
  const ofIssue = { title: "Of the file", coverDate: "1990-01-01" };
  const [placed] = await shelf.place({ series: "Moth Patrol", number: "1", ofIssue });
  const own = -placed!.issueId;
  const edits = { title: "Mine", credits: [{ name: "Bert Bell", role: "Inker" }] };
  expect((await write(own, edits)).body).toEqual({ locked: ["title", "credits"] });
  await shelf.host.use(Catalog).matchSeries(placed!.seriesId, volume(5001, "Moth Patrol"), systemViewer);
  await shelf.host.use(Catalog).describeIssue(detail(50010));
  expect(await read(50010)).toMatchObject({
    ...edits,
    coverDate: "1999-01-01",
    description: "Of the provider.",
    characters: ["Provided"],
    arcs: ["The Long Night"],
    locked: ["title", "credits"],
  });
  // A scan that reads the file again says what it said before.
  await shelf.place({ series: "Moth Patrol", number: "1", ofIssue: { ...ofIssue, title: "Of the file, changed" } });
  expect(await read(own)).toMatchObject({ ...edits, locked: ["title", "credits"] });
  const found = await shelf.host.as("viewer").get("/api/search?q=mine");
  expect(JSON.stringify(found.body)).toContain("Mine");
});

it("gives a field back when its lock is removed or it is emptied, and locks what is there", async () => {
  const ofIssue = { title: "Of the file", coverDate: "1990-01-01" };
  const spec = { series: "Night Bell", number: "1" };
  const [placed] = await shelf.place({ ...spec, ofIssue });
  const id = -placed!.issueId;
  await write(id, { title: "Mine" });
  expect((await write(id, { description: null, locked: ["coverDate", "description"] })).body).toEqual({
    locked: ["coverDate"],
  });
  await shelf.place({ ...spec, ofIssue: { title: "Again of the file", coverDate: "2001-01-01" } });
  expect(await read(id)).toMatchObject({ title: "Again of the file", coverDate: "1990-01-01", locked: ["coverDate"] });
});

it("shows the chosen page as cover under an address of its own, and refuses what is no edit", async () => {
  const [placed] = await shelf.place({ series: "Salt Road", number: "1" });
  const id = -placed!.issueId;
  expect(await read(id)).toMatchObject({ cover: `/api/issue/${id}/cover`, coverPage: null });
  expect((await write(id, { coverPage: 2 })).body).toEqual({ locked: [] });
  expect(await read(id)).toMatchObject({ cover: `/api/issue/${id}/cover?page=2`, coverPage: 2 });
  expect((await write(id, { coverPage: null })).status).toBe(200);
  expect(await read(id)).toMatchObject({ cover: `/api/issue/${id}/cover`, coverPage: null });
  expect((await write(id, { coverDate: "yesterday" })).status).toBe(400);
  expect((await shelf.host.as("viewer").post(`/api/issue/${id}/details`, { title: "Theirs" })).status).toBe(403);
});

it("reads people from lines as they are written to lines", () => {
  const credits = [
    { role: "Writer", name: "Ada Ames" },
    { role: "Writer", name: "Bert Bell" },
    { role: "", name: "Cleo" },
  ];
  expect(creditLines(credits)).toBe("Writer: Ada Ames, Bert Bell\nCleo");
  expect(creditsFrom("Writer: Ada Ames, Bert Bell\n\nCleo")).toEqual(credits);
  const issue = { title: "One", coverDate: null, description: null, credits, characters: ["Moth"] };
  const texts = { ...textsOf(issue), title: "", characters: "Moth, Bat " };
  expect(changesOf(issue, texts)).toEqual({ title: null, characters: ["Moth", "Bat"] });
});

it("keeps names whole that have commas, colons or quotes", async () => {
  const credits = [
    { role: "Writer", name: "Smith, Jr." },
    { role: "Writer", name: '"Weird Al" Yankovic' },
    { role: "artist, cover", name: 'Jo "The Pen", III' },
    { role: "", name: "Studio: North" },
  ];
  const characters = ["Moth: Year One", "Bell, the Younger", "Bat"];
  const [placed] = await shelf.place({ series: "Comma Row", number: "1" });
  const id = -placed!.issueId;
  await write(id, { credits, characters });
  const issue = await read(id);
  const texts = textsOf(issue);
  expect(texts).toMatchObject({
    credits: [
      'Writer: "Smith, Jr.", "Weird Al" Yankovic',
      'artist, cover: "Jo ""The Pen"", III"',
      '"Studio: North"',
    ].join("\n"),
    characters: 'Moth: Year One, "Bell, the Younger", Bat',
  });
  expect(changesOf(issue, texts)).toEqual({});
  const edits = changesOf(issue, {
    ...texts,
    credits: `${texts.credits}\nCleo`,
    characters: `${texts.characters}, Owl`,
  });
  await write(id, edits);
  expect(await read(id)).toMatchObject({
    credits: [...credits, { role: "", name: "Cleo" }],
    characters: [...characters, "Owl"],
  });
});

it("reads back every name as it was written", () => {
  const name = fc
    .array(fc.oneof(fc.constantFrom(",", ":", '"', " ", "\n"), fc.string({ minLength: 1, maxLength: 3 })), {
      minLength: 1,
    })
    .map((parts) => parts.join(""))
    .filter((text) => text.trim() !== "");
  const byRole = fc.uniqueArray(
    fc.tuple(fc.oneof(fc.constant(""), name), fc.array(name, { minLength: 1, maxLength: 3 })),
    {
      selector: ([role]) => role,
    },
  );
  fc.assert(
    fc.property(byRole, fc.array(name), (roles, names) => {
      const credits = roles.flatMap(([role, people]) => people.map((one) => ({ role, name: one })));
      expect(creditsFrom(creditLines(credits))).toEqual(credits);
      expect(namesFrom(nameList(names))).toEqual(names);
    }),
  );
});
