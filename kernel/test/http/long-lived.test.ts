import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defineRoute, reply } from "@longbox/sdk";
import { needs } from "@longbox/test/needs";
import { expect, it } from "vitest";
import { until } from "../plugins/support.js";
import { openDoor, type OpenDoor } from "./open-door.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const descriptors = () => readdirSync("/proc/self/fd").length;

/** Writes these bytes and goes away without a word once something has come, or after a moment if nothing does. */
function visitor(door: OpenDoor, bytes: string | readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(door.url).port), "127.0.0.1", () => {
      for (const part of [bytes].flat()) socket.write(part as string);
      socket.setTimeout(30, () => socket.resetAndDestroy());
    });
    socket.once("data", () => socket.resetAndDestroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}

async function mountDownloads(door: OpenDoor): Promise<void> {
  const path = join(door.folder, "long.bin");
  await writeFile(path, Buffer.alloc(8 * 1024 * 1024, 7));
  const chunks = async function* () {
    for (let chunk = 0; chunk < 200; chunk++) yield Buffer.alloc(64 * 1024);
  };
  const wait = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const contentType = "application/octet-stream";
  door.mount([
    defineRoute({
      method: "GET",
      path: "/api/file",
      access: "public",
      summary: "A file",
      handle: () => reply.content({ kind: "file", path, contentType }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/stream",
      access: "public",
      summary: "A stream",
      handle: () => reply.content({ kind: "stream", stream: Readable.from(chunks()), contentType }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/wait",
      access: "public",
      summary: "Waits",
      handle: ({ signal }) => wait(signal),
    }),
  ]);
}

it(
  "holds neither descriptors nor memory for those who came and went, however they behaved",
  { ...needs(process.platform === "linux", "it reads /proc, which Linux has"), timeout: 240_000 },
  async () => {
    await using door = await openDoor();
    const key = await door.setUp();
    await mountDownloads(door);
    const get = (path: string, more = "") =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n${more}\r\n`;
    const post = "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const behaviours: ReadonlyArray<string | readonly string[]> = [
      get("/api/events", "Last-Event-ID: 7\r\n"),
      get("/api/file"),
      get("/api/file", "Range: bytes=9-5000000\r\n"),
      get("/api/stream"),
      get("/api/wait"),
      get(`/api/${"a".repeat(9_000)}`),
      get("/healthz").repeat(20),
      get("/api/wait").slice(0, -2),
      `${post}Content-Length: 500\r\n\r\n{`,
      [`${post}Content-Length: 3000000\r\n\r\n`, "x".repeat(500_000)],
      [`${post}Transfer-Encoding: chunked\r\n\r\n`, `80000\r\n${"x".repeat(0x80000)}\r\n`.repeat(3)],
      "BROKEN\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
      `${post}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
      "",
    ];
    const round = async () => {
      for (let times = 0; times < 6; times++)
        await Promise.all(behaviours.flatMap((bytes) => Array.from({ length: 4 }, () => visitor(door, bytes))));
      door.hub.changed("status");
      await until(
        () =>
          door.hub.clients === 0 &&
          process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length <= sockets,
      );
      collectGarbage();
      return { descriptors: descriptors(), heap: process.memoryUsage().heapUsed };
    };
    const sockets = process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
    for (let times = 0; times < 5; times++) await round();
    const before = await round();
    for (let times = 0; times < 5; times++) await round();
    const after = await round();
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
    // More than two thousand visitors: the headers alone, kept of each, would be more than this.
    expect(after.heap - before.heap).toBeLessThan(700_000);
    expect(door.faults).toEqual([]);
    expect((await door.ask("/healthz")).status).toBe(200);
  },
);
