import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bencode, feedOf, makeTorrent, type Bencodable } from "@longbox/test/torrent";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../downloads/test/support/download-desk.js";
import { FakeClient } from "../../downloads/test/support/fake-client.js";
import { comic, openTorrentDesk, type TorrentDesk } from "./support/torrent-desk.js";

/** One server for all, with an indexer that lies. */
let desk: TorrentDesk;
let folder: string;
let client: FakeClient;
const title = "Moth Patrol 003 (2019).cbz";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-hostile-"));
  client = new FakeClient(folder);
  desk = await openTorrentDesk({ other: client.contribution });
});
afterAll(async () => {
  await desk?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  desk.indexer.offers.length = 0;
  desk.indexer.routes.clear();
  await desk.forget("3");
});

/** A torrent with something else under its `info`. */
async function lying(info: Readonly<Record<string, Bencodable>>): Promise<Uint8Array> {
  return makeTorrent({ name: title, files: new Map([[title, await comic("3")]]), info }).bytes;
}

async function blockedReason(): Promise<string> {
  await desk.get("3");
  await until(async () => (await desk.blocked()).length > 0);
  expect(client.added).toBe(0);
  return (await desk.blocked())[0].reason;
}

const files = (...paths: string[][]) => paths.map((path) => ({ length: 10, path }));

describe("a torrent is refused before any client gets it:", () => {
  it.each<[string, () => Promise<Uint8Array> | Uint8Array, RegExp]>([
    ["with a path to the folder above", () => lying({ files: files(["..", "x.cbz"]) }), /leads out of its folder/u],
    ["with an absolute path", () => lying({ files: files(["/etc/passwd"]) }), /leads out of its folder/u],
    ["with a path of Windows", () => lying({ files: files(["a\\..\\b.cbz"]) }), /leads out of its folder/u],
    ["whose name leads out", () => lying({ name: "../x.cbz" }), /leads out of its folder/u],
    ["whose second name leads out", () => lying({ "name.utf-8": ".." }), /leads out of its folder/u],
    ["with a link", () => lying({ files: [{ length: 1, path: ["a"], attr: "l" }] }), /links/u],
    ["with a million files", () => manyFiles(), /too many values|more than 10000 files|larger than/u],
    ["with too many files", () => lying({ files: files(...Array.from({ length: 10_001 }, () => ["a"])) }), /10000/u],
    ["nested without end", () => Buffer.concat([Buffer.from("d4:info"), Buffer.alloc(100_000, "l")]), /deeply/u],
    ["cut off", async () => (await lying({})).subarray(0, 100), /ends too early/u],
    ["with a wrong number of pieces", () => lying({ pieces: Buffer.alloc(20) }), /do not fit its size/u],
    ["of another comic", () => other("Salt Road 003.cbz"), /another one than its title says.*Salt Road/u],
    ["with a program in it", () => other("Moth Patrol 003.cbz.exe"), /holds a program/u],
    ["that is a web page", () => Buffer.from("<html>Sign in</html>"), /web page/u],
    ["that is nothing", () => new Uint8Array(), /nothing/u],
    ["of more than 16 MB", () => new Uint8Array(16 * 1024 * 1024 + 1), /larger than/u],
  ])("%s", async (_, make, reason) => {
    desk.indexer.offer(await make(), { title });
    expect(await blockedReason()).toMatch(reason);
  });

  it("another one than the hash promises", async () => {
    desk.indexer.offer(await lying({}), { title, infoHash: "ab".repeat(20) });
    expect(await blockedReason()).toMatch(/a different torrent from the one it announced/u);
  });
});

const other = (name: string) => makeTorrent({ name, files: new Map([[name, Buffer.alloc(40_000, 7)]]) }).bytes;

/** Within 16 MB, so that the size alone does not refuse it. */
function manyFiles(): Uint8Array {
  const one = bencode({ length: 0, path: ["a"] });
  const list = Buffer.concat(Array.from({ length: 600_000 }, () => one));
  return Buffer.concat([Buffer.from("d4:infod5:filesl"), list, Buffer.from("e4:name1:aee")]);
}

describe("a download that is redirected", () => {
  it("to an address inside the network is refused, and nothing is asked there", async () => {
    let reached = 0;
    const inside = createServer((socket) => void ((reached += 1), socket.destroy()));
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = inside.address() as AddressInfo;
      for (const location of [
        `http://127.0.0.1:${port}/x.torrent`,
        `http://localhost:${port}/x`,
        "file:///etc/passwd",
      ]) {
        desk.indexer.offers.length = 0;
        await desk.forget("3");
        const path = desk.indexer.offer(new Uint8Array(), { title });
        desk.indexer.routes.set(path, (_, response) => response.writeHead(302, { location }).end());
        expect(await blockedReason()).toMatch(/inside this network|not on the web/u);
      }
      expect(reached).toBe(0);
    } finally {
      await new Promise((resolve) => inside.close(resolve));
    }
  });

  it("in a circle ends", async () => {
    const path = desk.indexer.offer(new Uint8Array(), { title });
    desk.indexer.routes.set(path, (_, response) => response.writeHead(302, { location: path }).end());
    expect(await blockedReason()).toMatch(/without end/u);
  });

  it("to a magnet link that names no torrent is refused", async () => {
    const path = desk.indexer.offer(new Uint8Array(), { title });
    desk.indexer.routes.set(path, (_, response) =>
      response.writeHead(302, { location: "magnet:?dn=x&xs=http://127.0.0.1/" }).end(),
    );
    expect(await blockedReason()).toMatch(/magnet link names no torrent/u);
  });
});

describe("an indexer that answers a search with", () => {
  it.each<[string, string, RegExp]>([
    ["a web page", "<!doctype html><body>Sign in</body>", /web page/u],
    ["an error", '<error code="500" description="Request limit reached"/>', /used up.*Request limit reached/u],
    ["endless depth", "<a>".repeat(500), /deeper|depth|nests/u],
    [
      "entities",
      `<!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${feedOf(["<item><title>&c;</title></item>"])}`,
      /^$/u,
    ],
    ["endless elements", feedOf([`<item>${"<x/>".repeat(120_000)}</item>`]), /more than 100,?000 elements/u],
    ["more than a feed may have", feedOf([`<!--${"x".repeat(9 * 1024 * 1024)}-->`]), /larger than/u],
  ])("%s says so, and does no harm", async (_, answer, message) => {
    desk.indexer.routes.set("/api", answer);
    const admin = desk.host.as("admin");
    expect(await desk.search("3")).toEqual([]);
    const sources = (await admin.get("/api/sources")).body.filter(({ kind }: { kind: string }) => kind === "torrent");
    expect(sources[0].problem?.message ?? "").toMatch(message);
  });

  it("429 is asked again after the time that it names", async () => {
    desk.indexer.routes.set("/api", (_, response) => response.writeHead(429, { "retry-after": "2" }).end());
    expect(await desk.search("3")).toEqual([]);
    const admin = desk.host.as("admin");
    const { resting } = (await admin.get("/api/sources")).body.find(({ kind }: { kind: string }) => kind === "torrent");
    const waitMs = Date.parse(resting.until) - Date.now();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(2_000);
    desk.indexer.routes.delete("/api");
    desk.indexer.offer(await lying({}), { title });
    await until(async () => (await desk.search("3")).length === 1);
  });
});
