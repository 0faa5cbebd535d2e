import { mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Release } from "@longbox/downloads/contract";
import { describe, expect, it } from "vitest";
import { comic, openDownloadDesk, until, type DownloadDesk } from "./support/download-desk.js";
import { FakeClient, fakeIndexer, torrent } from "./support/fake-client.js";

/** A client with a folder of its own, and a desk that has it. */
async function open(releases: readonly Release[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), "longbox-client-"));
  const client = new FakeClient(folder.path);
  const desk = await openDownloadDesk({
    parts: { clients: [client.contribution], indexers: [fakeIndexer(releases)] },
  });
  return {
    client,
    desk,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const get = async (desk: DownloadDesk, number: string) =>
  desk.host.as("admin").post("/api/download", { issueIds: [await desk.issueId(number)] });
const first = torrent("first", "Moth Patrol 003 (2019)");
const second = torrent("second", "Moth.Patrol.003.Digital-GROUP");

// Most of the time is waited until a client is asked again, so that the tests wait together.
describe.concurrent("a release at a client", () => {
  it("is handed over, watched and imported; the client keeps what it shares", async () => {
    await using opened = await open([first]);
    const { client, desk } = opened;
    await get(desk, "3");
    await until(async () => (await desk.item("3"))?.status === "grabbed" && client.held.size === 1);
    await client.finish({ "Moth Patrol 003.cbz": await comic("3"), "read me.nfo": new Uint8Array([1]) });
    await desk.owns("3");
    expect(client.held.size).toBe(1);
    expect(await readdir(join(opened.folder, "d1"))).toContain("Moth Patrol 003.cbz");
    expect(await desk.filesInLibrary()).toHaveLength(1);
    const asked = client.polls;
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(client.polls).toBe(asked);
  });

  it("that fails there is blocklisted and removed, and the next one is taken", async () => {
    await using opened = await open([first, second]);
    const { client, desk } = opened;
    await get(desk, "3");
    await until(() => client.held.size === 1);
    client.fail("12 of 40 pieces");
    await until(() => client.added === 2 && client.held.size === 1);
    await client.finish({ "Moth Patrol 003.cbz": await comic("3") });
    await desk.owns("3");
    const { rows } = (await desk.host.as("admin").get("/api/blacklist")).body;
    expect(rows).toMatchObject([{ source: "Fake indexer", reason: "Parts of it are missing. 12 of 40 pieces" }]);
  });

  it("whose answer was lost leaves no orphan, also over a restart", async () => {
    await using opened = await open([first]);
    const { client, desk } = opened;
    client.losesAnswer = true;
    await get(desk, "3");
    await until(() => client.added >= 1);
    await until(async () => (await desk.item("3"))?.error !== undefined);
    await desk.host.restart();
    const { id } = await desk.item("3");
    await desk.host.as("admin").post(`/api/queue/retry/${id}`);
    // The first one, whose id is not known, is found by its key and removed.
    await until(async () => client.added === 2 && client.held.size === 1, 60);
    await client.finish({ "Moth Patrol 003.cbz": await comic("3") });
    await desk.owns("3");
    expect((await desk.host.as("admin").get("/api/history")).body.total).toBe(1);
  });

  it("that is cancelled leaves nothing at a client, also one that does not answer at first", async () => {
    await using opened = await open([first]);
    const { client, desk } = opened;
    await get(desk, "3");
    await until(async () => client.held.size === 1 && (await desk.item("3"))?.status === "grabbed");
    client.isAway = true;
    const { id } = await desk.item("3");
    expect((await desk.host.as("admin").post(`/api/queue/cancel/${id}`)).status).toBe(200);
    await until(() => client.refused > 0);
    client.isAway = false;
    await until(() => client.held.size === 0, 60);
  });
});

it.concurrent("places each file of a pack by itself, and leaves the rest to a person", async () => {
  await using opened = await open([torrent("pack", "Moth Patrol 001-003 (2019)")]);
  const { client, desk } = opened;
  const admin = desk.host.as("admin");
  const { body } = await admin.post("/api/packs/search", { seriesId: desk.seriesId });
  expect(body).toMatchObject([
    { pack: true, accepted: true, issues: [{ number: "1" }, { number: "2" }, { number: "3" }] },
  ]);
  const { id } = (await admin.post("/api/packs/grab", { result: body[0], seriesId: desk.seriesId })).body;
  await until(() => client.held.size === 1);
  expect((await desk.queue()).packs).toMatchObject([{ id, status: "active", release: "Moth Patrol 001-003 (2019)" }]);
  await client.finish({
    "Moth Patrol 001 (2019).cbz": await comic("1"),
    "Moth Patrol 002 (2019).cbz": await comic("2"),
    "Salt Road 009.cbz": await comic("9", 2, "Salt Road"),
  });
  await until(async () => (await admin.get("/api/history")).body.total === 2, 60);
  await until(async () => (await desk.queue()).packs.length === 0, 60);
  expect((await desk.filesInLibrary()).filter((name) => name.includes("Salt"))).toEqual([]);
  expect(JSON.stringify((await admin.get("/api/import")).body)).toContain("Salt Road");
});
