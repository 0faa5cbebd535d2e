import { expect, it } from "vitest";
import { coming, openReleaseDesk, place, today } from "./support/release-desk.js";

type Desk = Awaited<ReturnType<typeof openReleaseDesk>>;

const told = async (desk: Desk, role: string): Promise<Array<{ title: string; body: string; url: string }>> =>
  (await desk.host.as(role).get("/api/notifications")).body.filter(
    ({ category }: { category: string }) => category === "release",
  );

it("tells each user once what of the pull list comes out this week, and nothing that is there already", async () => {
  await using desk = await openReleaseDesk();
  await desk.idOf("viewer");
  const [patrol, bell] = [await desk.add(1), await desk.add(2)];
  const viewer = desk.host.as("viewer");
  await viewer.post(`/api/collection/${patrol}/follow`, { follow: true });
  await viewer.post(`/api/collection/${bell}/follow`, { follow: true });
  await place(desk.host, { title: "Moth Patrol", cvId: 1, issues: { "5": 105 } });
  await desk.check();
  expect(await told(desk, "viewer")).toMatchObject([
    { title: "Night Bell #3 comes out this week", url: expect.stringMatching(/^\/releases\/\d{4}-W\d\d$/) },
  ]);
  expect(await told(desk, "trusted")).toEqual([]);
  await desk.check();
  expect(await told(desk, "viewer")).toHaveLength(1);
  // What is new takes the place of what was not read.
  await viewer.post("/api/releases/publishers", { publisher: "Grim Press", follow: true });
  await desk.check();
  expect(await told(desk, "viewer")).toMatchObject([
    { title: "2 releases for you this week", body: "Night Bell #3, Salt Road #1" },
  ]);
});

it("sends nothing where the setting says so", async () => {
  await using desk = await openReleaseDesk({ settings: { releases: { tell: false, weeksAhead: 0, weeksBack: 0 } } });
  const bell = await desk.add(2);
  await desk.host.as("viewer").post(`/api/collection/${bell}/follow`, { follow: true });
  await desk.check();
  expect(await told(desk, "viewer")).toEqual([]);
});

it("keeps nothing of a user who is deleted", async () => {
  await using desk = await openReleaseDesk({ storage: "sqlite", volumes: [coming(1, "Moth Patrol", { number: 1 })] });
  const viewer = desk.host.as("viewer");
  const viewerId = await desk.idOf("viewer");
  await viewer.post("/api/releases/publishers", { publisher: "Lamplight", follow: true });
  await viewer.post("/api/releases/calendar-key");
  await desk.check();
  expect(await told(desk, "viewer")).toMatchObject([{ title: "Moth Patrol #1 comes out this week" }]);
  await desk.host.as("admin").delete(`/api/users/${viewerId}`);
  await desk.host.stop();
  await desk.host.tables("releases", async (database) => {
    for (const table of ["told", "followed_publisher", "feed_key"])
      expect([table, await database.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    expect(await database.selectFrom("release").select("store_date").execute()).toEqual([{ store_date: today }]);
  });
});
