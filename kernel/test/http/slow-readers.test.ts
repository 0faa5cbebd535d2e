import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { definePlugin, defineRoute, reply } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { runsLongTests } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const megabyte = 1_000_000;
const sizeBytes = 30 * megabyte;
const readers = runsLongTests ? 12 : 8;
/** Small enough to be sent at once, by a server that has little to do. */
const pageBytes = 7.5 * megabyte;
const manyReaders = runsLongTests ? 60 : 30;
const seed = randomBytes(1000);
const large = () => Buffer.alloc(sizeBytes, seed);
const page = () => Buffer.alloc(pageBytes, seed);

/** Answers of 30 MB and of a page, each made for the request that asks. */
const plugin = definePlugin({
  activate(_, context) {
    const contentType = "application/octet-stream";
    const bytes = () => ({ kind: "bytes", bytes: large(), contentType }) as const;
    const get = (path: string, handle: () => any) =>
      defineRoute({ method: "GET", path: `/api/heavy/${path}`, summary: "Sends much", handle });
    context.routes([
      get("bytes", () => reply.content(bytes())),
      get("made", () => reply.content(async () => bytes(), { validator: "v" })),
      get("json", () => ({ text: "x".repeat(sizeBytes) })),
      get("page", () => reply.content({ ...bytes(), bytes: page() })),
      get("list", () => ({ text: "x".repeat(pageBytes) })),
    ]);
  },
});

let host: TestHost;
let key: string;
const collect = (setFlagsFromString("--expose-gc"), runInNewContext("gc") as () => void);

beforeAll(async () => {
  const manifest = { id: "heavy", title: "Heavy", description: "Sends much", sdk: "^1.0.0" };
  host = await startTestHost({ plugins: [{ manifest, plugin }] });
  await host.as("viewer").get("/api/auth/me");
  key = host.as("viewer").key!;
});
afterAll(() => host[Symbol.asyncDispose]());

/** Asks, waits until the answer begins, and reads no more of it. */
async function beginToRead(path: string): Promise<Socket> {
  const { hostname, port } = new URL(host.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

/** Bytes that the process holds for answers, after a garbage collection. */
function heldBytes(): number {
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

describe("clients that ask for much and read nothing", () => {
  it.each(["bytes", "made", "json"])("hold no memory for %s, and leave no file", async (path) => {
    const before = heldBytes();
    const sockets: Socket[] = [];
    for (let reader = 0; reader < readers; reader += 1) sockets.push(await beginToRead(`/api/heavy/${path}`));
    await vi.waitUntil(() => heldBytes() - before < 4 * sizeBytes, { timeout: 20_000, interval: 200 });
    expect(await readdir(join(host.dataFolder, "kernel/cache/answers"))).toEqual([]);
    for (const socket of sockets) socket.destroy();
  });
});

describe("many clients that ask for a page and read nothing", () => {
  it.each(["page", "list"])("hold a limited amount of memory for %s, and get the rest later", async (path) => {
    const before = heldBytes();
    const sockets: Socket[] = [];
    for (let reader = 0; reader < manyReaders; reader += 1) sockets.push(await beginToRead(`/api/heavy/${path}`));
    await vi.waitUntil(() => heldBytes() - before < 90 * megabyte, { timeout: 20_000, interval: 200 });
    const [first, last] = [sockets.at(0)!, sockets.at(-1)!];
    for (const socket of [first, last]) expect(await lengthOf(socket)).toBeGreaterThan(pageBytes);
    for (const socket of sockets) socket.destroy();
  });
});

/** Reads an answer of which nothing was read, to its end. */
async function lengthOf(socket: Socket): Promise<number> {
  let length = 0;
  for await (const chunk of socket) {
    length += (chunk as Buffer).length;
    if (length > pageBytes) break;
  }
  return length;
}

describe("large answers", () => {
  it("arrive whole, in parts, and as heads", async () => {
    const viewer = host.as("viewer");
    for (const path of ["/api/heavy/bytes", "/api/heavy/made"]) {
      expect((await viewer.get(path)).bytes.byteLength).toBe(sizeBytes);
      const part = await viewer.get(path, { range: "bytes=12345678-22345677" });
      expect([part.status, Buffer.from(part.bytes).equals(large().subarray(12_345_678, 22_345_678))]).toEqual([
        206,
        true,
      ]);
    }
    const json = await viewer.get("/api/heavy/json");
    expect([json.body.text.length, json.headers.get("etag")]).toEqual([sizeBytes, expect.stringMatching(/^W\//)]);
    const known = await viewer.get("/api/heavy/json", { "if-none-match": json.headers.get("etag")! });
    expect(known.status).toBe(304);
    const head = await fetch(`${host.url}/api/heavy/bytes`, { method: "HEAD", headers: { "x-api-key": key } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(sizeBytes)]);
  });
});
