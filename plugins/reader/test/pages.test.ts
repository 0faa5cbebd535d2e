import { readdir, readFile, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import { comicEntries, writeArchive } from "@longbox/test/fixtures";
import { openReadingRoom, until, type ReadingRoom } from "./support/reading-room.js";

describe("pages of an issue", () => {
  let room: ReadingRoom;
  let page: (n: number | string, query?: string) => string;
  beforeAll(async () => {
    room = await openReadingRoom({
      plans: [
        { title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], size: { width: 900, height: 1350 }, pages: 6 },
      ],
    });
    const { cvIssueId } = await room.issue("Moth Patrol", "2");
    page = (n, query = "") => `/api/reader/issue/${cvIssueId}/page/${n}${query}`;
  });
  afterAll(() => room[Symbol.asyncDispose]());

  it("opens an issue with its pages, its neighbours and nothing read", async () => {
    const [one, two, three] = await Promise.all(["1", "2", "3"].map((number) => room.issue("Moth Patrol", number)));
    const { status, body } = await room.host.as("viewer").get(`/api/reader/issue/${two!.cvIssueId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: two!.id,
      cvIssueId: two!.cvIssueId,
      series: "Moth Patrol",
      number: "2",
      pageCount: 6,
      direction: "ltr",
      progress: null,
      bookmarks: [],
      later: false,
      neighbours: {
        previous: { cvIssueId: one!.cvIssueId, number: "1" },
        next: { cvIssueId: three!.cvIssueId, number: "3" },
      },
    });
    expect(
      body.pages.map((each: { page: number; name: string; contentType: string }) => [
        each.page,
        each.name,
        each.contentType,
      ]),
    ).toEqual([0, 1, 2, 3, 4, 5].map((n) => [n, `00${n + 1}.jpg`, "image/jpeg"]));
  });

  it("sends the bytes of the page as they are in the archive", async () => {
    const entries = await comicEntries({
      series: "Moth Patrol",
      number: "2",
      pages: 6,
      size: { width: 900, height: 1350 },
    });
    const answer = await room.host.as("viewer").get(page(3));
    expect(answer.headers.get("content-type")).toBe("image/jpeg");
    expect(answer.headers.get("vary")).toContain("Accept");
    expect(Buffer.from(answer.bytes).equals(entries.get("004.jpg")!)).toBe(true);
  });

  it("answers 304 to who has the page, and another tag for another page, width, trim or format", async () => {
    const viewer = room.host.as("viewer");
    const webp = { Accept: "image/webp,*/*" };
    const asked: Array<[string, Record<string, string>]> = [
      [page(1), {}],
      [page(2), {}],
      [page(1, "?w=320"), {}],
      [page(1, "?w=480"), {}],
      [page(1, "?w=480&trim=1"), {}],
      [page(1, "?w=480"), webp],
    ];
    const tags = await Promise.all(
      asked.map(async ([path, headers]) => (await viewer.get(path, headers)).headers.get("etag")!),
    );
    expect(new Set(tags).size).toBe(asked.length);
    const again = await Promise.all(
      asked.map(([path, headers], index) => viewer.get(path, { ...headers, "If-None-Match": tags[index]! })),
    );
    expect(again.map(({ status, bytes }) => [status, bytes.length])).toEqual(asked.map(() => [304, 0]));
  });

  it("snaps widths up, never enlarges, and makes WebP only for who names it", async () => {
    const viewer = room.host.as("viewer");
    const shapes = await Promise.all(
      (
        [
          ["?w=300", "image/webp"],
          ["?w=300", "*/*"],
          ["?w=320", "image/avif"],
          ["?w=2000", "image/webp,image/avif"],
          ["?w=1", ""],
        ] as const
      ).map(async ([query, Accept]) => {
        const { bytes, headers } = await viewer.get(page(1, query), { Accept });
        const { width, format } = await sharp(bytes).metadata();
        return [width, format, headers.get("content-type")];
      }),
    );
    expect(shapes).toEqual([
      [320, "webp", "image/webp"],
      [320, "jpeg", "image/jpeg"],
      [320, "heif", "image/avif"],
      [900, "webp", "image/webp"],
      [160, "jpeg", "image/jpeg"],
    ]);
  });

  it("honours ranges and answers HEAD as GET without a body", async () => {
    const viewer = room.host.as("viewer");
    const whole = await viewer.get(page(2));
    const part = await viewer.get(page(2), { Range: "bytes=10-19" });
    expect([part.status, Buffer.from(part.bytes)]).toEqual([206, Buffer.from(whole.bytes.subarray(10, 20))]);
    const head = await fetch(room.host.url + page(2), { method: "HEAD", headers: { "X-Api-Key": viewer.key! } });
    expect([head.status, head.headers.get("content-length"), head.headers.get("etag")]).toEqual([
      200,
      String(whole.bytes.length),
      whole.headers.get("etag"),
    ]);
  });

  it("lets a client keep a page without asking when it names the version of the file", async () => {
    const viewer = room.host.as("viewer");
    const { version } = (await viewer.get(page(0).replace(/\/page.*/, ""))).body;
    const kept = await Promise.all(
      [page(1, `?v=${version}`), page(1, "?v=older"), page(1)].map(async (path) =>
        (await viewer.get(path)).headers.get("cache-control"),
      ),
    );
    expect(kept).toEqual(["private, max-age=2592000, must-revalidate", "private, no-cache", "private, no-cache"]);
  });

  it.each([
    ["99", 404],
    ["6", 404],
    ["-1", 400],
    ["x", 400],
    ["1.5", 400],
    ["1?w=0", 400],
    ["1?w=wide", 400],
    ["1?trim=maybe", 400],
  ])("refuses page %s with %i", async (n, status) => {
    const answer = await room.host.as("viewer").get(page(n));
    expect([answer.status, typeof answer.body.error, typeof answer.body.code]).toEqual([status, "string", "string"]);
  });

  it.each(["6", "6?w=320"])(
    "answers 404 for page %s, which is not there, whatever tags the client names",
    async (n) => {
      const viewer = room.host.as("viewer");
      const tag = (await viewer.get(page(1, n.slice(1)))).headers.get("etag")!;
      const answers = await Promise.all(
        [{ "If-None-Match": "*" }, { "If-None-Match": tag }, { "If-None-Match": tag.replace("-1", "-6") }].map(
          (headers) => viewer.get(page(n), headers),
        ),
      );
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        Array(3).fill([404, "comics/no-such-page"]),
      );
    },
  );

  it("answers 404 for an unknown issue, 401 without a credential", async () => {
    expect((await room.host.as("viewer").get("/api/reader/issue/987654/page/0")).body.code).toBe(
      "reader/no-such-issue",
    );
    expect((await room.host.as("anonymous").get(page(0))).status).toBe(401);
  });

  it("prepares the next pages while one is read", async () => {
    const viewer = room.host.as("viewer");
    const made = async () =>
      (await readdir(room.host.dataFolder, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile() && entry.parentPath.includes("pages"),
      ).length;
    const before = await made();
    await viewer.get(page(0, "?w=640"), { Accept: "image/webp" });
    await until(async () => (await made()) >= before + 4, "The next three pages were not prepared.");
  });
});

describe("pages that take long to make", () => {
  it("are cancelled when their client has gone, unless another client waits too", async () => {
    await using room = await openReadingRoom({
      plans: [{ title: "Moth Patrol", year: 2019, issues: ["1"], size: { width: 1200, height: 1800 }, pages: 16 }],
    });
    const { cvIssueId } = await room.issue("Moth Patrol", "1");
    await room.host.as("admin").post("/api/settings", { comics: { pagesAhead: 0 } });
    const made = async () =>
      (await readdir(room.host.dataFolder, { recursive: true, withFileTypes: true })).filter(
        (entry) => entry.isFile() && entry.parentPath.includes("pages"),
      ).length;
    const before = await made();
    const gone = new AbortController();
    const { key } = room.host.as("viewer");
    const ask = (n: number, signal?: AbortSignal) =>
      fetch(`${room.host.url}/api/reader/issue/${cvIssueId}/page/${n}?w=1200`, {
        headers: { "X-Api-Key": key!, Accept: "image/avif" },
        ...(signal && { signal }),
      });
    const asked = Array.from({ length: 15 }, (_, n) =>
      ask(n, gone.signal).then(
        () => "answered",
        () => "gone",
      ),
    );
    const stays = ask(14);
    expect(await Promise.race(asked)).toBe("answered");
    gone.abort();
    const answers = await Promise.all(asked);
    expect((await stays).status).toBe(200);
    expect((await ask(15)).status).toBe(200);
    const finished = answers.filter((answer) => answer === "answered").length;
    expect(finished).toBeLessThan(6);
    // Those that were being made when the client went, at most one a lane, are finished and kept.
    expect((await made()) - before).toBeLessThanOrEqual(finished + 3 + 2);
  });

  it("are sent as they are, by their own type, when they cannot be changed", async () => {
    const bmp = Buffer.alloc(58);
    bmp.write("BM");
    const broken = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(400, 7)]);
    await using room = await openReadingRoom({
      plans: [],
      fill: (root) =>
        writeArchive(
          join(root, "Odd Box (2020)", "Odd Box 001 (2020).cbz"),
          new Map<string, Uint8Array>([
            ["1.bmp", bmp],
            ["2.jpg", broken],
          ]),
        ),
    });
    const { cvIssueId } = await room.issue("Odd Box", "1");
    const answers = await Promise.all(
      [0, 1].map((n) =>
        room.host.as("viewer").get(`/api/reader/issue/${cvIssueId}/page/${n}?w=640&trim=1`, { Accept: "image/webp" }),
      ),
    );
    expect(
      answers.map(({ status, headers, bytes }) => [status, headers.get("content-type"), Buffer.from(bytes)]),
    ).toEqual([
      [200, "image/bmp", bmp],
      [200, "image/jpeg", broken],
    ]);
  });
});

describe("the file of an issue", () => {
  it("is not opened to answer 304, and gives other pages once it changed", async () => {
    const then = new Date("2024-05-01T12:00:00Z");
    const age = async (root: string) =>
      utimes(join(root, "Night Bell (2016)", "Night Bell 001 (2016).cbz"), then, then);
    await using room = await openReadingRoom({
      plans: [{ title: "Night Bell", year: 2016, issues: ["1"] }],
      fill: age,
      storage: "sqlite",
    });
    const { cvIssueId, path } = await room.issue("Night Bell", "1");
    const url = `/api/reader/issue/${cvIssueId}/page/1`;
    const etag = (await room.host.as("viewer").get(url)).headers.get("etag")!;
    const bytes = await readFile(path);
    // A new start has no archive open; what stands in the file now cannot be opened.
    await room.host.stop();
    await writeFile(path, Buffer.alloc(bytes.length));
    await utimes(path, then, then);
    await room.host.restart();
    const viewer = room.host.as("viewer");
    expect((await viewer.get(url, { "If-None-Match": etag })).status).toBe(304);
    expect((await viewer.get(url)).status).toBe(404);
    await writeFile(path, bytes);
    const changed = await viewer.get(url, { "If-None-Match": etag });
    expect([changed.status, changed.headers.get("etag") === etag]).toEqual([200, false]);
  });

  it("answers 404 once it is gone", async () => {
    await using room = await openReadingRoom({ plans: [{ title: "Night Bell", year: 2016, issues: ["1"] }] });
    const { cvIssueId, path } = await room.issue("Night Bell", "1");
    await unlink(path);
    const viewer = room.host.as("viewer");
    expect((await viewer.get(`/api/reader/issue/${cvIssueId}`)).body).toMatchObject({ code: "reader/no-file" });
    expect((await viewer.get(`/api/reader/issue/${cvIssueId}/page/0`)).status).toBe(404);
  });
});
