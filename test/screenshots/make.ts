/**
 * Takes the pictures: the main pages and those of all plugins in both themes on a phone and a desktop, into
 * `test/screenshots/out`, and the README's, `test/screenshots/library.webp`. Run it on a built checkout:
 * `node test/screenshots/make.ts`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { showcase } from "@longbox/test/fixtures";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { account } from "../browser/support/account.ts";
import { startChromium } from "../browser/support/chromium.ts";
import { contributedPaths, pluginsWithClients } from "../browser/support/contributed-pages.ts";
import { startLongbox } from "../browser/support/longbox.ts";
import { comicsFolder, seed } from "../browser/support/seeding.ts";

const folder = fileURLToPath(new URL("out", import.meta.url));
const themes = ["light", "dark"] as const;
const windows = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "tablet", viewport: { width: 834, height: 1112 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
] as const;
/** The shell's own; those of plugins are asked for. */
const own = {
  home: "/",
  library: "/library",
  series: "/series/1",
  issue: "/issue/-1",
  reader: "/read/-1",
  libraries: "/libraries",
  plugins: "/plugins",
  users: "/users",
  settings: "/settings",
  account: "/account",
};

/** Every picture on a page has arrived, and nothing is on its way any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => undefined);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

async function open(
  browser: Browser,
  url: string,
  theme: (typeof themes)[number],
  viewport: { width: number; height: number },
  scale = 1,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    colorScheme: theme,
    deviceScaleFactor: scale,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const signedIn = await page.request.post("/api/auth/login", { data: account, headers: { Origin: url } });
  if (!signedIn.ok()) throw new Error(`Signing in was answered with ${signedIn.status()}.`);
  return page;
}

/**
 * The page streams changes for ever, so "no request for half a second" is all that can be waited for; the stream is
 * left out.
 */
async function shoot(page: Page, path: string): Promise<Buffer> {
  await page.route("**/api/events", (route) => route.abort());
  await page.goto(path);
  await settled(page);
  return page.screenshot();
}

await using comics = await comicsFolder(
  showcase.map((plan) => ({ ...plan, size: { width: 480, height: 720 }, pages: 6 })),
);
await using longbox = await startLongbox({}, pluginsWithClients());
const browser = await startChromium();
try {
  await mkdir(folder, { recursive: true });
  const key = await seed(longbox.url, comics.folder, showcase.length);
  await readSome(longbox.url, key);
  const contributed = await contributedPaths(longbox.url, key);
  const places = {
    ...own,
    ...Object.fromEntries(contributed.map((path) => [path.slice(1).replaceAll("/", "-"), path])),
  };
  for (const theme of themes) {
    for (const { name, viewport } of windows) {
      const page = await open(browser, longbox.url, theme, viewport);
      for (const [place, path] of Object.entries(places))
        await writeFile(`${folder}/${place}-${name}-${theme}.png`, await shoot(page, path));
      await page.context().close();
    }
  }
  const page = await open(browser, longbox.url, "light", { width: 1280, height: 840 }, 1.5);
  const picture = await shoot(page, "/library");
  await sharp(picture)
    .webp({ quality: 88, effort: 6, smartSubsample: true })
    .toFile(fileURLToPath(new URL("library.webp", import.meta.url)));
} finally {
  await browser.close();
}

async function send(address: string, headers: Record<string, string>, body: unknown): Promise<void> {
  const { status } = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  if (status >= 300) throw new Error(`${address} answered ${status}.`);
}

/** Some reading has been done, so that the shelves are not bare. */
async function readSome(url: string, key: string): Promise<void> {
  const headers = { "X-Api-Key": key, "Content-Type": "application/json" };
  const series = (await (await fetch(`${url}/api/collection?limit=4`, { headers })).json()) as { id: number }[];
  for (const [index, { id }] of series.entries()) {
    const issues = (await (await fetch(`${url}/api/series/${id}/issues`, { headers })).json()) as {
      cvIssueId: number;
    }[];
    const progress = { page: index + 1, pages: 6, completed: false };
    await send(`${url}/api/reader/issue/${issues[0]?.cvIssueId}/progress`, headers, progress);
    await send(`${url}/api/collection/${id}/follow`, headers, { follow: index < 2 });
  }
}
