import { existsSync } from "node:fs";
import { appendFile, mkdtemp, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startNginx, type Nginx } from "../../../test/bench/support/nginx.ts";
import { flacFile } from "./support/lossless-file.js";
import { openListeningRoom, type ListeningRoom } from "./support/listening-room.js";
import { frameSeconds, mp3File } from "./support/mp3-file.js";
import { mp4File } from "./support/mp4-file.js";
import { opusFile } from "./support/opus-file.js";

const parts = 60;
/** Each part is a little longer than the one before, so that no two are alike; the tags must not be heard. */
const partSeconds = (index: number) => (index + 20) * frameSeconds;
const part = (index: number, hasTags: boolean) =>
  mp3File({
    seconds: partSeconds(index),
    ...(hasTags && {
      hasInfo: index % 2 === 0,
      hasId3v1: index % 3 === 0,
      id3: { texts: { TALB: "Sixty", TIT2: `Chapter ${index + 1}`, TRCK: String(index + 1) } },
    }),
  });
const indexes = Array.from({ length: parts }, (_, index) => index);
const joined = Buffer.concat(indexes.map((index) => part(index, false)));
const whole = mp4File({ seconds: 20 });

let room: ListeningRoom;
let nginx: Nginx | undefined;
let plain: string;
let ids: Record<string, number>;
beforeAll(async () => {
  plain = await mkdtemp(join(tmpdir(), "longbox-plain-"));
  await Promise.all([writeFile(join(plain, "Sixty"), joined), writeFile(join(plain, "Whole"), whole)]);
  nginx = await startNginx(plain);
  room = await openListeningRoom({
    ...Object.fromEntries(indexes.map((index) => [`Sixty/${index + 1}.mp3`, part(index, true)])),
    "Whole.m4b": whole,
    "Discs/Disc 1.m4b": mp4File({ seconds: 2 }),
    "Discs/Disc 2.m4b": mp4File({ seconds: 3 }),
    "Waves/01.opus": opusFile({ seconds: 2 }),
    "Waves/02.opus": opusFile({ seconds: 1 }),
    "Reeds/1.flac": flacFile({ seconds: 1 }),
    "Reeds/2.flac": flacFile({ seconds: 1 }),
  });
  ids = Object.fromEntries(Object.entries(await room.books()).map(([title, { id }]) => [title, id]));
});
afterAll(async () => {
  await nginx?.[Symbol.asyncDispose]();
  await room[Symbol.asyncDispose]();
  await rm(plain, { recursive: true, force: true });
});

async function stream(title: string, headers: Record<string, string> = {}, query = "", method = "GET") {
  const key = room.host.as("viewer").key!;
  const answer = await fetch(`${room.host.url}/api/audiobooks/issue/${ids[title]}/stream${query}`, {
    method,
    headers: { "x-api-key": key, ...headers },
  });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const size = (title: string) => (title === "Sixty" ? joined : whole).length;
const seam = part(0, false).length;
const ranges = (length: number) => [
  "bytes=0-",
  "bytes=0-0",
  "bytes=0-1",
  "bytes=1-4",
  `bytes=${seam - 1}-${seam}`,
  `bytes=${seam}-${seam}`,
  `bytes=${seam - 10}-${seam * 5}`,
  "bytes=500-",
  "bytes=-1",
  "bytes=-500",
  `bytes=-${length}`,
  `bytes=-${length + 1000}`,
  `bytes=0-${length - 1}`,
  `bytes=0-${length}`,
  `bytes=${length - 1}-`,
  `bytes=${length - 1}-${length + 10}`,
  `bytes=${length}-`,
  `bytes=${length + 1}-${length + 2}`,
];

/** Conditions alone, in pairs, and with a range. @param etag, changed - the validators of the server that is asked */
function conditionsOf({ etag, changed }: { etag: string; changed: string }): Array<Record<string, string>> {
  const [range, older] = ["bytes=10-19", "Sat, 01 Jan 2000 00:00:00 GMT"];
  return [
    ...[etag, "*", `"x", ${etag}`, `W/${etag}`, '"x"'].map((tag) => ({ "if-none-match": tag })),
    ...[etag, "*", `"x", ${etag}`, '"x"'].map((tag) => ({ "if-match": tag })),
    ...[changed, older].flatMap((date) => [{ "if-modified-since": date }, { "if-unmodified-since": date }]),
    ...[etag, `W/${etag}`, '"x"', changed, older].map((value) => ({ range, "if-range": value })),
    { range, "if-none-match": etag },
    { range, "if-match": etag },
    { range, "if-match": '"x"' },
    { range, "if-unmodified-since": older },
    { "if-none-match": '"x"', "if-modified-since": changed },
  ];
}

describe("a range", () => {
  it.each(["Sixty", "Whole"])(
    "is answered as nginx answers it: %s",
    needs(
      ["/usr/sbin/nginx", "/usr/bin/nginx"].some((path) => existsSync(path)),
      "nginx is not installed",
    ),
    async (title) => {
      const seen = async (answer: Response, bytes: Buffer) => [
        answer.status,
        answer.headers.get("content-range"),
        answer.status === 416 ? undefined : answer.headers.get("content-length"),
        answer.status === 416 ? undefined : bytes.toString("base64"),
      ];
      for (const range of ranges(size(title))) {
        const theirs = await fetch(`${nginx!.url}/${title}`, { headers: { range } });
        const { answer, bytes } = await stream(title, { range });
        const expected = await seen(theirs, Buffer.from(await theirs.arrayBuffer()));
        expect([range, ...(await seen(answer, bytes))]).toEqual([range, ...expected]);
      }
    },
  );

  it.each(["Sixty", "Whole"])(
    "with conditions is answered as nginx answers it: %s",
    needs(
      ["/usr/sbin/nginx", "/usr/bin/nginx"].some((path) => existsSync(path)),
      "nginx is not installed",
    ),
    async (title) => {
      const theirs = (headers: Record<string, string>) => fetch(`${nginx!.url}/${title}`, { headers });
      const ours = async (headers: Record<string, string>) => (await stream(title, headers)).answer;
      for (const [index, conditions] of conditionsOf({ etag: "", changed: "" }).entries()) {
        const seen = await Promise.all(
          [theirs, ours].map(async (ask) => {
            const { headers } = await ask({ range: "bytes=0-0" });
            const own = { etag: headers.get("etag")!, changed: headers.get("last-modified")! };
            const answer = await ask(conditionsOf(own)[index]!);
            if (!answer.bodyUsed) await answer.arrayBuffer();
            return [answer.status, answer.headers.get("content-range")];
          }),
        );
        expect([conditions, seen[1]]).toEqual([conditions, seen[0]]);
      }
    },
  );

  it.each(["bytes=5-2", "bytes=a-b", "lines=0-5", "bytes", "bytes="])("that is none is ignored: %s", async (range) => {
    const { answer, bytes } = await stream("Sixty", { range });
    expect([answer.status, bytes.equals(joined)]).toEqual([200, true]);
  });
});

describe("an answer", () => {
  it("names type, length and a strong validator, also for HEAD", async () => {
    for (const [title, type] of [
      ["Sixty", "audio/mpeg"],
      ["Whole", "audio/mp4"],
    ] as const) {
      const { answer, bytes } = await stream(title, {}, "", "HEAD");
      const { headers } = answer;
      expect([answer.status, bytes.length, headers.get("content-type"), headers.get("accept-ranges")]).toEqual([
        200,
        0,
        type,
        "bytes",
      ]);
      expect([headers.get("content-length"), headers.get("x-content-type-options")]).toEqual([
        String(size(title)),
        "nosniff",
      ]);
      expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
      expect(headers.get("cache-control")).not.toMatch(/public/);
    }
  });

  it("is 304, 206 or the whole by the validators of the client", async () => {
    const etag = (await stream("Sixty", {}, "", "HEAD")).answer.headers.get("etag")!;
    const range = "bytes=10-19";
    expect((await stream("Sixty", { "if-none-match": etag })).answer.status).toBe(304);
    expect((await stream("Sixty", { "if-none-match": '"other"' })).answer.status).toBe(200);
    expect((await stream("Sixty", { range, "if-range": etag })).answer.status).toBe(206);
    expect((await stream("Sixty", { range, "if-range": '"other"' })).answer.status).toBe(200);
    expect((await stream("Sixty", { range, "if-range": `W/${etag}` })).answer.status).toBe(200);
    expect((await stream("Sixty", { range, "if-match": '"other"' })).answer.status).toBe(412);
  });
});

describe("a book of several files", () => {
  it("is one timeline of all of them, each of which can be had alone", async () => {
    const viewer = room.host.as("viewer");
    const { body } = await viewer.get(`/api/audiobooks/issue/${ids["Sixty"]}/chapters`);
    const seconds = indexes.reduce((sum, index) => sum + partSeconds(index), 0);
    expect(body.chapters).toHaveLength(parts);
    expect(body.duration).toBeCloseTo(seconds, 2);
    expect(body.chapters[59]).toMatchObject({ title: "Chapter 60", end: body.duration });
    expect(body.chapters[30].start).toBeCloseTo(
      indexes.slice(0, 30).reduce((sum, index) => sum + partSeconds(index), 0),
      2,
    );
    const { bytes } = await stream("Sixty", {}, "?part=59");
    expect(bytes.equals(part(59, true))).toBe(true);
    expect((await stream("Sixty", {}, "?part=60")).answer.status).toBe(404);
  });

  it("is joined where its format can be, and says so where it cannot", async () => {
    const waves = await stream("Waves");
    expect(waves.bytes.equals(Buffer.concat([opusFile({ seconds: 2 }), opusFile({ seconds: 1 })]))).toBe(true);
    for (const title of ["Discs", "Reeds"]) {
      const { answer, bytes } = await stream(title);
      expect([answer.status, JSON.parse(bytes.toString())]).toMatchObject([
        409,
        { code: "audiobooks/parts-only", details: { parts: 2 } },
      ]);
      const { body } = await room.host.as("viewer").get(`/api/audiobooks/issue/${ids[title]}/chapters`);
      expect([body.joined, body.parts.length]).toEqual([false, 2]);
      expect((await stream(title, {}, "?part=1")).answer.status).toBe(200);
    }
  });

  it("is not sent with bytes of a file that changed, and is sent again after the next scan", async () => {
    const before = (await stream("Waves", {}, "", "HEAD")).answer.headers.get("etag");
    await appendFile(join(room.root, "Waves/02.opus"), opusFile({ seconds: 1 }));
    const range = `bytes=${opusFile({ seconds: 2 }).length}-`;
    expect(
      await stream("Waves", { range }).then(
        ({ answer }) => answer.status,
        () => "aborted",
      ),
    ).not.toBe(206);
    await room.scan();
    const { answer, bytes } = await stream("Waves", { "if-none-match": before! });
    expect([answer.status, bytes.length]).toEqual([
      200,
      opusFile({ seconds: 2 }).length + 2 * opusFile({ seconds: 1 }).length,
    ]);
  });

  it("is opened again when another file was renamed into its place while it is being played", async () => {
    const path = join(room.root, "Whole.m4b");
    const { mtime } = await stat(path);
    const first = await stream("Whole", { range: "bytes=0-99" });
    const other = Buffer.from(whole);
    other.fill(7, other.length - 100);
    await writeFile(`${path}.new`, other);
    // Nothing but the file itself is another one.
    await utimes(`${path}.new`, mtime, mtime);
    await rename(`${path}.new`, path);
    await expect
      .poll(async () => (await stream("Whole", { range: "bytes=-100" })).bytes.equals(other.subarray(-100)), {
        timeout: 3000,
      })
      .toBe(true);
    expect(first.answer.status).toBe(206);
  });
});
