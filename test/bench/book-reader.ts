// How long it takes from the address of a book of 5 MB to its first text in Chromium, beside a page with the bare text
// of the same chapter from a server that does nothing else.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { BrowserContext, Page } from "playwright-core";
import { openBookRoom, sectionOf } from "../../plugins/book-reader/test/support/book-room.ts";
import { prose, type PlannedBook } from "../../plugins/book-reader/test/support/epubs.ts";
import { startChromium } from "../browser/support/chromium.ts";
import { inTurns, median, percentile, report } from "./support/measure.ts";

const rounds = 9;
const pictureBytes = 4_000_000;
const chapters = Array.from({ length: 30 }, (_, index) => ({
  title: `Chapter ${index + 1}`,
  body: prose(index + 1, 150),
}));
const book: PlannedBook = { title: "Long Tides", chapters, files: { "map.png": noise(pictureBytes) } };
const first = "Paragraph 1.1 begins here";

const bare = createServer((_request, response) =>
  response
    .setHeader("Content-Type", "text/html; charset=utf-8")
    .end(`<!doctype html><title>Bare</title>${chapters[0]!.body}`),
);
await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve));
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;

const [browser, room] = await Promise.all([startChromium(), openBookRoom([book], ["web"])]);
try {
  const context = await browser.newContext({
    baseURL: room.host.url,
    viewport: { width: 1280, height: 860 },
    extraHTTPHeaders: { "x-api-key": room.host.as("viewer").key ?? "" },
  });
  const path = `/books/${await room.book(book.title)}`;
  // What the browser keeps of the interface and the engine counts for every visit but the first.
  await inWindow(context, (page) => openBook(page, path));
  const { first: ours, second: others } = await inTurns(
    rounds,
    () => inWindow(context, (page) => openBook(page, path)),
    () => inWindow(context, (page) => openBare(page)),
  );
  const [p50Ms, bareMs] = [median(ours), median(others)];
  report({
    bench: "book-reader, open to first text",
    p50Ms,
    slowestMs: percentile(ours, 1),
    bareMs,
    ratio: p50Ms / bareMs,
    yardstick: "the chapter's bare HTML in the same browser",
    goal: "700 ms for 5 MB",
    atMost: { ratio: 40 },
  });
} finally {
  await browser.close();
  await room[Symbol.asyncDispose]();
  bare.close();
}

async function inWindow(context: BrowserContext, measure: (page: Page) => Promise<number>): Promise<number> {
  const page = await context.newPage();
  try {
    return await measure(page);
  } finally {
    await page.close();
  }
}

async function openBook(page: Page, path: string): Promise<number> {
  const begun = performance.now();
  await page.goto(path, { waitUntil: "commit" });
  await (await sectionOf(page)).getByText(first).waitFor();
  return performance.now() - begun;
}

async function openBare(page: Page): Promise<number> {
  const begun = performance.now();
  await page.goto(bareUrl, { waitUntil: "commit" });
  await page.getByText(first).waitFor();
  return performance.now() - begun;
}

/** Bytes that no compression makes smaller, the same in every run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
