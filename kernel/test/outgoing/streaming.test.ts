import { createHash } from "node:crypto";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { goOut } from "./going-out.js";

/** Bytes without any order, the same in every run. */
const bytes = Buffer.from(
  Array.from({ length: 200_000 }, (_, at) => createHash("sha256").update(String(at)).digest()).flatMap((one) => [
    ...one,
  ]),
);
const digest = (of: Uint8Array) => createHash("sha256").update(of).digest("hex");

/** Sends an answer byte by byte as it is given, whatever the rules of HTTP are. */
async function serveRaw(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Pieces from a byte to more than a socket receives at once. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  const lengths = [1, 400_000, 600_000, ...Array.from({ length: 40 }, () => 1_000), 65_536];
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const length = lengths[turn % lengths.length]!;
    yield body.subarray(at, (at += length));
  }
}

/** Sends small and large pieces, also while the reader lets the connection wait. */
async function sendInPieces(socket: Socket, body: Buffer): Promise<void> {
  for (const piece of piecesOf(body)) {
    socket.write(piece);
    await nextTurn();
  }
  socket.end();
}

const framed = Buffer.concat([
  ...[...piecesOf(bytes)].flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from("\r\n"),
  ]),
  Buffer.from("0\r\n\r\n"),
]);
const packed = gzipSync(bytes, { level: 1 });
const answers = {
  "of a stated length": [`content-length: ${bytes.length}`, bytes],
  "in frames": ["transfer-encoding: chunked", framed],
  "until the connection ends": ["connection: close", bytes],
  compressed: [`content-encoding: gzip\r\ncontent-length: ${packed.length}`, packed],
} as const;

describe("a body whose memory is used again", () => {
  it.each(Object.entries(answers))("comes whole to a slow reader: %s", async (_, [headers, body]) => {
    await using out = await goOut(() => undefined);
    await using server = await serveRaw((socket) => void sendInPieces(socket, Buffer.concat([head(headers), body])));
    const answer = await out.context.host(server.url).stream(server.url);
    const hash = createHash("sha256");
    let length = 0;
    for await (const chunk of answer.chunks({ reuseMemory: true })) {
      // Meanwhile the next chunk is received, which must not touch this one.
      for (let turns = 0; turns < 60; turns++) await nextTurn();
      hash.update(chunk);
      length += chunk.length;
    }
    expect([length, hash.digest("hex")]).toEqual([bytes.length, digest(bytes)]);
  });

  it("is given as far as it came before the connection broke", async () => {
    await using out = await goOut(() => undefined);
    const half = bytes.subarray(0, bytes.length / 2);
    await using server = await serveRaw((socket) =>
      socket.end(Buffer.concat([head(`content-length: ${bytes.length}`), half])),
    );
    const answer = await out.context.host(server.url).stream(server.url);
    const kept: Uint8Array[] = [];
    const reading = async () => {
      for await (const chunk of answer.chunks()) kept.push(chunk);
    };
    await expect(reading()).rejects.toMatchObject({ code: "kernel/server-unreachable" });
    expect(digest(Buffer.concat(kept))).toBe(digest(half));
  });

  it("closes the connection when it is left early, or not read at all", async () => {
    await using out = await goOut(() => undefined);
    let closed = 0;
    await using server = await serveRaw((socket) => {
      socket.on("close", () => (closed += 1));
      socket.write(Buffer.concat([head(`content-length: ${bytes.length * 2}`), bytes]));
    });
    for await (const chunk of (await out.context.host(server.url).stream(server.url)).chunks())
      if (chunk.length > 0) break;
    (await out.context.host(server.url).stream(server.url)).discard();
    await expect.poll(() => closed, { timeout: 30_000 }).toBe(2);
  });

  it("leads to no address that the guard refuses, by its name or after a redirect", async () => {
    let asked = 0;
    await using out = await goOut(({ url, headers }, response) => {
      const [, port] = headers.host!.split(":");
      if (url === "/end") asked += 1;
      response.writeHead(302, { location: `http://localhost:${port}/end` }).end();
    });
    const refused = { code: "kernel/address-not-public" };
    const ask = (url: string, options = {}) => out.context.host(url).stream(url, options);
    await expect(ask(`http://localhost:${out.port}/end`, { publicOnly: true })).rejects.toMatchObject(refused);
    await expect(ask(`http://[::ffff:127.0.0.1]:${out.port}/end`, { publicOnly: true })).rejects.toMatchObject(refused);
    await expect(ask(`${out.url}moved`)).rejects.toMatchObject(refused);
    expect(asked).toBe(0);
  });
});

const head = (headers: string) => Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`);
