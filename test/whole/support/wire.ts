import { connect } from "node:net";

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

export interface WireRequest {
  readonly method: string;
  /** The target exactly as it is sent. */
  readonly target: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body?: Buffer | undefined;
}

/** Writes a request byte by byte as it is given: no client library would send most of these. */
export function bytesOf({ method, target, headers, body }: WireRequest): Buffer {
  const has = (wanted: string) => headers.some(([name]) => name.toLowerCase() === wanted);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: close",
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== undefined && !has("content-length") && !has("transfer-encoding"))
    lines.push(`Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body ?? Buffer.alloc(0)]);
}

/**
 * Sends bytes on a connection of their own, and reads until the server closes it.
 * @param hangUp - Ends the sending side once all is written
 * @returns nothing when the server closed without a word
 * @throws when the server says nothing for `patienceMs`
 */
export function exchange(
  url: string,
  bytes: Buffer,
  { patienceMs, hangUp = false }: { patienceMs: number; hangUp?: boolean },
): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    socket.setTimeout(patienceMs, () => {
      socket.destroy();
      reject(new Error(`No answer within ${patienceMs} ms.`));
    });
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      // A stream of events never ends by itself.
      if (chunks.length < 4 && /^content-type: text\/event-stream/im.test(Buffer.concat(chunks).toString("latin1")))
        finish();
    });
    socket.once("end", finish);
    // A server that refuses what is still being sent may reset the connection; what it said before counts.
    socket.once("error", finish);
    socket.write(bytes);
    if (hangUp) socket.end();
  });
}

/** Takes apart what a connection said: one answer after the other, those that only say to go on left out. */
export function readAnswers(bytes: Buffer): WireAnswer[] {
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (Number.isNaN(status)) return [];
  const rest = bytes.subarray(end + 4);
  if (status === 100) return readAnswers(rest);
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  if (headers.get("transfer-encoding") === "chunked") return [{ status, headers, body: joinChunks(rest) }];
  // An answer to HEAD says how long it would be, and is the last on its connection.
  const length = Number(headers.get("content-length") ?? rest.length);
  return [{ status, headers, body: rest.subarray(0, length) }, ...readAnswers(rest.subarray(length))];
}

function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (lineEnd < 0 || !(length > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
}
