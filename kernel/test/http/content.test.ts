import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { defineRoute, LongboxError, reply, type Content, type ContentOptions } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { openDoor, type OpenDoor } from "./open-door.js";

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251));
const type = "application/octet-stream";

/** One route for each way in which the same thousand bytes can be given. */
async function serve(door: OpenDoor, options: ContentOptions = {}): Promise<Record<string, string>> {
  const file = join(door.folder, "content.bin");
  const archive = join(door.folder, "archive.bin");
  await writeFile(file, bytes);
  await writeFile(archive, Buffer.concat([Buffer.alloc(333, 1), bytes, Buffer.alloc(77, 2)]));
  const contents: Record<string, () => Content> = {
    bytes: () => ({ kind: "bytes", bytes, contentType: type }),
    file: () => ({ kind: "file", path: file, contentType: type }),
    slice: () => ({ kind: "slice", path: archive, offset: 333, length: 1000, contentType: type }),
    stream: () => ({
      kind: "stream",
      stream: Readable.from([bytes.subarray(0, 10), bytes.subarray(10, 600), bytes.subarray(600)], {
        objectMode: false,
      }),
      length: 1000,
      contentType: type,
    }),
  };
  door.mount(
    Object.entries(contents).map(([kind, content]) =>
      defineRoute({
        method: "GET",
        path: `/api/content/${kind}`,
        access: "public",
        summary: kind,
        handle: () => reply.content(content(), options),
      }),
    ),
  );
  return Object.fromEntries(Object.keys(contents).map((kind) => [kind, `/api/content/${kind}`]));
}

describe("ranges", () => {
  const cases: Array<[string, number, [number, number] | undefined]> = [
    ["bytes=0-99", 206, [0, 99]],
    ["bytes=0-1", 206, [0, 1]],
    ["bytes=0-", 206, [0, 999]],
    ["bytes=990-", 206, [990, 999]],
    ["bytes=990-5000", 206, [990, 999]],
    ["bytes=-4", 206, [996, 999]],
    ["bytes=-5000", 206, [0, 999]],
    ["bytes=5-5", 206, [5, 5]],
    ["bytes=5-2", 200, undefined],
    ["bytes=a-b", 200, undefined],
    ["bytes=-", 200, undefined],
    ["items=0-1", 200, undefined],
    ["bytes=0-1,5-6", 200, undefined],
    ["bytes=1000-", 416, undefined],
    ["bytes=-0", 416, undefined],
  ];

  it("are honoured alike for bytes, files, parts of files and streams of a known length", async () => {
    await using door = await openDoor();
    const paths = await serve(door, { validator: "v1" });
    for (const [kind, path] of Object.entries(paths)) {
      for (const [range, status, part] of cases) {
        const answer = await door.ask(path, { headers: { range } });
        const shown = [kind, range, answer.status];
        expect(shown).toEqual([kind, range, status]);
        if (part !== undefined) {
          expect([kind, range, answer.headers["content-range"]]).toEqual([
            kind,
            range,
            `bytes ${part[0]}-${part[1]}/1000`,
          ]);
          expect(answer.bytes.equals(bytes.subarray(part[0], part[1] + 1))).toBe(true);
          expect(answer.headers).toMatchObject({ etag: '"v1"', "accept-ranges": "bytes", "content-type": type });
        } else if (status === 200) expect(answer.bytes.equals(bytes)).toBe(true);
        else expect(answer.headers["content-range"]).toBe("bytes */1000");
      }
    }
  });

  it("do not stand when If-Range names another state, or only a weak one", async () => {
    await using door = await openDoor();
    const paths = await serve(door, { validator: "v1", lastModified: new Date("2026-01-02T03:04:05Z") });
    const ask = async (ifRange: string) =>
      (await door.ask(paths["slice"]!, { headers: { range: "bytes=0-9", "if-range": ifRange } })).status;
    expect([await ask('"v1"'), await ask('"v2"'), await ask('W/"v1"')]).toEqual([206, 200, 200]);
    expect([
      await ask("Fri, 02 Jan 2026 03:04:05 GMT"),
      await ask("Fri, 02 Jan 2026 03:04:06 GMT"),
      await ask("nonsense"),
    ]).toEqual([206, 200, 200]);
  });

  it("are left out of account for HEAD, whose headers are those of the whole", async () => {
    await using door = await openDoor();
    const paths = await serve(door);
    for (const path of Object.values(paths)) {
      const answer = await door.ask(path, { method: "HEAD", headers: { range: "bytes=0-9" } });
      expect(answer).toMatchObject({ status: 200, text: "", headers: { "content-length": "1000" } });
    }
  });
});

describe("conditions", () => {
  it("answer 304 without making the content", async () => {
    await using door = await openDoor();
    let made = 0;
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/page",
        access: "public",
        summary: "Page",
        handle: () =>
          reply.content(async () => ({ kind: "bytes", bytes: Buffer.from(String(++made)), contentType: type }), {
            validator: "v1",
            maxAgeSeconds: 60,
            vary: ["Accept"],
          }),
      }),
    ]);
    const first = await door.ask("/api/page");
    expect(first.headers).toMatchObject({
      etag: '"v1"',
      "cache-control": "private, max-age=60, must-revalidate",
      vary: "Accept",
    });
    for (const known of ['"v1"', 'W/"v1"', '"v0", "v1"', "*"]) {
      const again = await door.ask("/api/page", { headers: { "if-none-match": known } });
      expect([known, again.status, again.text]).toEqual([known, 304, ""]);
      expect(again.headers).toMatchObject({
        etag: '"v1"',
        "cache-control": "private, max-age=60, must-revalidate",
        vary: "Accept",
      });
    }
    expect(made).toBe(1);
    expect((await door.ask("/api/page", { headers: { "if-none-match": '"v2"' } })).status).toBe(200);
    expect((await door.ask("/api/page", { headers: { "if-match": '"v2"' } })).status).toBe(412);
    expect((await door.ask("/api/page", { headers: { "if-match": '"v1"' } })).status).toBe(200);
  });

  it("make a file's validator of its size and time, so that it changes with the file", async () => {
    await using door = await openDoor();
    const { file } = await serve(door);
    const first = await door.ask(file!);
    const known = { "if-none-match": first.headers["etag"]! };
    expect((await door.ask(file!, { headers: known })).status).toBe(304);
    expect((await door.ask(file!, { headers: { "if-modified-since": first.headers["last-modified"]! } })).status).toBe(
      304,
    );
    await writeFile(join(door.folder, "other.bin"), "other");
    await rename(join(door.folder, "other.bin"), join(door.folder, "content.bin"));
    expect(await door.ask(file!, { headers: known })).toMatchObject({ status: 200, text: "other" });
  });

  it("let a JSON answer be 304 while it is the same", async () => {
    await using door = await openDoor();
    let state = 1;
    door.mount([
      defineRoute({ method: "GET", path: "/api/state", access: "public", summary: "State", handle: () => ({ state }) }),
    ]);
    const first = await door.ask("/api/state");
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/".+"$/),
      "cache-control": "private, no-cache",
    });
    const known = { "if-none-match": first.headers["etag"]! };
    expect(await door.ask("/api/state", { headers: known })).toMatchObject({ status: 304, text: "" });
    state = 2;
    expect(await door.ask("/api/state", { headers: known })).toMatchObject({ status: 200, body: { state: 2 } });
  });
});

describe("compression", () => {
  const list = Array.from({ length: 500 }, (_, id) => ({ id, title: "The same title again" }));
  const listing = defineRoute({
    method: "GET",
    path: "/api/list",
    access: "public",
    summary: "List",
    handle: () => list,
  });

  it("is used for JSON when it is accepted, with a tag that stays comparable", async () => {
    await using door = await openDoor();
    door.mount([listing]);
    const plain = await door.ask("/api/list");
    const brotli = await door.ask("/api/list", { headers: { "accept-encoding": "gzip, br" } });
    const gzip = await door.ask("/api/list", { headers: { "accept-encoding": "gzip;q=0.5, br;q=0" } });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
    expect(JSON.parse(brotliDecompressSync(brotli.bytes).toString())).toEqual(list);
    expect(JSON.parse(gunzipSync(gzip.bytes).toString())).toEqual(list);
    expect(new Set([plain, brotli, gzip].map((answer) => answer.headers["etag"])).size).toBe(1);
    for (const answer of [plain, brotli, gzip]) expect(answer.headers["vary"]).toContain("Accept-Encoding");
    expect(Number(brotli.headers["content-length"])).toBe(brotli.bytes.length);
  });

  it.each([{ validator: "v1" }, { validator: "v1", vary: ["Accept"] }])(
    "is named by 304 as by the whole answer, with %o",
    async (options) => {
      await using door = await openDoor();
      door.mount([
        defineRoute({
          method: "GET",
          path: "/api/feed",
          access: "public",
          summary: "Feed",
          handle: () => reply.text("word ".repeat(1000), "application/atom+xml", options),
        }),
      ]);
      const whole = await door.ask("/api/feed");
      const known = await door.ask("/api/feed", { headers: { "if-none-match": whole.headers["etag"]! } });
      expect([whole.status, known.status]).toEqual([200, 304]);
      expect(known.headers["vary"]).toContain("Accept-Encoding");
      expect(known.headers["vary"]).toBe(whole.headers["vary"]);
    },
  );

  it("never gives one content for another that has the same validator", async () => {
    await using door = await openDoor();
    const give = (letter: string) =>
      defineRoute({
        method: "GET",
        path: `/api/${letter}` as "/",
        access: "public",
        summary: letter,
        handle: () => reply.text(letter.repeat(5000), "text/plain", { validator: "v1" }),
      });
    let turn = 0;
    const turning = defineRoute({
      method: "GET",
      path: "/api/turning",
      access: "public",
      summary: "Turning",
      handle: () => reply.text(String(++turn).repeat(5000), "text/plain", { validator: "v1" }),
    });
    door.mount([give("a"), give("b"), turning]);
    const first = async (path: string) =>
      brotliDecompressSync((await door.ask(path, { headers: { "accept-encoding": "br" } })).bytes).toString()[0];
    expect([
      await first("/api/a"),
      await first("/api/b"),
      await first("/api/a"),
      await first("/api/turning"),
      await first("/api/turning"),
    ]).toEqual(["a", "b", "a", "1", "2"]);
  });

  it("is used for feeds, and not for images, archives, small answers or parts", async () => {
    await using door = await openDoor();
    const route = (name: string, contentType: string, length: number) =>
      defineRoute({
        method: "GET",
        path: `/api/${name}` as "/",
        access: "public",
        summary: name,
        handle: () =>
          reply.content({ kind: "bytes", bytes: Buffer.alloc(length, 65), contentType }, { validator: "v1" }),
      });
    door.mount([
      route("feed", "application/atom+xml", 5000),
      route("image", "image/webp", 5000),
      route("archive", "application/vnd.comicbook+zip", 5000),
      route("small", "text/plain", 500),
      listing,
    ]);
    const coding = async (path: string, more = {}) =>
      (await door.ask(path, { headers: { "accept-encoding": "br", ...more } })).headers["content-encoding"];
    expect([
      await coding("/api/feed"),
      await coding("/api/image"),
      await coding("/api/archive"),
      await coding("/api/small"),
      await coding("/api/feed", { range: "bytes=0-99" }),
    ]).toEqual(["br", undefined, undefined, undefined, undefined]);
    expect((await door.ask("/api/feed", { headers: { "accept-encoding": "br" } })).headers["etag"]).toBe('W/"v1"');
  });
});

describe("content", () => {
  it("offers a download under a tidy name, in every alphabet", async () => {
    await using door = await openDoor();
    const paths = await serve(door, { downloadName: 'Moth "Patrol"\r\nX: 1/½ – 月.cbz' });
    const disposition = (await door.ask(paths["bytes"]!)).headers["content-disposition"]!;
    expect(disposition).toMatch(/^attachment; filename="/);
    expect(disposition).toContain("filename*=UTF-8''");
    expect(decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(disposition)![1]!)).toBe('Moth "Patrol"X: 1-½ – 月.cbz');
    // For clients that know no filename*: ASCII, and another one for another letter.
    const plain = /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)![1]!;
    expect(plain).toMatch(/^Moth \\"Patrol\\"X: 1-1_[0-9a-f]{6}2 _[0-9a-f]{6} _[0-9a-f]{6}\.cbz$/);
  });

  it("that could run scripts is shut into a sandbox", async () => {
    await using door = await openDoor();
    const give = (name: string, contentType: string) =>
      defineRoute({
        method: "GET",
        path: `/api/${name}` as "/",
        access: "public",
        summary: name,
        handle: () => reply.text("<svg/>", contentType),
      });
    door.mount([
      give("drawing", "image/svg+xml"),
      give("chapter", "application/xhtml+xml; charset=utf-8"),
      give("plain", "text/plain"),
    ]);
    const policy = async (path: string) => (await door.ask(path)).headers["content-security-policy"];
    expect(await policy("/api/drawing")).toMatch(/sandbox$/);
    expect(await policy("/api/chapter")).toMatch(/sandbox$/);
    expect(await policy("/api/plain")).not.toContain("sandbox");
  });

  it("that is gone, or shorter than it was said to be, is an error and no half answer", async () => {
    await using door = await openDoor();
    const file = join(door.folder, "short.bin");
    await writeFile(file, "short");
    const give = (name: string, content: Content) =>
      defineRoute({
        method: "GET",
        path: `/api/${name}` as "/",
        access: "public",
        summary: name,
        handle: () => reply.content(content),
      });
    const validated = defineRoute({
      method: "GET",
      path: "/api/validated",
      access: "public",
      summary: "Validated",
      handle: () =>
        reply.content({ kind: "slice", path: file, offset: 2, length: 100, contentType: type }, { validator: "v1" }),
    });
    door.mount([
      give("gone", { kind: "file", path: join(door.folder, "none"), contentType: type }),
      give("short", { kind: "slice", path: file, offset: 2, length: 100, contentType: type }),
      validated,
      give("folder", { kind: "file", path: door.folder, contentType: type }),
    ]);
    expect([
      (await door.ask("/api/gone")).status,
      (await door.ask("/api/short")).status,
      (await door.ask("/api/validated")).status,
      (await door.ask("/api/folder")).status,
    ]).toEqual([404, 503, 503, 404]);
    expect(door.faults).toEqual([]);
  });

  it("is read through the plugin that has the file open, whole and in parts; a failure there sends no partial answer", async () => {
    await using door = await openDoor();
    const text = Buffer.from("longbox ".repeat(10_000));
    const asked: Array<[number, number]> = [];
    const give = (name: string, read: (target: Uint8Array, position: number) => Promise<void>) =>
      defineRoute({
        method: "GET",
        path: `/api/${name}` as "/",
        access: "public",
        summary: name,
        handle: () =>
          reply.content(
            { kind: "slice", path: join(door.folder, "none"), offset: 800, length: 70_000, contentType: type, read },
            { validator: "v1" },
          ),
      });
    door.mount([
      give("held", async (target, position) => {
        asked.push([position, target.length]);
        text.copy(target, 0, position);
      }),
      give("failing", async () =>
        Promise.reject(new LongboxError("unavailable", "example/changed", "The file was changed.")),
      ),
    ]);
    expect((await door.ask("/api/held")).bytes.equals(text.subarray(800, 70_800))).toBe(true);
    expect((await door.ask("/api/held", { headers: { range: "bytes=8-15" } })).bytes.toString()).toBe("longbox ");
    expect((await door.ask("/api/held", { headers: { "if-none-match": '"v1"' } })).status).toBe(304);
    expect((await door.ask("/api/held", { method: "HEAD" })).headers["content-length"]).toBe("70000");
    expect(asked).toEqual([
      [800, 70_000],
      [808, 8],
    ]);
    expect((await door.ask("/api/failing")).status).toBe(503);
  });

  it("of any size goes out whole and in parts without being held in memory", async () => {
    await using door = await openDoor();
    const file = join(door.folder, "large.bin");
    const large = Buffer.alloc(20 * 1024 * 1024, "longbox ");
    await writeFile(file, large);
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/large",
        access: "public",
        summary: "Large",
        handle: () => reply.content({ kind: "file", path: file, contentType: type }),
      }),
    ]);
    expect((await door.ask("/api/large")).bytes.equals(large)).toBe(true);
    const part = await door.ask("/api/large", { headers: { range: "bytes=5000000-14999999" } });
    expect(part.bytes.equals(large.subarray(5_000_000, 15_000_000))).toBe(true);
  });

  it("cuts the connection when a stream is shorter or longer than it was said to be", async () => {
    await using door = await openDoor();
    const give = (name: string, length: number) =>
      defineRoute({
        method: "GET",
        path: `/api/${name}` as "/",
        access: "public",
        summary: name,
        handle: () =>
          reply.content({
            kind: "stream",
            stream: Readable.from([Buffer.alloc(50)], { objectMode: false }),
            length,
            contentType: type,
          }),
      });
    door.mount([give("shorter", 100), give("longer", 10), give("right", 50)]);
    await expect(door.ask("/api/shorter")).rejects.toThrow();
    await expect(door.ask("/api/longer").then((answer) => answer.bytes.length)).rejects.toThrow();
    expect((await door.ask("/api/right")).bytes.length).toBe(50);
  });

  it("cuts the connection when a stream breaks in the middle", async () => {
    await using door = await openDoor();
    async function* broken() {
      yield Buffer.alloc(10);
      throw new Error("the source went away");
    }
    door.mount([
      defineRoute({
        method: "GET",
        path: "/api/broken",
        access: "public",
        summary: "Broken",
        handle: () =>
          reply.content({
            kind: "stream",
            stream: Readable.from(broken(), { objectMode: false }),
            length: 100,
            contentType: type,
          }),
      }),
    ]);
    await expect(door.ask("/api/broken")).rejects.toThrow();
    expect((await door.ask("/healthz")).status).toBe(200);
  });
});
