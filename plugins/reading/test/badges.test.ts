import { afterAll, beforeAll, expect, it } from "vitest";
import { openReadingDesk, page, type ReadingDesk } from "./support/reading-desk.js";

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
      facts: { reading: "unread", next: -one, nextLabel: "#1", nextPages: 20 },
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
      badges: [{ kind: "progress", value: 0.5, label: "50 % read" }],
      facts: { reading: "reading", later: false },
    },
    { id: three, badges: [], facts: { reading: "unread", later: false } },
  ]);
  expect(await badgesOf("series", [desk.seriesId, 999_999])).toMatchObject([
    {
      id: desk.seriesId,
      badges: [{ kind: "count", value: 2 }],
      facts: { reading: "reading", next: -two, nextLabel: "#2" },
    },
  ]);
});

it("marks whole series, of which nothing is unread then, and keeps users apart", async () => {
  const admin = desk.host.as("admin");
  const marked = await admin.post("/api/reading/mark", { seriesIds: [desk.seriesId], read: true });
  expect(marked).toMatchObject({ status: 200, body: { marked: 3 } });
  expect(await badgesOf("series", [desk.seriesId], admin)).toEqual([
    { id: desk.seriesId, badges: [{ kind: "tick", label: "all read" }], facts: { reading: "read" } },
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
