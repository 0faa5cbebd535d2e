import { connect } from "node:net";
import { defineRoute } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDoor } from "./open-door.ts";

const bodyBytes = 8_000_000;

/** Sends a request whose body is refused before it is read, on a connection of its own. @returns the status line */
function send(url: string, head: string, isChunked: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  const chunk = Buffer.alloc(100_000, "x");
  return new Promise((resolve) => {
    let told = "";
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bodyBytes}`;
    socket.on("data", (bytes: Buffer) => (told += bytes.toString("latin1")));
    socket.once("error", () => resolve(`reset after: ${told.slice(0, 12)}`));
    socket.once("end", () => resolve(told.slice(0, 12)));
    socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${length}\r\n\r\n`);
    for (let sent = 0; sent < bodyBytes; sent += chunk.length) {
      if (isChunked) socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      if (isChunked) socket.write("\r\n");
    }
    if (isChunked) socket.write("0\r\n\r\n");
  });
}

describe.each([
  ["with its length", false],
  ["without its length", true],
])("a large body that is sent %s and refused unread", (_, isChunked) => {
  it("does not keep the client from the answer, for whatever reason it is refused", async () => {
    await using door = await openDoor();
    const route = { summary: "Take", body: z.unknown(), handle: () => ({}) };
    door.mount([
      defineRoute({ ...route, method: "POST", path: "/api/typed", access: "public" }),
      defineRoute({ method: "GET", path: "/api/read", access: "public", summary: "Read", handle: () => ({}) }),
    ]);
    const refusals = [
      ["POST /api/typed", isChunked ? 415 : 413],
      ["POST /api/read", 405],
      ["POST /api/absent", 404],
      ["GET /api/read", 200],
    ] as const;
    for (let round = 0; round < 5; round += 1)
      for (const [head, status] of refusals)
        expect([head, await send(door.url, head, isChunked)]).toEqual([head, `HTTP/1.1 ${status}`]);
  });
});

it("of a client that never sends its end is cut off after a while", { timeout: 30_000 }, async () => {
  await using door = await openDoor();
  const { hostname, port } = new URL(door.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => socket.destroy());
  socket.on("data", () => undefined);
  socket.write("POST /api/absent HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n");
  const trickle = setInterval(() => socket.write("x"), 100);
  await closed;
  clearInterval(trickle);
});
