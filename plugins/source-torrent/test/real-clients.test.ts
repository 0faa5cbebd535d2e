import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { isInstalled, makeTorrent, startQbittorrent, startTransmission, Swarm } from "@longbox/test/torrent";
import { describe, expect, it } from "vitest";
import { until } from "../../downloads/test/support/download-desk.js";
import { comic, cvIssueId, openTorrentDesk, password, type TorrentDesk } from "./support.js";

const clients = [
  { kind: "qbittorrent", program: "qbittorrent-nox", start: startQbittorrent },
  { kind: "transmission", program: "transmission-daemon", start: startTransmission },
] as const;

/** The file of the library and the one that the client shares are one and the same on the disk. */
async function isShared(desk: TorrentDesk, name: string, original: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([stat(join(desk.root, name)), stat(original)]);
  return ours.ino === theirs.ino && ours.nlink === 2;
}

const page = (desk: TorrentDesk, number: string) =>
  desk.host.as("viewer").get(`/api/reader/issue/${cvIssueId(number)}/page/1`);

describe.each(clients)("with $program", ({ kind, program, start }) => {
  const options = { ...needs(isInstalled(program), `${program} is not installed`), timeout: 180_000 };

  it("a wanted issue is searched, downloaded, placed and read, and sharing goes on", options, async () => {
    await using swarm = await Swarm.start();
    await using client = await start(password);
    await using desk = await openTorrentDesk({ kind, client });
    const name = "Moth Patrol 003 (2019).cbz";
    const torrent = makeTorrent({ name, files: new Map([[name, await comic("3")]]), announce: swarm.announce });
    swarm.seed(torrent);
    desk.indexer.offer(torrent.bytes, { title: name, infoHash: torrent.infoHash });
    await desk.get("3");
    await desk.owns("3");
    const [placed] = await desk.filesInLibrary();
    expect(await isShared(desk, placed!, join(client.folder, name))).toBe(true);
    expect(await page(desk, "3")).toMatchObject({ status: 200 });
    expect((await desk.host.as("admin").get("/api/history")).body.rows).toMatchObject([
      { source: "Stand-in", release: name, number: "3" },
    ]);
    const asked = swarm.announced.length;
    expect(asked).toBeGreaterThan(0);
  });

  it("a pack is searched, downloaded and placed file by file", options, async () => {
    await using swarm = await Swarm.start();
    await using client = await start(password);
    await using desk = await openTorrentDesk({ kind, client });
    const files = new Map<string, Uint8Array>();
    for (const number of ["1", "2"]) files.set(`Moth Patrol 00${number} (2019).cbz`, await comic(number));
    files.set("Salt Road 009.cbz", await comic("9", "Salt Road"));
    const name = "Moth Patrol 001-002 (2019)";
    const torrent = makeTorrent({ name, files, announce: swarm.announce });
    swarm.seed(torrent);
    desk.indexer.offer(torrent.bytes, { title: name });
    const admin = desk.host.as("admin");
    const found = (await admin.post("/api/torrent/search", { seriesId: desk.seriesId })).body;
    expect(found).toMatchObject([{ title: name, pack: true, accepted: true, source: "Stand-in" }]);
    const grabbed = await admin.post("/api/torrent/grab-pack", { result: found[0], seriesId: desk.seriesId });
    expect(grabbed).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
    await desk.owns("1", "2");
    await until(async () => (await desk.queue()).packs.length === 0, 60);
    expect(await readdir(join(client.folder, name))).toHaveLength(3);
    expect((await desk.filesInLibrary()).some((path) => path.includes("Salt"))).toBe(false);
    expect(await page(desk, "2")).toMatchObject({ status: 200 });
  });
});
