import { makeTorrent } from "@longbox/test/torrent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../downloads/test/support/download-desk.js";
import { FailingPrograms, type Said } from "./support/failing-programs.js";
import { comic, openTorrentDesk, type TorrentDesk } from "./support/torrent-desk.js";

let programs: FailingPrograms;

beforeEach(async () => {
  programs = await FailingPrograms.start();
});
afterEach(() => programs[Symbol.asyncDispose]());

type Kind = "qbittorrent" | "transmission";

async function open(kind: Kind): Promise<TorrentDesk> {
  const desk = await openTorrentDesk({ kind, client: { url: programs.url, username: "", password: "" } });
  const name = "Moth Patrol 003 (2019).cbz";
  const torrent = makeTorrent({ name, files: new Map([[name, await comic("3")]]) });
  programs.expectedHash = torrent.infoHash;
  desk.indexer.offer(torrent.bytes, { title: name });
  await desk.get("3");
  await until(async () => programs.added === 1 && (await desk.item("3"))?.status === "grabbed");
  return desk;
}

describe("a client that says", () => {
  it.each<[string, Kind, Partial<Said>, RegExp]>([
    [
      "error on a full disk",
      "qbittorrent",
      { state: "error", freeBytes: 10 },
      /disk is full\. 10 bytes are free, 500/u,
    ],
    ["error", "qbittorrent", { state: "error" }, /client failed\. qBittorrent could not read or write in \/downloads/u],
    ["missingFiles", "qbittorrent", { state: "missingFiles" }, /client failed\. Files of "x" are gone/u],
    ["no space", "transmission", { error: 3, errorString: "No space left on device" }, /disk is full\. No space left/u],
    ["no data", "transmission", { error: 3, errorString: "No data found!" }, /client failed\. No data found/u],
  ])("%s (%s) has the release tried later, and not blamed", async (_, kind, said, reason) => {
    await using desk = await open(kind);
    Object.assign(programs.said, said);
    await until(async () => (await desk.item("3"))?.status === "queued");
    expect((await desk.item("3")).error).toMatch(reason);
    expect(await desk.blocked()).toEqual([]);
    // What the attempt has left is removed there.
    await until(() => programs.hash === undefined);
  });

  it("that it has the torrent already, from another program, is not given it", async () => {
    await using desk = await openTorrentDesk({ client: { url: programs.url, username: "", password: "" } });
    const name = "Moth Patrol 003 (2019).cbz";
    const torrent = makeTorrent({ name, files: new Map([[name, await comic("3")]]) });
    programs.hash = torrent.infoHash;
    desk.indexer.offer(torrent.bytes, { title: name });
    await desk.get("3");
    await until(async () => (await desk.blocked()).length > 0);
    expect((await desk.blocked())[0].reason).toMatch(/already, and not from Longbox/u);
    expect(programs).toMatchObject({ added: 0, hash: torrent.infoHash });
  });
});
