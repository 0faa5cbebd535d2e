import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { openBookRoom, sectionOf, untilOpen, type BookRoom } from "./support/book-room.js";
import { hostileBooks } from "./support/hostile-books.js";
import { startListener, type Listener } from "./support/listener.js";

/** Long enough for what a document does when it is shown; what happens at once is seen anyway. */
const actsWithinMs = 100;
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
  await openWindow();
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
  await listener?.[Symbol.asyncDispose]();
});

/** Everything that a book could have done. */
interface Watched {
  readonly dialogs: string[];
  readonly requests: string[];
  readonly opened: string[];
}

let page: Page;
let watched: Watched;

/** One window for all books: opening one takes the place of the one before, as for a reader. */
async function openWindow(): Promise<void> {
  const context = await browser.newContext({
    baseURL: room.host.url,
    viewport: { width: 900, height: 700 },
    reducedMotion: "reduce",
  });
  await context.addCookies([{ name: "secret", value: "of-the-user", url: room.host.url }]);
  page = await context.newPage();
  page.on("dialog", (dialog) => {
    watched.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("download", (download) => void watched.opened.push(download.url()));
  page.on("request", (request) => {
    // Of the page itself, only the first navigation is new; a book that navigates it is found by the address
    // afterwards.
    if (request.isNavigationRequest() || request.frame() !== page.mainFrame()) watched.requests.push(request.url());
  });
  context.on("page", (other) => void watched.opened.push(other.url()));
  await page.setExtraHTTPHeaders({ "x-api-key": room.host.as("viewer").key ?? "" });
}

async function open(title: string): Promise<void> {
  watched = { dialogs: [], requests: [], opened: [] };
  await page.goto(`/books/${ids.get(title)}`);
  watched.requests.splice(0, 1);
  await untilOpen(page);
  await (await sectionOf(page)).locator("#shown").waitFor();
}

/** What the frames of the reader load: the document that holds them, and what the engine made of the book. */
function isUsual(url: string): boolean {
  return /^(?:data:|blob:null|about:srcdoc)/.test(url) || url === `${room.host.url}/api/book-reader/frame`;
}

describe("a hostile book", () => {
  it.each(titles)("is read, and does nothing else: %s", async (title) => {
    await open(title);
    const section = await sectionOf(page);
    const target = section.locator("#click");
    if ((await target.count()) > 0) {
      await target.dispatchEvent("click");
      // A click on what is hidden would wait for its time to be over.
      if (await target.isVisible())
        await target.click({ force: true, timeout: 1_000 }).catch(() => "It was hidden, or is outside of the page.");
    }
    await page.waitForTimeout(actsWithinMs);
    expect(listener.take()).toEqual([]);
    const { dialogs, opened, requests } = watched;
    expect({ dialogs, opened, requests: requests.filter((url) => !isUsual(url)) }).toEqual({
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
  });

  it("has no cookies, no storage, and no way to the server, even if a script of it ran", async () => {
    await open(titles[0]!);
    const engine = (await sectionOf(page)).parentFrame();
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
  });
});
