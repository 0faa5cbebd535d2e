import { mkdtemp, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openReleaseDesk, place } from "./support/release-desk.js";

/** A server on which the viewer and the admin follow a series that only the admin may know of. */
async function openHiddenDesk(how: "series" | "library", folder: string) {
  const desk = await openReleaseDesk();
  const admin = desk.host.as("admin");
  await desk.idOf("viewer");
  const hidden = await desk.add(4);
  const open = await desk.add(1);
  for (const role of ["viewer", "admin"])
    for (const id of [hidden, open]) await desk.host.as(role).post(`/api/collection/${id}/follow`, { follow: true });
  await desk.host.as("viewer").post("/api/releases/publishers", { publisher: "Lamplight", follow: true });
  if (how === "series") await admin.post(`/api/collection/${hidden}/restricted`, { restricted: true });
  else {
    // The first library is that of series without one.
    await admin.post("/api/libraries", {
      name: "Shelf",
      type: "comic",
      rootFolder: await mkdtemp(join(folder, "shelf-")),
    });
    const rootFolder = await mkdtemp(join(folder, "vault-"));
    const { body } = await admin.post("/api/libraries", { name: "Vault", type: "comic", rootFolder, restricted: true });
    expect(await admin.post(`/api/collection/${hidden}/library`, { libraryId: body.id })).toMatchObject({
      status: 200,
    });
  }
  await desk.check();
  return { desk, hidden };
}

async function feedsOf(desk: Awaited<ReturnType<typeof openReleaseDesk>>, role: string): Promise<string[]> {
  const { calendar, atom } = (await desk.host.as(role).post("/api/releases/calendar-key")).body;
  const texts = [];
  for (const address of [calendar, atom])
    for (const show of ["mine", "tracked", "wanted"]) texts.push(await (await fetch(`${address}&show=${show}`)).text());
  return texts;
}

describe.each(["series", "library"] as const)("a release of a restricted %s", (how) => {
  it("is in no list, feed, calendar, cover, download or notification of who may not know of it", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "longbox-releases-vault-"));
    const { desk, hidden } = await openHiddenDesk(how, folder.path);
    await using _ = desk;
    const [viewer, admin] = [desk.host.as("viewer"), desk.host.as("admin")];
    const month = new Date().toISOString().slice(0, 7);
    for (const query of ["", "?show=mine", "?show=tracked", "?q=hidden", "?publisher=Lamplight", `?month=${month}`]) {
      expect([query, await desk.names("viewer", query)]).toEqual([
        query,
        expect.not.arrayContaining(["Hidden House #2"]),
      ]);
      expect([query, await desk.names("admin", query)]).toEqual([query, expect.arrayContaining(["Hidden House #2"])]);
    }
    for (const text of await feedsOf(desk, "viewer")) expect(text).not.toContain("Hidden");
    const [own] = await feedsOf(desk, "admin");
    expect(own).toContain("Hidden House");
    expect((await viewer.get("/api/releases/402/cover")).body.code).toBe("releases/release-not-found");
    // One answer for what is hidden and for what is not there.
    const role = { name: "getter", label: "Getter", permissions: ["library.view", "downloads.grab"] };
    await admin.post("/api/roles", role);
    const refused = await desk.host.as("getter").post("/api/releases/download", { cvIssueId: 402 });
    expect([refused.status, refused.body.code]).toEqual([404, "releases/release-not-found"]);
    const told = async (who: string) => JSON.stringify((await desk.host.as(who).get("/api/notifications")).body);
    expect(await told("admin")).toContain("Hidden House");
    expect(await told("viewer")).toContain("Moth Patrol");
    expect(await told("viewer")).not.toContain("Hidden");
    // Once it is open to all, it is there.
    if (how === "series") {
      await admin.post(`/api/collection/${hidden}/restricted`, { restricted: false });
      expect(await desk.names("viewer")).toContain("Hidden House #2");
    }
  });
});

it("hides a release whose issue is in a restricted series that has no volume", async () => {
  await using desk = await openReleaseDesk();
  await desk.check();
  await place(desk.host, { title: "Elsewhere", cvId: 77, issues: { "3": 203 } });
  const [series] = (await desk.host.as("admin").get("/api/collection")).body;
  await desk.host.as("admin").post(`/api/collection/${series.id}/restricted`, { restricted: true });
  expect(await desk.names("viewer")).not.toContain("Night Bell #3");
  expect(await desk.names("admin")).toContain("Elsewhere #3");
});
