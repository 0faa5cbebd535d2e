import { afterAll, beforeAll, expect, it } from "vitest";
import { openReadingDesk, page, viewerOf, type ReadingDesk } from "./support/reading-desk.js";

let desk: ReadingDesk;
let ann: ReturnType<ReadingDesk["host"]["as"]>;
beforeAll(async () => {
  desk = await openReadingDesk();
  ann = desk.host.as("viewer");
});
afterAll(() => desk[Symbol.asyncDispose]());

const badgesOf = async (kind: string, ids: readonly number[], user = ann) =>
  (await user.post("/api/reading/badges", { kind, ids })).body.items;
const states = (items: ReadonlyArray<{ id: number; facts: { reading: string } }>) =>
  Object.fromEntries(items.map(({ id, facts }) => [id, facts.reading]));

it("tells what is read, how far something is and what is unread, of works and of their series", async () => {
  const [one = 0, two = 0, three = 0] = desk.works;
  expect(await badgesOf("series", [desk.seriesId])).toEqual([
    {
      id: desk.seriesId,
      badges: [{ kind: "count", value: 3, label: "3 unread" }],
      facts: {
        reading: "unread",
        readCount: 0,
        readOf: 3,
        next: -one,
        nextIssueId: one,
        nextLabel: "#1",
        nextPages: 20,
      },
    },
  ]);
  expect(await ann.post("/api/reading/mark", { issueIds: [one], read: true })).toMatchObject({
    status: 200,
    body: { marked: 1 },
  });
  const { id } = (await ann.get("/api/auth/me")).body.user;
  const viewer = { user: { id, username: "", role: "viewer" }, may: () => true, seesRestricted: true };
  await desk.reading.report(viewer, two, { position: page(9), device: "tablet" });
  expect(await badgesOf("issue", [one, two, three, 999_999])).toEqual([
    { id: one, badges: [{ kind: "tick", label: "read" }], facts: { reading: "read", later: false } },
    {
      id: two,
      badges: [{ kind: "progress", value: 0.5, label: "50% read" }],
      facts: { reading: "reading", later: false },
    },
    { id: three, badges: [], facts: { reading: "unread", later: false } },
  ]);
  expect(await badgesOf("series", [desk.seriesId, 999_999])).toMatchObject([
    {
      id: desk.seriesId,
      badges: [{ kind: "count", value: 2 }],
      facts: { reading: "reading", readCount: 1, readOf: 3, next: -two, nextLabel: "#2" },
    },
  ]);
});

it("marks whole series, of which nothing is unread then, and keeps users apart", async () => {
  const admin = desk.host.as("admin");
  const marked = await admin.post("/api/reading/mark", { seriesIds: [desk.seriesId], read: true });
  expect(marked).toMatchObject({ status: 200, body: { marked: 3 } });
  expect(await badgesOf("series", [desk.seriesId], admin)).toEqual([
    {
      id: desk.seriesId,
      badges: [{ kind: "tick", label: "all read" }],
      facts: { reading: "read", readCount: 3, readOf: 3 },
    },
  ]);
  expect(states(await badgesOf("issue", desk.works))).toMatchObject({ [desk.works[2] ?? 0]: "unread" });
});

it("puts works on the shelf of what to read later, and takes them off", async () => {
  const [, , three = 0] = desk.works;
  expect((await ann.post("/api/reading/later", { issueIds: [three], later: true })).status).toBe(200);
  expect(await badgesOf("issue", [three])).toMatchObject([{ facts: { later: true } }]);
  await ann.post("/api/reading/later", { issueIds: [three], later: false });
  expect(await badgesOf("issue", [three])).toMatchObject([{ facts: { later: false } }]);
});

it("refuses a request that names nothing, or what is not there, and marks nothing of it", async () => {
  expect((await ann.post("/api/reading/mark", { read: true })).status).toBe(400);
  expect((await ann.post("/api/reading/badges", { kind: "shelf", ids: [1] })).status).toBe(400);
  const [, , three = 0] = desk.works;
  expect((await ann.post("/api/reading/mark", { issueIds: [three, 999_999], read: true })).status).toBe(404);
  expect(states(await badgesOf("issue", [three]))).toEqual({ [three]: "unread" });
  expect((await desk.host.as("anonymous").post("/api/reading/mark", { issueIds: [three], read: true })).status).toBe(
    401,
  );
});

it("narrows the library to what is unread, being read and read, for each user and without what is hidden", async () => {
  const [fresh] = await desk.place("Fresh Start", ["1"]);
  const [begun, other] = await desk.place("Half Way", ["1", "2"]);
  const [hidden] = await desk.place("Out of Sight", ["1"]);
  const user = ann;
  const titles = async (reading: string, client = user) => {
    const { status, body } = await client.get(
      `/api/collection?facet=${encodeURIComponent(JSON.stringify({ reading }))}`,
    );
    expect(status).toBe(200);
    return body.map(({ title }: { title: string }) => title);
  };
  expect(await titles("unread")).toEqual(["Fresh Start", "Half Way", "Out of Sight"]);
  expect(await titles("reading")).toEqual(["Moth Patrol"]);
  await user.post("/api/reading/mark", { issueIds: [begun], read: true });
  await user.post("/api/reading/mark", { issueIds: [hidden], read: true });
  await user.post("/api/reading/mark", { seriesIds: [desk.seriesId], read: true });
  const all = async () => [await titles("unread"), await titles("reading"), await titles("read")];
  expect(await all()).toEqual([["Fresh Start"], ["Half Way"], ["Moth Patrol", "Out of Sight"]]);
  const [secret] = await desk.library.findIssues([hidden!], viewerOf(1));
  const admin = desk.host.as("admin");
  await admin.post(`/api/collection/${secret!.seriesId}/restricted`, { restricted: true });
  expect(await all()).toEqual([["Fresh Start"], ["Half Way"], ["Moth Patrol"]]);
  await user.post("/api/reading/mark", { issueIds: [other], read: true });
  await user.post("/api/reading/mark", { issueIds: [fresh], read: true });
  await user.post("/api/reading/mark", { issueIds: [fresh], read: false });
  expect(await all()).toEqual([["Fresh Start"], [], ["Half Way", "Moth Patrol"]]);
  expect(await titles("unread", admin)).toContain("Half Way");
  const counts = await user.get(`/api/collection/counts?facet=${encodeURIComponent('{"reading":"read"}')}`);
  expect(counts.body.all).toBe(2);
  expect((await user.get('/api/collection?facet={"reading":"later"}')).status).toBe(400);
});
