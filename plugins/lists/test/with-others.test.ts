import { expect, it } from "vitest";
import { openReadingRoom } from "../../reader/test/support/reading-room.js";

const plans = [
  { title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], pages: 2 },
  { title: "Night Bell", year: 2016, issues: ["1"], pages: 2 },
];

it("says what has been read, to each reader their own", async () => {
  await using room = await openReadingRoom({
    plans,
    plugins: ["operations", "imaging", "collection", "files", "comics", "reading", "reader", "lists"],
  });
  const [one, two, bell] = [
    await room.issue("Moth Patrol", "1"),
    await room.issue("Moth Patrol", "2"),
    await room.issue("Night Bell", "1"),
  ];
  const [trusted, viewer] = [room.host.as("trusted"), room.host.as("viewer")];
  const { id } = (
    await trusted.post("/api/lists", {
      name: "Nights",
      cvIssueIds: [bell.cvIssueId, two.cvIssueId, one.cvIssueId, 12_345],
    })
  ).body;
  await trusted.post(`/api/lists/${id}/public`, { public: true });
  await trusted.post(`/api/reader/issue/${two.cvIssueId}/mark`, { read: true });
  const readOf = async (reader: typeof viewer) =>
    (await reader.get(`/api/lists/${id}`)).body.items.map((item: { read: boolean }) => item.read);
  expect(await readOf(trusted)).toEqual([false, true, false, false]);
  expect(await readOf(viewer)).toEqual([false, false, false, false]);
  expect((await trusted.get("/api/lists")).body).toMatchObject([{ items: 4, owned: 3, read: 1 }]);
  expect((await viewer.get("/api/lists")).body).toMatchObject([{ items: 4, owned: 3, read: 0 }]);
  await room.host.disable("reading");
  expect((await trusted.get("/api/lists")).body[0]).not.toHaveProperty("read");
  expect((await trusted.get(`/api/lists/${id}`)).body.items[0]).not.toHaveProperty("read");
});

it("puts lists into the catalog of reading apps, in the list's order", async () => {
  await using room = await openReadingRoom({
    plans,
    plugins: ["operations", "imaging", "collection", "files", "comics", "reading", "reader", "opds", "lists"],
  });
  const [one, three, bell] = [
    await room.issue("Moth Patrol", "1"),
    await room.issue("Moth Patrol", "3"),
    await room.issue("Night Bell", "1"),
  ];
  const [trusted, viewer] = [room.host.as("trusted"), room.host.as("viewer")];
  const { id } = (
    await viewer.post("/api/lists", {
      name: "Backwards",
      cvIssueIds: [three.cvIssueId, bell.cvIssueId, 12_345, one.cvIssueId],
    })
  ).body;
  const feed = await viewer.get("/api/opds/v2/shelves/lists");
  expect(feed.status).toBe(200);
  expect(feed.body.navigation.map((entry: { title: string }) => entry.title)).toEqual(["Backwards"]);
  const list = await viewer.get(`/api/opds/v2/shelves/lists/${id}`);
  expect(
    list.body.publications.map((publication: { metadata: { title: string } }) => publication.metadata.title),
  ).toEqual([
    expect.stringMatching(/Moth Patrol.*\b3\b/),
    expect.stringMatching(/Night Bell/),
    expect.stringMatching(/Moth Patrol.*\b1\b/),
  ]);
  expect(JSON.stringify((await trusted.get("/api/opds/v2/shelves/lists")).body)).not.toContain("Backwards");
  expect((await trusted.get(`/api/opds/v2/shelves/lists/${id}`)).status).toBe(404);
  expect((await viewer.get("/api/opds/v2/shelves/lists/nonsense")).status).toBe(404);
});

it("gives the lists of the first run to the first account", async () => {
  await using room = await openReadingRoom({
    plans,
    plugins: ["operations", "imaging", "collection", "files", "comics", "reading", "reader", "lists"],
    openMode: true,
  });
  const local = room.host.as("anonymous");
  const { id } = (await local.post("/api/lists", { name: "Before" })).body;
  const registered = await local.post("/api/auth/register", { username: "ada", password: "correct horse battery" });
  const cookie = { cookie: registered.headers.get("set-cookie")?.split(";")[0] ?? "" };
  expect((await local.get(`/api/lists/${id}`)).status).toBe(401);
  expect((await local.get(`/api/lists/${id}`, cookie)).body).toMatchObject({ name: "Before", mine: true });
});
