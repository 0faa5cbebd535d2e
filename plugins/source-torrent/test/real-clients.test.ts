import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import {
  isInstalled,
  makeTorrent,
  startQbittorrent,
  startTransmission,
  Swarm,
  type RunningClient,
} from "@longbox/test/torrent";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../downloads/test/support/download-desk.js";
import { LosingProxy } from "./support/losing-proxy.js";
import { comic, cvIssueId, openTorrentDesk, password, type TorrentDesk } from "./support/torrent-desk.js";

const clients = [
  { kind: "qbittorrent", program: "qbittorrent-nox", start: startQbittorrent },
  { kind: "transmission", program: "transmission-daemon", start: startTransmission },
] as const;

for (const { kind, program, start } of clients)
  describe(`with ${program}`, needs(isInstalled(program), `${program} is not installed`), () => {
    let swarm: Swarm;
    let client: RunningClient;
    let proxy: LosingProxy;
    let desk: TorrentDesk;

    beforeAll(async () => {
      swarm = await Swarm.start();
      client = await start(password);
      proxy = await LosingProxy.start(client.url);
      desk = await openTorrentDesk({ kind, client: { ...client, url: proxy.url } });
    });
    afterAll(async () => {
      for (const one of [desk, proxy, client, swarm]) await one?.[Symbol.asyncDispose]();
    });
    beforeEach(() => {
      desk.indexer.offers.length = 0;
      // Only the test that says so loses an answer.
      proxy.lost = 1;
    });

    const admin = () => desk.host.as("admin");
    const history = async (): Promise<any[]> => (await admin().get("/api/history")).body.rows;

    /** Has the indexer offer an issue, and a peer share it. */
    async function offer(number: string, isHybrid = false): Promise<string> {
      const name = `Moth Patrol 00${number} (2019).cbz`;
      const files = new Map([[name, await comic(number)]]);
      const torrent = makeTorrent({ name, files, announce: swarm.announce, isHybrid });
      swarm.seed(torrent);
      desk.indexer.offer(torrent.bytes, { title: name, infoHash: torrent.infoHash });
      return name;
    }

    /** The file of the library and the one that the client shares are one and the same on the disk. */
    async function isShared(name: string): Promise<boolean> {
      const placed = (await desk.filesInLibrary()).find((path) => path.endsWith(name));
      const [ours, theirs] = await Promise.all([
        stat(join(desk.root, placed ?? "none")),
        stat(join(client.folder, name)),
      ]);
      return ours.ino === theirs.ino && ours.nlink === 2;
    }

    const readsPage = async (number: string) =>
      (await desk.host.as("viewer").get(`/api/reader/issue/${cvIssueId(number)}/page/1`)).status === 200;

    it("the test says what works, and what is wrong with a password, a path or an address", async () => {
      const [saved] = (await admin().get("/api/settings")).body["source-torrent"].clients;
      expect(saved.password).toBe("********");
      const test = async (values: object) =>
        (await admin().post("/api/torrent-client/test", { ...saved, ...values })).body;
      expect(await test({})).toEqual({
        ok: true,
        message: expect.stringContaining(`what it saves in ${client.folder} can be read`),
        version: expect.stringMatching(/^\d+\.\d+/u),
      });
      expect(await test({ password: "wrong" })).toMatchObject({
        ok: false,
        message: expect.stringMatching(/rejected the user name or password/u),
      });
      const pathMap = [{ remote: client.folder, local: "/nowhere/at/all" }];
      expect(await test({ pathMap })).toMatchObject({
        ok: false,
        message: expect.stringMatching(/mapped to \/nowhere\/at\/all, cannot be read: there is no such folder/u),
      });
      expect(await test({ url: desk.indexer.url })).toMatchObject({
        ok: false,
        message: expect.stringMatching(/Check the address|is at this/u),
      });
      expect(await test({ url: "http://127.0.0.1:1" })).toMatchObject({
        ok: false,
        message: expect.stringMatching(/cannot be reached/u),
      });
      expect((await desk.host.as("trusted").post("/api/torrent-client/test", saved)).status).toBe(403);
    });

    it("a wanted issue is searched, downloaded, placed and read, and sharing goes on", async () => {
      // Transmission 3.00 cannot read torrents of both versions.
      const name = await offer("3", kind === "qbittorrent");
      await desk.get("3");
      await desk.owns("3");
      expect(await isShared(name)).toBe(true);
      expect(await readsPage("3")).toBe(true);
      expect(await history()).toMatchObject([{ source: "Stand-in", release: name, number: "3" }]);
    });

    it("a download goes on after the client was killed in the middle of it", async () => {
      const name = "Moth Patrol 006 (2019).cbz";
      const files = new Map([[name, await comic("6", "Moth Patrol", 40)]]);
      const torrent = makeTorrent({ name, files, announce: swarm.announce });
      swarm.seed(torrent);
      swarm.giveAtMost(torrent.content.length / 2);
      desk.indexer.offer(torrent.bytes, { title: name, infoHash: torrent.infoHash });
      await desk.get("6");
      await until(async () => (await desk.item("6"))?.progress > 0, 60);
      // Before it announces itself again, which it does once a minute only.
      await client.killAndRestart(() => swarm.giveAtMost(Infinity));
      await desk.owns("6");
      expect(await isShared(name)).toBe(true);
      expect(await desk.blocked()).toEqual([]);
      expect((await history()).filter(({ number }) => number === "6")).toMatchObject([{ release: name }]);
    }, 180_000);

    // With Transmission, which takes its time to find peers, a stand-in shows the same.
    if (kind === "qbittorrent")
      it("a torrent that its tracker does not have is given up for the next one", async () => {
        const gone = makeTorrent({
          name: "Moth Patrol 005",
          files: new Map([["Moth Patrol 005", Buffer.alloc(50_000, 5)]]),
          announce: swarm.announce,
        });
        desk.indexer.offer(gone.bytes, { title: "Moth Patrol 005 (2019)", seeders: 500 });
        await offer("5");
        await desk.get("5");
        await desk.owns("5");
        expect(await desk.blocked()).toMatchObject([{ reason: expect.stringContaining("Unregistered torrent") }]);
      });

    it("a pack is downloaded and placed file by file, although an answer is lost and the server restarts", async () => {
      proxy.lost = 0;
      const files = new Map<string, Uint8Array>();
      for (const number of ["1", "2"]) files.set(`Moth Patrol 00${number} (2019).cbz`, await comic(number));
      files.set("Salt Road 009.cbz", await comic("9", "Salt Road"));
      const name = "Moth Patrol 001-002 (2019)";
      const torrent = makeTorrent({ name, files, announce: swarm.announce });
      swarm.seed(torrent);
      desk.indexer.offer(torrent.bytes, { title: name });
      const { seriesId } = desk;
      const found = (await admin().post("/api/torrent/search", { seriesId })).body;
      expect(found).toMatchObject([{ title: name, pack: true, source: "Stand-in" }]);
      expect(found[0].reasons.filter(({ against }: { against: boolean }) => against)).toEqual([]);
      const grabbed = await admin().post("/api/torrent/grab-pack", { result: found[0], seriesId });
      expect(grabbed).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
      const { id } = grabbed.body;
      const pack = async () => (await desk.queue()).packs.find((each: { id: number }) => each.id === id);
      await until(async () => proxy.lost === 1 && (await pack())?.error !== undefined);
      await desk.host.restart();
      await admin().post(`/api/queue/retry/${id}`);
      await desk.owns("1", "2");
      await until(async () => (await desk.queue()).packs.length === 0, 60);
      // One torrent there, and one row for each file here.
      expect((await readdir(client.folder)).filter((folder) => folder.startsWith(name))).toEqual([name]);
      expect(await readdir(join(client.folder, name))).toHaveLength(3);
      expect((await history()).filter(({ release }) => release === name)).toHaveLength(2);
      expect((await desk.filesInLibrary()).some((path) => path.includes("Salt"))).toBe(false);
      expect(await readsPage("2")).toBe(true);
    });
  });
