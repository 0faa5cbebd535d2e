import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { openBookRoom, sectionOf, untilOpen, type BookRoom } from "./support/book-room.js";
import { hostileBooks } from "./support/hostile-books.js";
import { startListener, type Listener } from "./support/listener.js";

/** Long enough for what a document does when it is shown; what happens at once is seen anyway. */
const actsWithinMs = 150;
const titles = hostileBooks({ away: "http://127.0.0.1:1", home: "http://127.0.0.1:2" }).map(({ title }) => title);

let room: BookRoom;
let listener: Listener;
let browser: Browser;
const ids = new Map<string, number>();

/** Some books name the server's own address, which is known once it runs: they come after it. */
beforeAll(async () => {
  [listener, browser, room] = await Promise.all([startListener(), startChromium(), openBookRoom([], ["web"])]);
  await room.add(hostileBooks({ away: `http://127.0.0.1:${listener.port}`, home: room.host.url }));
  for (const title of titles) ids.set(title, await room.book(title));
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
  await listener?.[Symbol.asyncDispose]();
});

/** Everything that a book could have done. */
interface Watched {
  readonly page: Page;
  readonly dialogs: string[];
  readonly requests: string[];
  readonly opened: string[];
}

async function watch(title: string): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: room.host.url,
    viewport: { width: 900, height: 700 },
    reducedMotion: "reduce",
  });
  await context.addCookies([{ name: "secret", value: "of-the-user", url: room.host.url }]);
  const page = await context.newPage();
  const [dialogs, requests, opened]: string[][] = [[], [], []];
  page.on("dialog", (dialog) => {
    dialogs!.push(dialog.message());
    void dialog.dismiss();
  });
  context.on("page", (other) => opened!.push(other.url()));
  page.on("download", (download) => opened!.push(download.url()));
  await page.setExtraHTTPHeaders({ "x-api-key": room.host.as("viewer").key ?? "" });
  await page.goto(`/books/${ids.get(title)}`);
  await untilOpen(page);
  page.on("request", (request) => requests!.push(request.url()));
  return { page, dialogs: dialogs!, requests: requests!, opened: opened! };
}

/** Requests of the page itself, which go on while a book is open. */
const usual = (url: string) =>
  /^(?:blob:null|data:)/.test(url) || /\/api\/(?:events|ebooks\/issue\/-?\d+\/progress)/.test(url);

describe("a hostile book", () => {
  it.each(titles)("is read, and does nothing else: %s", { concurrent: false }, async (title) => {
    const { page, dialogs, requests, opened } = await watch(title);
    const section = await sectionOf(page);
    await section.locator("#shown").waitFor();
    const target = section.locator("#click");
    if ((await target.count()) > 0) await target.dispatchEvent("click");
    if ((await target.count()) > 0) await target.click({ force: true, timeout: 2_000 }).catch(() => "It is hidden.");
    await page.waitForTimeout(actsWithinMs);
    expect(listener.take()).toEqual([]);
    expect({ dialogs, opened, requests: requests.filter((url) => !usual(url)) }).toEqual({
      dialogs: [],
      opened: [],
      requests: [],
    });
    expect(new URL(page.url()).pathname).toBe(`/books/${ids.get(title)}`);
    expect(await page.evaluate(() => [Reflect.get(window, "ranHostile"), localStorage.getItem("hostile")])).toEqual([
      undefined,
      null,
    ]);
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("hostile");
    await page.context().close();
  });

  it("has no cookies, no storage, and no way to the server, even if a script of it ran", async () => {
    const { page } = await watch(titles[0]!);
    const section = page.frames().find((frame) => frame.url() === "about:srcdoc");
    const engine = section?.parentFrame();
    const reached = await engine?.evaluate(async (home) => {
      const fails = async (run: () => unknown) => {
        try {
          await run();
          return "works";
        } catch (problem) {
          return (problem as Error).name;
        }
      };
      return {
        origin: globalThis.origin,
        cookie: await fails(() => document.cookie),
        storage: await fails(() => localStorage.length),
        page: await fails(() => top?.document.title),
        server: await fails(() => fetch(`${home}/api/auth/me`, { credentials: "include" })),
      };
    }, room.host.url);
    expect(reached).toEqual({
      origin: "null",
      cookie: "SecurityError",
      storage: "SecurityError",
      page: "SecurityError",
      server: "TypeError",
    });
    await page.context().close();
  });
});
