// Reading a comic in a real browser: how long a page takes to turn, and what a strip of 400 pages holds while it is
// scrolled fast. The yardstick is a frame of the same browser.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawPage, writeArchive } from "@longbox/test/fixtures";
import type { Page } from "playwright-core";
import { account } from "../../browser/support/account.ts";
import { startChromium } from "../../browser/support/chromium.ts";
import { startLongbox } from "../../browser/support/longbox.ts";
import { seed } from "../../browser/support/seeding.ts";
import { percentile, report } from "../support/measure.ts";

const pages = 400;
const turns = 100;
/** Of pages, and of pieces of a strip. */
const sizes = { "Night Bell": { width: 1200, height: 1800 }, "Long Strip": { width: 600, height: 2400 } };

const folder = await mkdtemp(join(tmpdir(), "longbox-bench-reader-"));
const browser = await startChromium();
try {
  for (const title of Object.keys(sizes) as (keyof typeof sizes)[]) await writePages(title);
  await using longbox = await startLongbox();
  const key = await seed(longbox.url, folder, 2);
  const context = await browser.newContext({ baseURL: longbox.url, viewport: { width: 900, height: 1200 } });
  const page = await context.newPage();
  const signedIn = await page.request.post("/api/auth/login", { data: account, headers: { Origin: longbox.url } });
  if (!signedIn.ok()) throw new Error(`Signing in answered ${signedIn.status()}.`);
  await page.goto(`/read/${await issueOf("Night Bell", longbox.url, key)}`);
  await page.locator("longbox-paged-stage img").first().waitFor();
  await measureTurning(page);
  await page.goto(`/read/${await issueOf("Long Strip", longbox.url, key)}`);
  await page.locator("longbox-continuous-stage img").first().waitFor();
  await measureStrip(page);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** A few drawings, again and again. */
async function writePages(title: keyof typeof sizes): Promise<void> {
  const drawn = await Promise.all(Array.from({ length: 8 }, (_, page) => drawPage(page + 1, title, sizes[title])));
  const entries = Array.from({ length: pages }, (_, page) => [`${1000 + page}.jpg`, drawn[page % 8]!] as const);
  await writeArchive(join(folder, `${title} (2016)`, `${title} 001 (2016).cbz`), new Map(entries));
}

async function issueOf(title: string, url: string, key: string): Promise<number> {
  const get = async (path: string) => (await fetch(url + path, { headers: { "X-Api-Key": key } })).json();
  const found = ((await get("/api/collection")) as { id: number; title: string }[]).find((one) => one.title === title);
  const [issue] = (await get(`/api/series/${found?.id}/issues`)) as { cvIssueId: number }[];
  return issue!.cvIssueId;
}

async function measureTurning(page: Page): Promise<void> {
  const frameMs = await frameOf(page);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) times.push(await turnOf(page));
  const p95 = percentile(times, 0.95);
  report({
    bench: "reader-pages",
    figure: "page turn",
    p50: percentile(times, 0.5),
    p95,
    frameMs,
    ratio: p95 / frameMs,
    yardstick: "a frame of the same browser",
    atMost: { ratio: 6 },
    goal: "95 of 100 pages are there within 50 ms",
    ofGoal: p95 / 50,
  });
}

/** From the key to the frame that shows the other page; a reader looks at it before the next. */
async function turnOf(page: Page): Promise<number> {
  const measured = page.evaluate(async () => {
    const find = (root: ParentNode): HTMLElement | undefined => {
      for (const element of root.querySelectorAll("*")) {
        if (element.localName === "longbox-paged-stage") return element as HTMLElement;
        const within = element.shadowRoot && find(element.shadowRoot);
        if (within) return within;
      }
      return undefined;
    };
    const shown = () => find(document)!.shadowRoot!.querySelector("img")?.alt;
    const before = shown();
    const begun = await new Promise<number>((resolve) =>
      addEventListener("keydown", ({ timeStamp }) => resolve(timeStamp), { capture: true, once: true }),
    );
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (shown() === before || shown() === undefined) await frame();
    // The next frame begins when the one that shows it has been drawn.
    await frame();
    return performance.now() - begun;
  });
  // The listener is there when the page has answered another question after it.
  await page.evaluate(() => undefined);
  await page.keyboard.press("ArrowRight");
  const took = await measured;
  await page.waitForTimeout(150);
  return took;
}

async function measureStrip(page: Page): Promise<void> {
  const held = await page.locator("longbox-continuous-stage").evaluate(async (strip) => {
    const most = { images: 0, bytes: 0 };
    for (let screen = 0; strip.scrollTop < strip.scrollHeight - strip.clientHeight - 4; screen++) {
      // Some are passed before they come, others are seen for a moment.
      strip.scrollTop += strip.clientHeight * (screen % 8 === 0 ? 0.5 : 3);
      const frames = screen % 8 === 0 ? 12 : 1;
      for (let frame = 0; frame < frames; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      const images = [...strip.shadowRoot!.querySelectorAll("img")];
      most.images = Math.max(most.images, images.length);
      // As they are decoded: four bytes a pixel.
      const bytes = images.reduce((sum, { naturalWidth, naturalHeight }) => sum + naturalWidth * naturalHeight * 4, 0);
      most.bytes = Math.max(most.bytes, bytes);
    }
    return most;
  });
  report({
    bench: "reader-pages",
    figure: `a strip of ${pages} pages, scrolled fast`,
    images: held.images,
    megabytes: held.bytes / 1e6,
    ratio: held.images / pages,
    yardstick: "all pages at once",
    atMost: { ratio: 20 / pages, megabytes: 250 },
  });
}

async function frameOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const begun = performance.now();
    for (let frame = 0; frame < 30; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (performance.now() - begun) / 30;
  });
}
