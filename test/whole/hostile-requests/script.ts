import type { SeededRandom } from "@longbox/test/fixtures";
import { hostileBytes } from "../support/hostile-bytes.ts";
import type { Operation, RequestMaker } from "../support/requests.ts";
import { bytesOf, type WireRequest } from "../support/wire.ts";

/** One step of a script: what is sent, and how it is told of. */
export interface HostileStep {
  readonly told: string;
  readonly bytes: Buffer;
  /** Undefined for what is no request. */
  readonly request: WireRequest | undefined;
}

export interface ScriptParts {
  readonly random: SeededRandom;
  readonly maker: RequestMaker;
  readonly operations: readonly Operation[];
  readonly key: string;
  /** Paths of covers, pages and documents that the viewer may read. */
  readonly contents: readonly string[];
}

const typed = ["Content-Type", "application/json"] as const;
const million = 1_000_000;

const ranges = [
  "bytes=0-",
  "bytes=-1",
  "bytes=99999999999999999999-",
  "bytes=5-4",
  "bytes=a-b",
  `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join(",")}`,
  "chapters=1-2",
];
const conditions: ReadonlyArray<readonly [string, string]> = [
  ["If-None-Match", `"${"x".repeat(7000)}"`],
  ["If-None-Match", '"a",'.repeat(2000)],
  ["If-Range", "not a date"],
  ["If-Modified-Since", "yesterday"],
  ["Accept", "image/avif;q=1e999,".repeat(300)],
  ["Accept-Encoding", "gzip;q=-1,br;q=2"],
  ["Prefer", "wait=99999999999999"],
  ["X-Forwarded-For", "::1, 127.0.0.1, unknown"],
];
const oddQueries = [
  `w=${"9".repeat(500)}`,
  "w=-1&trim=2",
  "w=1e9&width=0x10",
  "w=%00&trim=%ud800",
  `search=${"%F0%9F%92%A9".repeat(600)}`,
  "search=%27%22%3B--&search=%25&sort=__proto__",
  "page=-1&limit=0&offset=99999999999999999999",
];

/** Bodies within and beyond their limits that cost more to read than to send. */
const bodies: readonly (() => string)[] = [
  () => JSON.stringify({ name: "t".repeat(3 * million) }),
  () => JSON.stringify({ name: "t".repeat(900_000), title: "\ud800".repeat(1000) }),
  () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  () => `[${"0,".repeat(450_000)}0]`,
  () => `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":${at}`).join(",")}}`,
  () => `{"ids":[${"1,".repeat(100_000)}1],"name":"\\u0000"}`,
  () => '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}',
  () => `{"name":"${"\\ud83d".repeat(50_000)}"}`,
];

/**
 * Steps without end: requests that are wrong in one thing, contents asked for oddly, costly bodies, and bytes that are
 * no request.
 */
export function* hostileScript({ random, maker, operations, key, contents }: ScriptParts): Generator<HostileStep> {
  const signed = (request: WireRequest): HostileStep => {
    const headers = request.headers.some(([name]) => /^(authorization|x-api-key|cookie)$/i.test(name))
      ? request.headers
      : [["X-Api-Key", key] as const, ...request.headers];
    const whole = { ...request, headers };
    return { told: describe(whole), bytes: bytesOf(whole), request: whole };
  };
  const odd = [...hostileBytes(key)];
  const writing = operations.filter(({ body }) => body !== undefined);
  for (;;) {
    const kind = random.next();
    if (kind < 0.6) yield signed(maker.make(random.pick(operations)));
    else if (kind < 0.8) yield signed(oddContent(random, contents));
    else if (kind < 0.9) yield signed(costlyBody(random, random.pick(writing)));
    else {
      const [told, bytes] = random.pick(odd);
      yield { told, bytes, request: undefined };
    }
  }
}

function oddContent(random: SeededRandom, contents: readonly string[]): WireRequest {
  const headers: Array<readonly [string, string]> = [];
  if (random.next() < 0.5) headers.push(["Range", random.pick(ranges)]);
  if (random.next() < 0.5) headers.push(random.pick(conditions));
  const query = random.next() < 0.5 ? `?${random.pick(oddQueries)}` : "";
  return { method: random.next() < 0.2 ? "HEAD" : "GET", target: random.pick(contents) + query, headers };
}

function costlyBody(random: SeededRandom, { method, path }: Operation): WireRequest {
  return {
    method,
    target: path.replaceAll(/\{[^}]*\}/g, "1"),
    headers: [typed],
    body: Buffer.from(random.pick(bodies)()),
  };
}

function describe({ method, target, headers, body }: WireRequest): string {
  const text = `${method} ${target} ${JSON.stringify(headers.slice(1))} ${body?.subarray(0, 200).toString() ?? ""}`;
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length})` : text;
}
