import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { mp3File } from "./support/mp3-file.js";

let room: ListeningRoom;
let id: number;
beforeAll(async () => {
  const book = (title: string) => mp3File({ seconds: 10, id3: { texts: { TALB: title, TPE1: "Ada Quill" } } });
  room = await openListeningRoom({ "night.mp3": book("Night Bell"), "salt.mp3": book("Salt Road") });
  id = (await room.books())["Night Bell"]!.id;
});
afterAll(() => room[Symbol.asyncDispose]());

const at = (path = "", issue = id) => `/api/audiobooks/issue/${issue}${path}`;

describe("a position", () => {
  it("is null until the book is begun, and then exact to the fraction of a second", async () => {
    const viewer = room.host.as("viewer");
    const before = await viewer.get(at("/progress"));
    expect([before.status, before.body]).toEqual([200, null]);
    const told = await viewer.post(at("/progress"), { position: 4.25, duration: 10, device: "Phone" });
    const expected = { position: 4.25, duration: 10, completed: false, device: "Phone", at: expect.any(String) };
    expect([told.status, told.body]).toEqual([200, expected]);
    expect((await viewer.get(at("/progress"))).body).toEqual(expected);
    const [info] = (await viewer.get(`/api/audiobooks/info?issues=${id}`)).body;
    expect(info.progress).toEqual(expected);
    expect((await room.host.as("trusted").get(at("/progress"))).body).toBeNull();
  });

  it("is not moved back by a late report of another device, and says which device is further", async () => {
    const viewer = room.host.as("viewer");
    await viewer.post(at("/progress"), { position: 8, duration: 10, device: "Tablet" });
    const late = new Date(Date.now() - 60_000).toISOString();
    await viewer.post(at("/progress"), { position: 3, duration: 10, device: "Phone", at: late });
    expect((await viewer.get(at("/progress"))).body).toMatchObject({ position: 8, device: "Tablet" });
    const back = await viewer.post(at("/progress"), { position: 2, duration: 10, device: "Phone", mayGoBack: true });
    expect(back.body).toMatchObject({ position: 2, device: "Phone" });
    expect((await viewer.get(at("/progress?device=Phone"))).body.further).toMatchObject({
      device: "Tablet",
      position: 8,
    });
    expect((await viewer.get(at("/progress?device=Tablet"))).body).not.toHaveProperty("further");
  });

  it("at the end finishes the book, and counts in the statistics", async () => {
    const viewer = room.host.as("viewer");
    const issue = (await room.books())["Salt Road"]!.id;
    await viewer.post(at("/progress", issue), { position: 5, duration: 10, device: "Phone" });
    const done = await viewer.post(at("/progress", issue), { position: 10, duration: 10, device: "Phone" });
    expect(done.body).toMatchObject({ completed: true, position: 10 });
    const { body } = await viewer.get("/api/audiobooks/stats?days=7");
    expect(body).toMatchObject({ finished: 1, reading: 1, streakDays: 1, seconds: expect.any(Number) });
    expect(body.seconds).toBeGreaterThan(10);
    expect(body.perDay).toHaveLength(7);
    expect(body.perDay.at(-1).seconds).toBe(body.seconds);
  });

  it.each([
    [{ position: -1, duration: 10 }],
    [{ position: "4", duration: 10 }],
    [{ position: 4 }],
    [{ position: 4, duration: 10, device: "" }],
    [{ position: 4, duration: 10, at: "yesterday" }],
  ])("is refused as %j", async (body) => {
    expect((await room.host.as("viewer").post(at("/progress"), body)).status).toBe(400);
  });
});

describe("bookmarks", () => {
  it("are kept with notes for each user, by position, until they are removed", async () => {
    const viewer = room.host.as("viewer");
    const later = (await viewer.post(at("/bookmarks"), { position: 7.5, note: "The bell" })).body;
    const first = (await viewer.post(at("/bookmarks"), { position: 1.25 })).body;
    expect(first).toEqual({ id: expect.any(Number), position: 1.25, note: "", createdAt: expect.any(String) });
    expect((await viewer.get(at("/bookmarks"))).body).toEqual([first, later]);
    expect((await room.host.as("trusted").get(at("/bookmarks"))).body).toEqual([]);
    const foreign = await room.host.as("trusted").delete(`/api/audiobooks/bookmarks/${first.id}`);
    expect(foreign).toMatchObject({ status: 404, body: { code: "audiobooks/no-such-bookmark" } });
    const removed = await viewer.delete(`/api/audiobooks/bookmarks/${first.id}`);
    expect([removed.status, removed.body]).toEqual([200, { removed: true }]);
    expect((await viewer.get(at("/bookmarks"))).body).toEqual([later]);
  });

  it("are changed by their id, by their owner, in their audiobook", async () => {
    const viewer = room.host.as("viewer");
    const { body: set } = await viewer.post(at("/bookmarks"), { position: 3, note: "Befor" });
    const changed = await viewer.post(at("/bookmarks"), { id: set.id, position: 3.5, note: "Before" });
    expect(changed).toMatchObject({ status: 200, body: { ...set, position: 3.5, note: "Before" } });
    const none = { status: 404, body: { code: "audiobooks/no-such-bookmark" } };
    const change = { id: set.id, position: 0, note: "Mine" };
    expect(await room.host.as("trusted").post(at("/bookmarks"), change)).toMatchObject(none);
    const another = Object.values(await room.books()).find((book) => book.id !== id)!.id;
    expect(await viewer.post(at("/bookmarks", another), change)).toMatchObject(none);
    expect((await viewer.get(at("/bookmarks"))).body).toContainEqual(changed.body);
  });
});

describe("access", () => {
  const reads = () => [
    at("/stream"),
    at("/chapters"),
    at("/progress"),
    at("/bookmarks"),
    `/api/audiobooks/info?issues=${id}`,
    "/api/audiobooks/stats",
  ];

  it("needs an account and the permission audiobooks.use", async () => {
    const admin = room.host.as("admin");
    await admin.post("/api/roles", { name: "looker", permissions: ["library.view"] });
    await admin.post("/api/users", { username: "lou", password: "a long password", role: "looker" });
    const basic = { authorization: `Basic ${Buffer.from("lou:a long password").toString("base64")}` };
    for (const path of reads()) {
      expect([path, (await fetch(room.host.url + path)).status]).toEqual([path, 401]);
      for (const role of ["viewer", "trusted", "admin"])
        expect([role, path, (await room.host.as(role).get(path)).status]).toEqual([role, path, 200]);
    }
    expect((await fetch(room.host.url + at("/stream"), { headers: basic })).status).toBe(403);
    const writes = [at("/progress"), at("/bookmarks")];
    for (const path of writes) expect((await fetch(room.host.url + path, { method: "POST" })).status).toBe(401);
    expect((await fetch(`${room.host.url}/api/audiobooks/bookmarks/1`, { method: "DELETE" })).status).toBe(401);
  });

  it("to sound and covers is by HTTP Basic too, to nothing else", async () => {
    const admin = room.host.as("admin");
    await admin.post("/api/users", { username: "bea", password: "a long password", role: "viewer" });
    const headers = { authorization: `Basic ${Buffer.from("bea:a long password").toString("base64")}` };
    const statusOf = async (path: string) => (await fetch(room.host.url + path, { headers })).status;
    expect([await statusOf(at("/stream")), await statusOf(at("/cover"))]).toEqual([200, 404]);
    expect([await statusOf(at("/chapters")), await statusOf(at("/progress"))]).toEqual([401, 401]);
    expect((await fetch(room.host.url + at("/stream"))).headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  it("is hidden with a restricted library, in each answer", async () => {
    await using hidden = await openListeningRoom({
      "night.mp3": mp3File({ seconds: 5, id3: { texts: { TALB: "Night Bell" } } }),
    });
    const issue = (await hidden.books())["Night Bell"]!.id;
    const viewer = hidden.host.as("viewer");
    await viewer.post(at("/progress", issue), { position: 2, duration: 5 });
    const { body: kept } = await viewer.post(at("/bookmarks", issue), { position: 1, note: "Kept" });
    expect((await viewer.get(at("/stream", issue))).status).toBe(200);
    const { libraries } = (await hidden.host.as("admin").get("/api/libraries")).body;
    const restrict = (restricted: boolean) =>
      hidden.host.as("admin").post(`/api/libraries/${libraries[0].id}`, { restricted });
    await restrict(true);
    for (const path of ["/stream", "/chapters", "/progress", "/bookmarks", "/cover"])
      expect([path, await viewer.get(at(path, issue))]).toMatchObject([path, { status: 404 }]);
    const report = await viewer.post(at("/progress", issue), { position: 1, duration: 5 });
    expect([report.status, (await viewer.post(at("/bookmarks", issue), { position: 1 })).status]).toEqual([404, 404]);
    expect((await viewer.get(`/api/audiobooks/info?issues=${issue}`)).body).toEqual([]);
    expect((await viewer.get("/api/audiobooks/stats")).body).toMatchObject({ finished: 0, reading: 0 });
    expect((await viewer.delete(`/api/audiobooks/bookmarks/${kept.id}`)).status).toBe(404);
    expect((await viewer.get("/api/opds/shelves/all-audiobooks")).body).not.toContain("Night Bell");
    expect((await hidden.host.as("admin").get(`/api/audiobooks/info?issues=${issue}`)).body).toHaveLength(1);
    await restrict(false);
    expect((await viewer.get(at("/bookmarks", issue))).body).toMatchObject([{ note: "Kept" }]);
    expect((await viewer.get(at("/progress", issue))).body).toMatchObject({ position: 2 });
  });

  it("to an id that is no audiobook is 404", async () => {
    expect(await room.host.as("admin").get(at("/stream", 999_999))).toMatchObject({
      status: 404,
      body: { code: "audiobooks/no-such-audiobook" },
    });
  });
});

it("keeps positions and bookmarks of books that are moved and renamed, also of folders", async () => {
  const part = (seconds: number) => mp3File({ seconds, id3: { texts: { TALB: "Two Parts" } } });
  await using moved = await openListeningRoom({
    "a/one.mp3": mp3File({ seconds: 9, id3: { texts: { TALB: "One File" } } }),
    "a/Parts/01.mp3": part(4),
    "a/Parts/02.mp3": part(5),
  });
  const viewer = moved.host.as("viewer");
  const before = await moved.books();
  const books = ["One File", "Two Parts"];
  for (const title of books) {
    await viewer.post(at("/progress", before[title]!.id), { position: 5, duration: 9, device: "Phone" });
    await viewer.post(at("/bookmarks", before[title]!.id), { position: 3, note: title });
  }
  await mkdir(join(moved.root, "b"));
  await rename(join(moved.root, "a/one.mp3"), join(moved.root, "b/first.mp3"));
  await rename(join(moved.root, "a/Parts"), join(moved.root, "b/Elsewhere"));
  await moved.scan();
  const after = await moved.books();
  for (const title of books) {
    expect([title, after[title]!.id]).toEqual([title, before[title]!.id]);
    expect((await viewer.get(at("/progress", after[title]!.id))).body).toMatchObject({ position: 5 });
    expect((await viewer.get(at("/bookmarks", after[title]!.id))).body).toMatchObject([{ note: title }]);
    expect((await viewer.get(at("/stream", after[title]!.id))).status).toBe(200);
  }
});
