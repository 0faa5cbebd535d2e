import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, defineRoute, reply, type Content } from "@longbox/sdk";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { describe, expect, it } from "vitest";
import { until } from "../plugins/support.js";

const size = 100_000;
const bytes = randomBytes(size);

/** Two files that are one to clients: the bytes before the cut and behind it. What was read is noted. */
function joinedContent(asked: Array<[number, number]>): Content {
  const cut = 60_000;
  return {
    kind: "ranges",
    sizeBytes: size,
    contentType: "application/octet-stream",
    async *read(start, end) {
      asked.push([start, end]);
      if (start < cut) yield bytes.subarray(start, Math.min(cut, end + 1));
      if (end >= cut) yield bytes.subarray(Math.max(cut, start), end + 1);
    },
  };
}

/** The same bytes, read into memory of the kernel's, 1 kB after the other. */
function filledContent(asked: Array<[number, number]>, whole: Uint8Array = bytes): Content {
  return {
    kind: "filled",
    sizeBytes: whole.length,
    contentType: "application/octet-stream",
    async fill(target, start) {
      asked.push([start, start + target.length - 1]);
      for (let at = 0; at < target.length; at += 1024) {
        await Promise.resolve();
        target.set(whole.subarray(start + at, Math.min(start + at + 1024, start + target.length)), at);
      }
    },
  };
}

function serving(handle: (signal: AbortSignal) => Content, validator = "one") {
  const modified = new Date("2026-03-04T05:06:07Z");
  return startKernelTestHost({
    plugins: [
      {
        manifest: { id: "joined", title: "Joined", description: "", sdk: "^1.0.0" },
        plugin: definePlugin({
          activate(_, context) {
            const route = defineRoute({
              method: "GET",
              path: "/api/joined",
              access: "public",
              summary: "Joined files",
              handle: ({ signal }) => reply.content(handle(signal), { validator, lastModified: modified }),
            });
            context.routes([route]);
          },
        }),
      },
    ],
  });
}

interface Answer {
  readonly status: number;
  readonly range: string | undefined;
  readonly length: string | undefined;
  readonly body: Buffer;
}

function ask(url: string, method: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers: { ...headers, connection: "close" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode!,
          range: response.headers["content-range"],
          length: response.headers["content-length"],
          body: Buffer.concat(chunks),
        }),
      );
    });
    asking.once("error", reject).end();
  });
}

/** nginx with the same bytes as a file; undefined where there is none. */
async function startNginx() {
  const folder = await mkdtemp(join(tmpdir(), "longbox-nginx-"));
  await writeFile(join(folder, "joined"), bytes);
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const configuration = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; user root;
    events {} http { access_log off; server { listen 127.0.0.1:${port}; root ${folder}; } }`;
  await writeFile(join(folder, "conf"), configuration);
  const child = spawn("nginx", ["-c", join(folder, "conf")], { stdio: "ignore" });
  const failed = new Promise<"absent">((resolve) => child.once("error", () => resolve("absent")));
  const url = `http://127.0.0.1:${port}/joined`;
  const up = until(() =>
    fetch(url, { method: "HEAD" }).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  const state = await Promise.race([failed, up]);
  return {
    present: state !== "absent",
    url,
    async [Symbol.asyncDispose]() {
      if (state !== "absent") {
        child.kill();
        await once(child, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
    modified: (await stat(join(folder, "joined"))).mtime.toUTCString(),
  };
}

describe("content by range", () => {
  it("answers every single range as nginx answers it for a file", async (context) => {
    await using nginx = await startNginx();
    if (!nginx.present) return context.skip("there is no nginx here");
    const asked: Array<[number, number]> = [];
    await using host = await serving(() => joinedContent(asked));
    const edges = [0, 1, 2, 499, 59_999, 60_000, 60_001, size - 2, size - 1];
    const ranges = [
      ...edges.flatMap((start) => edges.filter((end) => end >= start).map((end) => `bytes=${start}-${end}`)),
      ...edges.map((start) => `bytes=${start}-`),
      ...[1, 2, 40_000, 40_001, size - 1, size, size + 1, 10 * size].map((last) => `bytes=-${last}`),
      ...[size, size + 1, 2 * size].flatMap((start) => [`bytes=${start}-`, `bytes=${start}-${start + 5}`]),
      `bytes=10-${size}`,
      `bytes=10-${size * 5}`,
      "bytes=-0",
      "lines=1-2",
    ];
    for (const range of ranges) {
      const [ours, theirs] = await Promise.all(
        [`${host.url}/api/joined`, nginx.url].map((url) => ask(url, "GET", { range })),
      );
      const seen = ({ status, range: part, length, body }: Answer) =>
        status === 416 ? [range, status, part] : [range, status, part, length, body.equals(ours!.body)];
      expect(seen(ours!)).toEqual(seen(theirs!));
    }
    const read = asked.reduce((sum, [start, end]) => sum + end - start + 1, 0);
    const sent = ranges.length * size;
    expect(read).toBeLessThan(sent);
  });

  it("asks for exactly the bytes that are sent, and for none at HEAD, 304 and 416", async () => {
    const asked: Array<[number, number]> = [];
    await using host = await serving(() => joinedContent(asked));
    const url = `${host.url}/api/joined`;
    expect(await ask(url, "GET", { range: "bytes=59990-60009" })).toMatchObject({
      status: 206,
      body: bytes.subarray(59_990, 60_010),
    });
    expect(await ask(url, "HEAD", {})).toMatchObject({ status: 200, length: String(size) });
    expect(await ask(url, "HEAD", { range: "bytes=0-1" })).toMatchObject({ status: 200, length: String(size) });
    expect((await ask(url, "GET", { "if-none-match": '"one"' })).status).toBe(304);
    expect((await ask(url, "GET", { range: `bytes=${size}-` })).range).toBe(`bytes */${size}`);
    expect(asked).toEqual([[59_990, 60_009]]);
  });

  it("keeps to a range only while it is of the same content", async () => {
    await using host = await serving(() => joinedContent([]));
    const with_ = async (ifRange: string) =>
      (await ask(`${host.url}/api/joined`, "GET", { range: "bytes=5-9", "if-range": ifRange })).status;
    expect(await with_('"one"')).toBe(206);
    expect(await with_('"two"')).toBe(200);
    expect(await with_('W/"one"')).toBe(200);
    expect(await with_("Wed, 04 Mar 2026 05:06:07 GMT")).toBe(206);
    expect(await with_("Wed, 04 Mar 2026 05:06:08 GMT")).toBe(200);
  });

  it("stops reading when the client goes away", async () => {
    let aborted = 0;
    let pieces = 0;
    await using host = await serving(() => ({
      kind: "ranges",
      sizeBytes: 1_000_000_000,
      contentType: "application/octet-stream",
      async *read(_start, _end, signal) {
        signal.addEventListener("abort", () => (aborted += 1), { once: true });
        for (;;) {
          pieces += 1;
          yield Buffer.alloc(65_536);
        }
      },
    }));
    const given = new AbortController();
    const answer = await fetch(`${host.url}/api/joined`, { signal: given.signal });
    await answer.body!.getReader().read();
    given.abort();
    await until(() => aborted === 1);
    // What the connection buffers, and no gigabyte.
    expect(pieces).toBeLessThan(1_000);
  });

  it("that fails at its beginning is an error, and later breaks off instead of passing for the whole", async () => {
    let faulty: Content = {
      kind: "ranges",
      sizeBytes: 10,
      contentType: "text/plain",
      read: () => Promise.reject(new Error("away")),
    };
    await using host = await serving(() => faulty);
    const url = `${host.url}/api/joined`;
    expect((await ask(url, "GET", {})).status).toBe(500);
    faulty = { ...faulty, read: () => Buffer.alloc(9) } as Content;
    expect((await ask(url, "GET", {})).status).toBe(502);
    faulty = {
      ...faulty,
      async *read() {
        yield Buffer.alloc(4);
      },
    } as Content;
    await expect(ask(url, "GET", {})).rejects.toThrow();
    faulty = { ...faulty, sizeBytes: 0 } as Content;
    expect(await ask(url, "GET", {})).toMatchObject({ status: 200, length: "0" });
  });

  it("can be read into memory that is used again, also for many clients at once and beyond that memory", async () => {
    const whole = randomBytes(5_000_000);
    const asked: Array<[number, number]> = [];
    await using host = await serving(() => filledContent(asked, whole));
    const url = `${host.url}/api/joined`;
    const ranges = [
      [0, 4_999_999],
      [0, 0],
      [1000, 900_000],
      [77, 3_000_077],
      [4_000_000, 4_999_999],
    ] as const;
    const answers = await Promise.all(
      [...ranges, ...ranges].map(([start, end]) => ask(url, "GET", { range: `bytes=${start}-${end}` })),
    );
    for (const [index, { status, body }] of answers.entries()) {
      const [start, end] = ranges[index % ranges.length]!;
      expect([status, body.equals(whole.subarray(start, end + 1))]).toEqual([206, true]);
    }
    const all = await ask(url, "GET", {});
    expect([all.status, all.body.equals(whole)]).toEqual([200, true]);
    asked.length = 0;
    expect(await ask(url, "HEAD", {})).toMatchObject({ status: 200, length: String(whole.length) });
    expect(asked).toEqual([]);
  });

  it("breaks off when reading into that memory fails later, and is an error when it fails at once", async () => {
    let failsAt = 0;
    const whole = randomBytes(4_000_000);
    await using host = await serving(() => ({
      kind: "filled",
      sizeBytes: whole.length,
      contentType: "application/octet-stream",
      async fill(target, start) {
        if (start + target.length > failsAt) throw new Error("away");
        target.set(whole.subarray(start, start + target.length));
      },
    }));
    expect((await ask(`${host.url}/api/joined`, "GET", {})).status).toBe(500);
    failsAt = 3_000_000;
    await expect(ask(`${host.url}/api/joined`, "GET", {})).rejects.toThrow();
  });

  it("stops reading into memory when the client goes away", async () => {
    let aborted = 0;
    await using host = await serving(() => ({
      kind: "filled",
      sizeBytes: 1_000_000_000,
      contentType: "application/octet-stream",
      async fill(target, start, signal) {
        if (start === 0) signal.addEventListener("abort", () => (aborted += 1), { once: true });
        target.fill(1);
      },
    }));
    const given = new AbortController();
    const answer = await fetch(`${host.url}/api/joined`, { signal: given.signal });
    await answer.body!.getReader().read();
    given.abort();
    await until(() => aborted === 1);
  });
});
