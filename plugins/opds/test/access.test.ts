import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { basic, openCatalog, until, type ReadingRoom } from "./support/catalog.js";

let room: ReadingRoom;
let issue: Awaited<ReturnType<ReadingRoom["issue"]>>;
beforeAll(async () => {
  room = await openCatalog({
    plans: [{ title: "Moth Patrol", year: 2019, issues: ["1", "2"], size: { width: 700, height: 1000 }, pages: 5 }],
  });
  await room.host.as("viewer").get("/api/auth/me");
  issue = await room.issue("Moth Patrol", "1");
});
afterAll(() => room[Symbol.asyncDispose]());

const read = (path: string, init: RequestInit = {}) =>
  fetch(room.host.url + path, {
    redirect: "manual",
    ...init,
    headers: { ...basic(room), ...(init.headers as Record<string, string>) },
  });
const progress = async () =>
  (await room.host.as("viewer").get(`/api/reader/issue/${issue.cvIssueId}/progress`)).body.progress;

describe("signing in", () => {
  it("asks for HTTP Basic and hands over the authentication document", async () => {
    for (const path of ["/api/opds", "/api/opds/v2", `/api/opds/issue/${issue.cvIssueId}/file`]) {
      const answer = await fetch(room.host.url + path);
      expect([
        answer.status,
        answer.headers.get("www-authenticate"),
        answer.headers.get("content-type"),
        answer.headers.get("link"),
      ]).toEqual([
        401,
        'Basic realm="Longbox", charset="UTF-8"',
        "application/opds-authentication+json",
        `<${room.host.url}/api/opds/auth>; rel="http://opds-spec.org/auth/document"; type="application/opds-authentication+json"`,
      ]);
      expect(await answer.json()).toMatchObject({
        id: `${room.host.url}/api/opds/auth`,
        authentication: [{ type: "http://opds-spec.org/auth/basic" }],
        error: expect.any(String),
      });
    }
  });

  it("takes a key as header, bearer or Basic password, and refuses a wrong one", async () => {
    const { key } = room.host.as("viewer");
    const tried = [
      { "X-Api-Key": key! },
      { Authorization: `Bearer ${key}` },
      basic(room),
      { Authorization: `Basic ${Buffer.from("viewer:wrong").toString("base64")}` },
      { "X-Api-Key": "lbx_wrong" },
      { Authorization: `Basic ${Buffer.from(`whatever:${key}`).toString("base64")}` },
      { Authorization: `Basic ${Buffer.from(`:${key}`).toString("base64")}` },
      { Authorization: `Basic ${Buffer.from("viewer:lbx_wrong").toString("base64")}` },
    ];
    const statuses = await Promise.all(
      tried.map(async (headers) => (await fetch(`${room.host.url}/api/opds`, { headers })).status),
    );
    expect(statuses).toEqual([200, 200, 200, 401, 401, 200, 200, 401]);
  });

  it("answers with a slash at the end of the root, and where an app did not fill in a template", async () => {
    for (const root of ["/api/opds", "/api/opds/v2"]) {
      const [plain, slashed] = await Promise.all([read(root), read(`${root}/`)]);
      expect([slashed.status, slashed.headers.get("content-type")]).toEqual([200, plain.headers.get("content-type")]);
      expect(await slashed.text()).toBe(await plain.text());
    }
    expect(await (await read("/api/opds")).text()).toMatch(/rel="search" href="[^"]+\/search\?q=\{searchTerms\}"/);
    for (const path of ["page/0", "cover"]) {
      const [unfilled, without] = await Promise.all([
        read(`/api/opds/issue/${issue.cvIssueId}/${path}?w=%7BmaxWidth%7D`),
        read(`/api/opds/issue/${issue.cvIssueId}/${path}`),
      ]);
      expect([path, unfilled.status]).toEqual([path, 200]);
      expect(Buffer.from(await unfilled.arrayBuffer()).equals(Buffer.from(await without.arrayBuffer()))).toBe(true);
    }
  });

  it("answers HEAD as GET, and never redirects", async () => {
    for (const path of [
      "/api/opds",
      "/api/opds/v2/new",
      `/api/opds/issue/${issue.cvIssueId}/file`,
      `/api/opds/issue/${issue.cvIssueId}/page/0?w=320`,
      `/api/opds/issue/${issue.cvIssueId}/cover`,
    ]) {
      const [get, head] = await Promise.all([
        read(path, { headers: { "Accept-Encoding": "identity" } }),
        read(path, { method: "HEAD", headers: { "Accept-Encoding": "identity" } }),
      ]);
      const facts = (answer: Response) => [
        answer.status,
        answer.headers.get("content-type"),
        answer.headers.get("content-length"),
        answer.headers.get("etag"),
      ];
      expect(facts(head)).toEqual(facts(get));
      expect([get.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
    }
  });
});

describe("files and pages", () => {
  it("sends the file under a tidy name, in parts when asked, and only while it is the same", async () => {
    const bytes = await readFile(issue.path);
    const whole = await read(`/api/opds/issue/${issue.cvIssueId}/file/anything.cbz`);
    expect([
      whole.status,
      whole.headers.get("content-type"),
      whole.headers.get("content-disposition"),
      whole.headers.get("accept-ranges"),
    ]).toEqual([200, "application/vnd.comicbook+zip", 'attachment; filename="Moth Patrol 001.cbz"', "bytes"]);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const etag = whole.headers.get("etag")!;
    const part = await read(`/api/opds/issue/${issue.cvIssueId}/file`, {
      headers: { Range: "bytes=-7", "If-Range": etag },
    });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-7))]).toEqual([206, true]);
    const changed = await read(`/api/opds/issue/${issue.cvIssueId}/file`, {
      headers: { Range: "bytes=-7", "If-Range": '"other"' },
    });
    expect(changed.status).toBe(200);
    await changed.arrayBuffer();
    expect(
      (await read(`/api/opds/issue/${issue.cvIssueId}/file`, { headers: { Range: "bytes=999999999-" } })).status,
    ).toBe(416);
  });

  it("streams pages and covers as JPEG at the width that is asked for", async () => {
    const sizes = await Promise.all(
      ["page/1?w=300", "page/1?w=5000", "cover?w=100", "cover"].map(async (path) => {
        const answer = await read(`/api/opds/issue/${issue.cvIssueId}/${path}`);
        const { width, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
        return [answer.headers.get("content-type"), format, width];
      }),
    );
    expect(sizes).toEqual([
      ["image/jpeg", "jpeg", 320],
      ["image/jpeg", "jpeg", 700],
      ["image/jpeg", "jpeg", 160],
      ["image/jpeg", "jpeg", 640],
    ]);
    const cover = await read(`/api/opds/series/${issue.seriesId}/cover?w=320`);
    expect([cover.status, cover.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect([
      (await read(`/api/opds/issue/${issue.cvIssueId}/page/5`)).status,
      (await read(`/api/opds/issue/${issue.cvIssueId}/page/x`)).status,
      (await read("/api/opds/issue/99999/page/0")).status,
    ]).toEqual([404, 400, 404]);
    expect(await (await read(`/api/opds/issue/${issue.cvIssueId}/page/5`)).json()).toMatchObject({
      code: "opds/no-such-page",
      details: { page: 5 },
    });
  });

  it("moves the reader's place forward only, and not for thumbnails or HEAD", async () => {
    const page = (n: number, query = "", method = "GET") =>
      read(`/api/opds/issue/${issue.cvIssueId}/page/${n}${query}`, { method }).then((answer) => answer.arrayBuffer());
    await room.host.as("viewer").post(`/api/reader/issue/${issue.cvIssueId}/mark`, { read: false });
    await page(4, "?w=160");
    await page(4, "", "HEAD");
    expect(await progress()).toBeNull();
    await page(2, "?w=1200");
    await page(1, "?w=1200");
    expect(await progress()).toMatchObject({ page: 2, completed: false });
    await page(4);
    expect(await progress()).toMatchObject({ page: 4, completed: true });
  });

  it("leaves the place alone when the setting says so", async () => {
    const admin = room.host.as("admin");
    await room.host.as("viewer").post(`/api/reader/issue/${issue.cvIssueId}/mark`, { read: false });
    expect((await admin.post("/api/settings", { opds: { countStreamedPages: false } })).status).toBe(200);
    await read(`/api/opds/issue/${issue.cvIssueId}/page/3`).then((answer) => answer.arrayBuffer());
    expect(await progress()).toBeNull();
    await admin.post("/api/settings", { opds: { countStreamedPages: true } });
  });
});

describe("what may be seen", () => {
  it("hides restricted libraries from feeds, search, files, pages and covers", async () => {
    const admin = room.host.as("admin");
    await admin.post(`/api/libraries/${room.libraryId}`, { restricted: true });
    try {
      const paths = ["/series", "/new", "/publishers", "/search?q=moth"];
      const feeds = await Promise.all(
        paths.map(async (path) => (await (await read(`/api/opds${path}`)).text()).includes("<entry>")),
      );
      expect(feeds).toEqual([false, false, false, false]);
      const single = [
        `/series/${issue.seriesId}`,
        `/libraries/${room.libraryId}`,
        `/issue/${issue.cvIssueId}/file`,
        `/issue/${issue.cvIssueId}/page/0`,
        `/issue/${issue.cvIssueId}/cover`,
        `/series/${issue.seriesId}/cover`,
        `/v2/issue/${issue.cvIssueId}`,
        `/v2/issue/${issue.cvIssueId}/manifest`,
        `/v2/issue/${issue.cvIssueId}/progression`,
      ];
      expect(await Promise.all(single.map(async (path) => (await read(`/api/opds${path}`)).status))).toEqual(
        single.map(() => 404),
      );
    } finally {
      await admin.post(`/api/libraries/${room.libraryId}`, { restricted: false });
    }
  });

  it("is not narrowed by hide-mature, which narrows the web's lists", async () => {
    const admin = room.host.as("admin");
    const trusted = room.host.as("trusted");
    await admin.post(`/api/libraries/${room.libraryId}`, { restricted: true });
    try {
      const { hideMature } = (await trusted.post("/api/auth/hide-mature", { hide: true })).body;
      const catalog = await (
        await fetch(`${room.host.url}/api/opds/series`, { headers: { "X-Api-Key": trusted.key! } })
      ).text();
      expect([hideMature, (await trusted.get("/api/collection")).body.length, catalog.includes("Moth Patrol")]).toEqual(
        [true, 0, true],
      );
    } finally {
      await admin.post(`/api/libraries/${room.libraryId}`, { restricted: false });
    }
  });

  it("vanishes with its plugin, and comes back with it", async () => {
    await room.host.disable("opds");
    expect((await read("/api/opds")).status).toBe(404);
    await room.host.enable("opds");
    await until(async () => (await read("/api/opds")).status === 200, "The catalog did not come back.");
  });
});

describe("behind a proxy", () => {
  const forwarded = { "X-Forwarded-Host": "comics.example", "X-Forwarded-Proto": "https" };

  /** What stands before `/api` in every address of the catalog. */
  const origins = async (room: ReadingRoom, headers: Record<string, string>) => {
    const paths = ["/api/opds", "/api/opds/new", "/api/opds/v2/new", "/api/opds/opensearch.xml", "/api/opds/auth"];
    const texts = await Promise.all(
      paths.map(async (path) =>
        (await fetch(room.host.url + path, { headers: { ...basic(room), ...headers } })).text(),
      ),
    );
    const found = texts.map((text) =>
      [...text.matchAll(/(?:href|template|id)(?:=|":\s*)"(https?:[^"]+?)\/(?:api\b|favicon|")/g)].map(
        (match) => match[1],
      ),
    );
    expect(found.every((addresses) => addresses.length > 0)).toBe(true);
    return [...new Set(found.flat())];
  };

  it("writes the address that the proxy was asked for, when the proxy is trusted", async () => {
    await using behind = await openCatalog({
      plans: [{ title: "Moth Patrol", year: 2019, issues: ["1"] }],
      trustProxy: "loopback",
    });
    await behind.host.as("viewer").get("/api/auth/me");
    expect(await origins(behind, forwarded)).toEqual(["https://comics.example"]);
    expect(await origins(behind, { ...forwarded, "X-Forwarded-Prefix": "/home/longbox/" })).toEqual([
      "https://comics.example/home/longbox",
    ]);
    for (const prefix of ["//evil.example", "/..", "/a b", "longbox", '/"x', "/%2e%2e"])
      expect(await origins(behind, { ...forwarded, "X-Forwarded-Prefix": prefix })).toEqual(["https://comics.example"]);
    const refused = await fetch(`${behind.host.url}/api/opds`, {
      headers: { ...forwarded, "X-Forwarded-Prefix": "/longbox" },
    });
    expect([refused.status, refused.headers.get("link")]).toEqual([
      401,
      expect.stringContaining("<https://comics.example/longbox/api/opds/auth>"),
    ]);
  });

  it("does not believe anybody else", async () => {
    expect(await origins(room, { ...forwarded, "X-Forwarded-Prefix": "/longbox" })).toEqual([room.host.url]);
  });
});
