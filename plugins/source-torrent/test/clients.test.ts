import { makeTorrent } from "@longbox/test/torrent";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../downloads/test/support/download-desk.js";
import { FailingPrograms, type Said } from "./support/failing-programs.js";
import { comic, openTorrentDesk, type TorrentDesk } from "./support/torrent-desk.js";

let programs: FailingPrograms;
let desk: TorrentDesk;

beforeAll(async () => {
  programs = await FailingPrograms.start();
  desk = await openTorrentDesk();
});
afterAll(async () => {
  await desk?.[Symbol.asyncDispose]();
  await programs?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  desk.indexer.offers.length = 0;
  programs.reset();
});
afterEach(() => desk.forget("3"));

type Kind = "qbittorrent" | "transmission";

/** Has the indexer offer the issue, and the stand-in be the client. */
async function offer(kind: Kind): Promise<string> {
  const clients = [{ name: "Client", kind, url: programs.url }];
  const settings = (await desk.host.as("admin").get("/api/settings")).body["source-torrent"];
  await desk.host.as("admin").post("/api/settings", { "source-torrent": { ...settings, clients } });
  const name = "Moth Patrol 003 (2019).cbz";
  const torrent = makeTorrent({ name, files: new Map([[name, await comic("3")]]) });
  programs.expectedHash = torrent.infoHash;
  desk.indexer.offer(torrent.bytes, { title: name });
  return torrent.infoHash;
}

async function isHandedOver(): Promise<void> {
  await desk.get("3");
  await until(async () => programs.added === 1 && (await desk.item("3"))?.status === "grabbed");
}

describe("a client that says", () => {
  it.each<[string, Partial<Said>, RegExp]>([
    ["error on a full disk", { state: "error", freeBytes: 10 }, /disk is full\. 10 bytes are free, 500/u],
    ["missingFiles", { state: "missingFiles" }, /client failed\. Files of "x" are gone/u],
  ])("%s (qbittorrent) has the release tried later, and not blamed", async (_, said, reason) => {
    await offer("qbittorrent");
    await isHandedOver();
    Object.assign(programs.said, said);
    await until(async () => (await desk.item("3"))?.status === "queued");
    expect((await desk.item("3")).error).toMatch(reason);
    expect(await desk.blocked()).toEqual([]);
  });

  it("that nothing can be written (transmission) is rid of the torrent, which is tried later", async () => {
    await offer("transmission");
    await isHandedOver();
    Object.assign(programs.said, { error: 3, errorString: "No space left on device" });
    await until(async () => (await desk.item("3"))?.status === "queued");
    expect((await desk.item("3")).error).toMatch(/disk is full\. No space left/u);
    await until(() => programs.hash === undefined);
  });

  it("that the tracker does not have the torrent (transmission) has the release given up", async () => {
    await offer("transmission");
    await isHandedOver();
    Object.assign(programs.said, { error: 2, errorString: "Unregistered torrent" });
    await until(async () => (await desk.blocked()).length === 1);
    expect((await desk.blocked())[0].reason).toMatch(/Unregistered torrent/u);
  });

  it("that it has the torrent already, from another program, is not given it", async () => {
    programs.hash = await offer("qbittorrent");
    await desk.get("3");
    await until(async () => (await desk.blocked()).length > 0);
    expect((await desk.blocked())[0].reason).toMatch(/already, and not from Longbox/u);
    expect(programs).toMatchObject({ added: 0, hash: programs.expectedHash });
  });
});
