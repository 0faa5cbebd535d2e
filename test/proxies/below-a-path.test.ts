import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import { writeLibrary } from "@longbox/test/fixtures";
import { needs } from "@longbox/test/needs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { prose, writeEpub } from "../../plugins/book-reader/test/support/epubs.ts";
import { startChromium } from "../browser/support/chromium.ts";
import { soon } from "../browser/support/soon.ts";
import { caddyProgram, nginxProgram, publicName, startCaddy, startNginx, type RunningProxy } from "./proxy-programs.js";
import { Visitor } from "./visitor.js";

const basePath = "/longbox";
const password = "correct horse battery";
const plugins = [
  ...["imaging", "operations", "collection", "files", "comics", "reading", "reader", "books", "book-reader"],
  ...["opds", "kosync", "kobo", "lists", "shelves", "stats", "notifications", "web"],
];

let host: KernelTestHost;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-below-"));
  await writeLibrary(join(folder, "comics"), [
    { title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 4, size: { width: 300, height: 450 } },
  ]);
  const chapters = [{ title: "Chapter 1", body: prose(1, 10) }];
  await writeEpub(join(folder, "books", "Ada Quill", "The Harbour.epub"), { title: "The Harbour", chapters });
  host = await startKernelTestHost({ plugins, kernel: { trustProxy: "127.0.0.1", basePath } });
  const admin = host.as("admin");
  for (const [type, name] of [
    ["comic", "comics"],
    ["ebook", "books"],
  ] as const)
    await admin.post("/api/libraries", { name, type, rootFolder: join(folder, name) });
  const owned = async () => (await admin.get("/api/collection")).body.map((row: { owned: number }) => row.owned);
  await vi.waitUntil(async () => (await owned()).sort().join() === "1,2", { timeout: 60_000, interval: 50 });
  await admin.post("/api/users", { username: "sam", password, role: "admin" });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const programs = [
  {
    name: "nginx",
    program: nginxProgram,
    start: () => startNginx(host.url, { "location / {": "location /longbox/ {" }),
  },
  {
    name: "Caddy",
    program: caddyProgram,
    start: () =>
      startCaddy(host.url, {
        "reverse_proxy 127.0.0.1:8787 {": "redir /longbox /longbox/\n  reverse_proxy /longbox/* 127.0.0.1:8787 {",
      }),
  },
];

describe.each(programs)("below a path, behind $name", ({ name, program, start }) => {
  const installed = needs(program, `${name} is not installed`);
  const agent = new Agent({ keepAlive: true });
  let proxy: RunningProxy | undefined;
  let visitor: Visitor;
  beforeAll(async () => {
    if (program === undefined) return;
    proxy = await start();
    visitor = new Visitor(proxy, agent);
  });
  afterAll(async () => {
    agent.destroy();
    await proxy?.[Symbol.asyncDispose]();
  });

  it("is signed in to with cookies for that path only, and leaves the rest of the host alone", installed, async () => {
    const completed = await visitor.ask(basePath);
    expect([301, 302]).toContain(completed.status);
    expect(new URL(completed.headers.location!, visitor.origin).pathname).toBe("/longbox/");
    const body = { username: "sam", password };
    const answer = await visitor.ask("/longbox/api/auth/login", {
      method: "POST",
      headers: { origin: visitor.origin },
      body,
    });
    expect(answer.status, answer.body.toString()).toBe(200);
    for (const cookie of answer.headers["set-cookie"]!) expect(cookie).toMatch(/; Path=\/longbox\/;.*; Secure/);
    expect((await visitor.ask("/api/auth/me")).body.toString()).not.toContain("openMode");
  });

  it("has every link of the OPDS catalogs below it", installed, async () => {
    const headers = { "x-api-key": host.as("admin").key! };
    const below = `${visitor.origin}${basePath}/`;
    const waiting = [`${below}api/opds`, `${below}api/opds/v2`];
    const seen = new Set(waiting);
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const answer = await visitor.ask(url.slice(visitor.origin.length), { headers });
      // A position that is not there yet has no content.
      expect([200, 204], `${url} answers ${answer.status}`).toContain(answer.status);
      if (!/xml|json/.test(String(answer.headers["content-type"]))) continue;
      for (const [, found] of answer.body.toString().matchAll(/(?:href="|"href":\s*")([^"]+)"/g)) {
        const link = found!
          .replaceAll("&amp;", "&")
          .replace("{pageNumber}", "0")
          .replace(/\{[^}]*\}/g, "");
        if (seen.has(link) || seen.size > 150) continue;
        expect(link.startsWith(below), link).toBe(true);
        seen.add(link);
        waiting.push(link);
      }
    }
    expect(seen.size).toBeGreaterThan(20);
  });

  it("gives devices addresses below it", installed, async () => {
    const key = { "x-api-key": host.as("admin").key! };
    const { path } = (await host.as("admin").post("/api/kobo/devices", { name })).body;
    const kobo = await visitor.ask(`${basePath}${path}/v1/initialization`);
    expect(kobo.json.Resources.library_sync).toBe(`${visitor.origin}${basePath}${path}/v1/library/sync`);
    const { username, password: secret } = (await host.as("admin").post("/api/kosync/password")).body;
    const device = { "x-auth-user": username, "x-auth-key": hash("md5", secret) };
    const accept = "application/vnd.koreader.v1+json";
    const signedIn = await visitor.ask(`${basePath}/kosync/users/auth`, { headers: { ...device, accept } });
    expect(signedIn).toMatchObject({ status: 200, json: { authorized: "OK" } });
    const described = await visitor.ask(`${basePath}/api/openapi.json`, { headers: key });
    expect(described.json.servers).toEqual([{ url: basePath }]);
  });
});

describe("the web interface below a path", () => {
  const installed = needs(nginxProgram, "nginx is not installed");
  let proxy: RunningProxy;
  let browser: Browser;
  beforeAll(async () => {
    if (nginxProgram === undefined) return;
    proxy = await programs[0]!.start();
    const known = `--host-resolver-rules=MAP ${publicName} 127.0.0.1`;
    // Without a certificate that the browser trusts it would have no service workers.
    browser = await startChromium([known, "--ignore-certificate-errors"]);
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.[Symbol.asyncDispose]();
  });

  /** A page, and the addresses that it has asked for outside of the path. */
  async function open(): Promise<{ page: Page; context: BrowserContext; outside: string[] }> {
    const origin = `https://${publicName}:${proxy.port}`;
    const viewport = { width: 900, height: 1100 };
    const context = await browser.newContext({ baseURL: `${origin}${basePath}/`, viewport, reducedMotion: "reduce" });
    context.setDefaultTimeout(30_000);
    const outside: string[] = [];
    context.on("request", (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && !url.startsWith(`${origin}${basePath}/`)) outside.push(url);
    });
    return { context, page: await context.newPage(), outside };
  }

  async function signIn(page: Page): Promise<void> {
    await page.goto("library");
    await page.getByLabel("Name").fill("sam");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("list", { name: "Series" }).waitFor();
  }

  const path = (page: Page) => new URL(page.url()).pathname;
  const isLoaded = (image: Element) => (image as HTMLImageElement).naturalWidth > 0;

  it("signs in, shows the library, reads, hears of changes, and asks for nothing outside", installed, async () => {
    const { page, outside } = await open();
    await signIn(page);
    const wall = page.getByRole("list", { name: "Series" });
    await soon(() => wall.locator("img").evaluateAll((all) => all.length > 0)).toBe(true);
    await soon(() =>
      wall
        .getByRole("link", { name: /^Moth Patrol/ })
        .locator("img")
        .evaluate(isLoaded),
    ).toBe(true);
    await wall.getByRole("link", { name: /^Moth Patrol/ }).click();
    await page.getByRole("heading", { name: "Moth Patrol", level: 1 }).waitFor();
    expect(path(page)).toMatch(/^\/longbox\/series\/\d+$/);

    await page.reload();
    await page.getByRole("link", { name: /^#1 / }).click();
    await page.getByRole("link", { name: "Read", exact: true }).click();
    const shown = page.locator("longbox-reader").getByRole("status").first();
    await soon(() => shown.textContent()).toBe("Page 1 of 4");
    await soon(() => page.locator("longbox-reader img").first().evaluate(isLoaded)).toBe(true);
    expect(path(page)).toMatch(/^\/longbox\/read\/-?\d+$/);
    await page.keyboard.press("ArrowRight");
    await soon(() => shown.textContent()).toBe("Page 2 of 4");

    await page.goto("lists");
    await page.getByRole("heading", { name: "Reading lists", level: 1 }).waitFor();
    const made = await page.evaluate(async () => {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify({ name: "Heard of" });
      return (await fetch("/longbox/api/lists", { method: "POST", headers, body })).status;
    });
    expect(made).toBe(200);
    await page.getByText("Heard of").first().waitFor();
    expect(outside).toEqual([]);
  });

  it("shows the pages of plugins, and follows links to them without loading again", installed, async () => {
    const { page, outside } = await open();
    await signIn(page);
    await page.evaluate(() => ((globalThis as { isSame?: boolean }).isSame = true));
    for (const [link, at] of [
      ["Browse", "/longbox/shelves"],
      ["Statistics", "/longbox/statistics"],
      ["Plugins", "/longbox/plugins"],
      ["Settings", "/longbox/settings"],
    ] as const) {
      await page.getByRole("navigation").getByRole("link", { name: link, exact: true }).click();
      await soon(() => path(page)).toBe(at);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
    }
    await page.goBack();
    await soon(() => path(page)).toBe("/longbox/plugins");
    expect(await page.evaluate(() => (globalThis as { isSame?: boolean }).isSame)).toBe(true);
    const addresses = await page.evaluate(() => {
      const roots: ParentNode[] = [document];
      const found: string[] = [];
      for (let root = roots.pop(); root; root = roots.pop())
        for (const element of root.querySelectorAll("*")) {
          if (element.shadowRoot) roots.push(element.shadowRoot);
          const address = element.getAttribute("href") ?? element.getAttribute("src");
          if (address?.startsWith("/")) found.push(address);
        }
      return found;
    });
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !address.startsWith("/longbox/"))).toEqual([]);
    expect(outside).toEqual([]);
  });

  it("opens a book in its frame, and shows what is saved without a connection", installed, async () => {
    const { page, context, outside } = await open();
    await signIn(page);
    const rows = (await host.as("admin").get("/api/collection?filter=ebook")).body;
    const { issues } = (await host.as("admin").get(`/api/collection/${rows[0].id}`)).body;
    await page.goto(`books/${issues[0].cvIssueId}`);
    await page.getByRole("slider", { name: "Place in the book" }).waitFor();

    await page.goto(`issue/${issues[0].cvIssueId}`);
    await page.locator("lb-issue-page").getByRole("button", { name: /^More/ }).first().click();
    await page.getByRole("menuitem", { name: "Save on this device" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved on this device.").waitFor();
    const scope = () => page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(new URL(await scope()).pathname).toBe("/longbox/");
    await context.setOffline(true);
    await page.goto("offline");
    await page.getByRole("link", { name: "The Harbour", exact: true }).click();
    await page.getByRole("slider", { name: "Place in the book" }).waitFor();
    expect(outside).toEqual([]);
  });
});
