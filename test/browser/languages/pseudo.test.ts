// The interface in the pseudo-language en-XA, whose messages stand in brackets and are a third longer: texts that are
// no messages show, and so do messages that do not fit.
import { translatedBy } from "@longbox/sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { contributedPaths, pluginsWithClients, visitUnknown } from "../support/contributed-pages.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { comicsFolder, seed } from "../support/seeding.ts";
import { visit } from "../support/visitor.ts";
import { clippedTexts, rawTexts } from "./texts-on-screen.ts";

const plans = [{ title: "Moth Patrol", year: 2019, issues: ["1", "2", "4"], pages: 3 }];
const own = [
  "/",
  "/library",
  "/search?q=moth",
  "/series/1",
  "/issue/-1",
  "/libraries",
  "/users",
  "/plugins",
  "/settings",
];
const further = ["/plugin/collection", "/account", "/offline", "/nowhere"];

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let key: string;

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox({}, pluginsWithClients()),
    startChromium(),
    comicsFolder(plans),
  ]);
  key = await seed(longbox.url, comics.folder, 1);
  const headers = { "X-Api-Key": key, "Content-Type": "application/json" };
  const body = JSON.stringify({ language: "en-XA" });
  const answer = await fetch(`${longbox.url}/api/language`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

/** Every screen that needs no parameters beyond those known here, at the width of a phone. */
async function onEveryScreen(
  look: (page: Page) => Promise<readonly string[]>,
): Promise<Record<string, readonly string[]>> {
  const page = await visit(browser, longbox.url, {
    viewport: { width: 390, height: 860 },
    extraHTTPHeaders: { "X-Api-Key": key },
  });
  const found: Record<string, readonly string[]> = {};
  for (const path of [...own, ...further, ...(await contributedPaths(longbox.url, key))]) {
    await visitUnknown(page, path);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en-XA");
    const texts = await look(page);
    if (texts.length > 0) found[path] = texts;
  }
  return found;
}

it("shows no text on any screen that is no message, no name and no figure", { timeout: 300_000 }, async () => {
  expect(await onEveryScreen(rawTexts)).toEqual({});
});

it("clips no message on any screen", { timeout: 300_000 }, async () => {
  expect(await onEveryScreen(clippedTexts)).toEqual({});
});

/** Answers whose texts the interface says in the language of the reader. */
const describing = [
  "permissions",
  "roles",
  "settings/schema",
  "plugins",
  "schedules",
  "tools",
  "jobs",
  "health/checks",
];
const shown = new Set(["label", "title", "description", "advice", "hint", "message"]);
/** Names of products and of what was seeded, which are the same everywhere. */
const names =
  /^(?:Id|Open Library|qBittorrent|Transmission|SABnzbd|NZBGet|OPDS|ntfy|Gotify|Discord|Apprise|Comics|Moth Patrol)$/;

function textsIn(answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    typeof value === "string" ? (shown.has(name) ? [value] : []) : textsIn(value),
  );
}

it("has a German translation of everything that the server says of settings, schedules, tools, jobs and its health", async () => {
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${longbox.url}/api/${path}`, { headers: { "X-Api-Key": key } })).json();
  const tables = (await ask("plugins/texts?language=de")) as Record<string, { texts: Record<string, string> }>;
  const said = translatedBy(Object.values(tables).map(({ texts }) => texts));
  const texts = (await Promise.all([...describing, "notifications/choices"].map(ask))).flatMap(textsIn);
  expect(texts.length).toBeGreaterThan(300);
  expect([...new Set(texts)].filter((text) => !names.test(text) && said(text) === undefined)).toEqual([]);
});
