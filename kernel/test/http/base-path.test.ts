import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineRoute, reply } from "@longbox/sdk";
import { describe, expect, it } from "vitest";
import { kernelOptions } from "../../dist/kernel-options.js";
import { openDoor, type DoorOptions, type OpenDoor } from "./open-door.js";

const basePath = "/books";
const asPage = { accept: "text/html,application/xhtml+xml" };
const where = defineRoute({
  method: "GET",
  path: "/api/where",
  access: "public",
  summary: "Says its own address",
  handle: ({ url }) => ({ url: url.href }),
});
const elsewhere = defineRoute({
  method: "GET",
  path: "/api/elsewhere",
  access: "public",
  summary: "Sends on",
  responseType: "text/html",
  handle: ({ url }) => reply.redirect(url.searchParams.get("to") ?? "/"),
});

async function open(options: DoorOptions = {}): Promise<OpenDoor> {
  const door = await openDoor({ basePath, ...options });
  door.mount([where, elsewhere]);
  return door;
}

async function openSite(options?: DoorOptions): Promise<OpenDoor> {
  const door = await open(options);
  const folder = join(door.folder, "site");
  await mkdir(folder);
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html>\n<html lang="en"><link href="/site.css"><script src="/main.js"></script><a href="#page">Skip</a>',
  );
  await writeFile(join(folder, "main.js"), "export {};");
  door.door.files.site(folder);
  return door;
}

describe("a base path", () => {
  it("is written with or without slashes at its ends, and refused where it is no plain path", () => {
    const read = (text?: string) => kernelOptions(text === undefined ? {} : { LONGBOX_BASE_PATH: text }).basePath;
    expect([undefined, "", "/", "longbox", "/longbox", "/longbox/", "/home/longbox"].map(read)).toEqual([
      ...[undefined, undefined, undefined],
      ...["/longbox", "/longbox", "/longbox", "/home/longbox"],
    ]);
    for (const wrong of [
      "https://example.org/longbox",
      "//longbox",
      "/a//b",
      "/../longbox",
      "/long box",
      "/%6c",
      "/a?b",
    ])
      expect(() => read(wrong)).toThrow(`LONGBOX_BASE_PATH must be a path such as /longbox`);
  });

  it("is taken from the beginning of a path, by the server or by the proxy", async () => {
    await using door = await open({ trustProxy: "loopback" });
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await door.ask(path, { headers: { host: "example.org", ...headers } })).body.url;
    const own = "http://example.org/books/api/where?a=b";
    expect(await ask("/books/api/where?a=b")).toBe(own);
    expect(await ask("/api/where?a=b")).toBe(own);
    expect(await ask("/api/where?a=b", { "x-forwarded-prefix": "/books" })).toBe(own);
    // A page of Longbox may begin with the same word.
    const taken = await door.ask("/books/api/where", { headers: { "x-forwarded-prefix": "/books" } });
    expect([taken.status, taken.body.code]).toEqual([404, "kernel/no-such-path"]);
    for (const other of ["/bookshop/api/where", "/books/books/api/where", "/Books/api/where"])
      expect([other, (await door.ask(other)).status]).toEqual([other, 404]);
  });

  it("is completed with a slash", async () => {
    await using door = await openSite();
    const answers = await Promise.all(["/books", "/books?library=1"].map((path) => door.ask(path)));
    expect(answers.map(({ status, headers }) => [status, headers["location"]])).toEqual([
      [302, "/books/"],
      [302, "/books/?library=1"],
    ]);
    expect((await door.ask("/books", { method: "POST" })).status).toBe(404);
  });

  it("is in the addresses of the web interface's page, which names it for its scripts", async () => {
    await using door = await openSite();
    const page = await door.ask("/books/series/7", { headers: asPage });
    expect([page.status, page.text]).toEqual([
      200,
      '<!doctype html>\n<html data-base="/books" lang="en"><link href="/books/site.css"><script src="/books/main.js"></script><a href="#page">Skip</a>',
    ]);
    expect(page.headers).toMatchObject({ "cache-control": "no-cache", "x-frame-options": "DENY" });
    expect(page.headers["content-security-policy"]).toContain("script-src 'self';");
    const again = { ...asPage, "if-none-match": page.headers["etag"]! };
    expect((await door.ask("/books/", { headers: again })).status).toBe(304);
    expect((await door.ask("/books/main.js")).text).toBe("export {};");
    expect((await door.ask("/books/other.js", { headers: asPage })).status).toBe(404);
  });

  it("is what a trusted proxy says that it took away, where none is set", async () => {
    await using door = await openSite({ basePath: undefined, trustProxy: "loopback" });
    const below = (await door.ask("/series/7", { headers: { ...asPage, "x-forwarded-prefix": "/comics" } })).text;
    expect(below).toContain('<html data-base="/comics" lang="en"><link href="/comics/site.css">');
    expect((await door.ask("/", { headers: asPage })).text).toContain('<html lang="en"><link href="/site.css">');
  });

  it("is in the pages that the kernel itself sends", async () => {
    await using door = await open();
    expect((await door.ask("/books/", { headers: asPage })).text).toContain('<html lang="en" data-base="/books">');
    const lost = await door.ask("/books/api/auth/providers/none/login", { headers: asPage });
    expect([lost.status, lost.text]).toEqual([expect.any(Number), expect.stringContaining('<a href="/books/">')]);
  });

  it("is in redirects to paths of this server, and in no others", async () => {
    await using door = await open();
    const sent = async (to: string) =>
      (await door.ask(`/books/api/elsewhere?to=${encodeURIComponent(to)}`)).headers["location"];
    expect(await sent("/series/7")).toBe("/books/series/7");
    expect(await sent("https://login.example.org/")).toBe("https://login.example.org/");
    expect(await sent("//cdn.example.org/x")).toBe("//cdn.example.org/x");
  });

  it("keeps cookies from the other programs of the host", async () => {
    await using door = await open();
    await door.setUp();
    const body = { username: "admin", password: "longbox123" };
    const answer = await door.ask("/books/api/auth/login", { method: "POST", body });
    expect(answer.headers["set-cookie"]!.match(/Path=[^;]*/g)).toEqual(["Path=/books/", "Path=/books/"]);
  });

  it("is the server of the API's document", async () => {
    await using door = await open();
    const headers = { "x-api-key": await door.setUp() };
    expect((await door.ask("/books/api/openapi.json", { headers })).body.servers).toEqual([{ url: "/books" }]);
    await using usual = await openDoor();
    const key = { "x-api-key": await usual.setUp() };
    expect((await usual.ask("/api/openapi.json", { headers: key })).body.servers).toEqual([{ url: "/" }]);
  });

  it("is a part of the public address, whether the setting names it or not", async () => {
    for (const [publicUrl, host] of [
      ["https://example.org", "example.org"],
      ["https://example.org/books/", "example.org"],
      ["https://books", "books"],
    ] as const) {
      await using door = await open({ settings: { publicUrl } });
      expect((await door.ask("/books/api/where")).body.url).toBe(`https://${host}/books/api/where`);
    }
  });
});
