import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeTorrent } from "@longbox/test/torrent";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runSchedule, until } from "../../downloads/test/support/download-desk.js";
import { FakeClient } from "../../downloads/test/support/fake-client.js";
import { comic, openTorrentDesk, type TorrentDesk } from "./support/torrent-desk.js";

let desk: TorrentDesk;
let folder: string;
let client: FakeClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-finding-"));
  client = new FakeClient(folder);
  desk = await openTorrentDesk({ other: client.contribution });
});
afterAll(async () => {
  await desk?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  desk.indexer.offers.length = 0;
  desk.indexer.asked.length = 0;
});

/** What the indexer was asked, in order; undefined where it was asked for what is new. */
const words = () =>
  desk.indexer.asked
    .map((url) => new URL(url, "http://here").searchParams)
    .filter((query) => query.get("t") === "search")
    .map((query) => query.get("q") ?? undefined);

const newest = () => [...client.held.values()].at(-1)?.grab;

it("asks for the title with the number, for the title, and for its aliases, until something is found", async () => {
  desk.indexer.offers.push({ title: "Night Moths 003", link: "/none.torrent", seeders: 3 });
  expect(await desk.search("3")).toMatchObject([{ title: "Night Moths 003", seeders: 3 }]);
  expect(words()).toEqual(["Moth Patrol 003", "Moth Patrol", "Night Moths"]);
  desk.indexer.offers.push({ title: "Moth Patrol 003 (Lamp &amp; Light)", link: "/none.torrent" });
  // Escaped twice, as many indexers do.
  expect(await desk.search("3")).toMatchObject([{ title: "Moth Patrol 003 (Lamp & Light)" }]);
});

it("hands over a magnet link, with its trackers and without what leads a client elsewhere", async () => {
  const hash = "c12fe1c06bba254a9dc9f519b335aa7c1367a88a";
  const tracker = "http://tracker.example/announce";
  const link = `magnet:?xt=urn:btih:${hash.toUpperCase()}&dn=Moth+Patrol&tr=${encodeURIComponent(tracker)}`;
  const path = desk.indexer.offer(new Uint8Array(), { title: "Moth Patrol 003 (2019)", infoHash: hash });
  const elsewhere = "&xs=http://127.0.0.1/x&ws=http://127.0.0.1/y&x.pe=127.0.0.1:1";
  desk.indexer.routes.set(path, (_, response) => response.writeHead(302, { location: link + elsewhere }).end());
  await desk.get("3");
  await until(() => newest() !== undefined);
  const uri = `magnet:?xt=urn:btih:${hash}&dn=Moth%20Patrol&tr=${encodeURIComponent(tracker)}`;
  expect(newest()).toEqual({ kind: "magnet", uri, infoHash: hash });
});

it("takes what is new from the feed without a search, and says what the torrent holds", async () => {
  const admin = desk.host.as("admin");
  const name = "Moth Patrol 007 (2019).cbz";
  const bytes = await comic("7");
  const torrent = makeTorrent({ name, files: new Map([[name, bytes]]) });
  desk.indexer.offer(torrent.bytes, { title: name });
  await admin.post(`/api/collection/${desk.seriesId}/monitor`, { monitored: true, monitor: "all" });
  expect((await admin.post("/api/schedules/downloads.feeds/run")).status).toBe(200);
  await until(() => newest()?.kind === "file");
  expect(newest()).toMatchObject({
    infoHash: torrent.infoHash,
    name: `${torrent.infoHash}.torrent`,
    contents: [{ path: name, sizeBytes: bytes.length }],
  });
  expect(words()).toEqual([undefined]);
});

it("reads older pages of the feed where everything on a page is new, so that nothing is missed after a pause", async () => {
  const { offers } = desk.indexer;
  const watch = async () => {
    desk.indexer.asked.length = 0;
    await runSchedule(desk, "downloads.feeds");
    return desk.indexer.asked
      .map((url) => new URL(url, "http://here").searchParams)
      .filter((query) => query.get("t") === "search")
      .map((query) => query.get("offset"));
  };
  const listNew = (name: string, many: number) =>
    offers.unshift(
      ...Array.from({ length: many }, (_, at) => ({
        title: `${name} ${at}`,
        guid: `${name} ${at}`,
        link: "/none.torrent",
      })),
    );
  listNew("before", 150);
  // All that came since the feed was watched last in this file; then one page has everything.
  await watch();
  expect(await watch()).toEqual(["0"]);
  listNew("meanwhile", 230);
  expect(await watch()).toEqual(["0", "100", "200"]);
  listNew("later", 120);
  desk.indexer.knowsOffset = false;
  expect(await watch()).toEqual(["0", "100"]);
});
