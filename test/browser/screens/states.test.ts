// Every screen while its content is on its way, when that fails, is refused, or the server is gone.
import type { Browser, Page } from "playwright-core";
import { needsLongRun } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { contributedPaths, pluginsWithClients, visitUnknown } from "../support/contributed-pages.ts";
import { signIn } from "../support/first-run.ts";
import { headings, sidewaysExcess } from "../support/judging-screens.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { enter, frameRequests, textsOf, type ScreenState } from "../support/screen-states.ts";
import { comicsFolder, seed } from "../support/seeding.ts";

const own = ["/", "/library", "/series/1", "/issue/-1", "/libraries", "/users", "/plugins", "/settings"];
const further = ["/search?q=moth", "/plugin/collection", "/account", "/read/-1", "/lists/1", "/listen/1", "/books/-1"];
/** Sentences of programs, never of the interface. */
const raw = /undefined|\[object|TypeError|Failed to fetch|NetworkError|JSON|dynamically imported|AbortError/;

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let screens: readonly string[];

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox({}, pluginsWithClients()),
    startChromium(),
    comicsFolder([{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 2 }]),
  ]);
  const key = await seed(longbox.url, comics.folder, 1);
  screens = [...own, ...(await contributedPaths(longbox.url, key))];
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

/** Unlike other tests, this one wants answers that fail; errors of scripts fail it as ever. */
async function open(): Promise<Page> {
  const context = await browser.newContext({
    baseURL: longbox.url,
    viewport: { width: 390, height: 860 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  await signIn(page, longbox.url);
  return page;
}

/** What a screen says of its state, and the role of the element that says it. */
interface Sign {
  readonly role: "status" | "alert";
  readonly says: RegExp;
}
const states: readonly (Sign & { state: ScreenState; isLong: boolean })[] = [
  { state: "failing", role: "alert", says: /That did not work|Something went wrong\./, isLong: false },
  { state: "loading", role: "status", says: /One moment|…/, isLong: true },
  { state: "forbidden", role: "alert", says: /You do not have access|This needs another permission\./, isLong: true },
  { state: "unreachable", role: "alert", says: /The server (?:cannot be reached|does not answer)/, isLong: true },
];

describe.each(states)("while all that a screen asks for is $state", ({ state, isLong, ...sign }) => {
  it("it has one heading and says so in words", { ...(isLong && needsLongRun), timeout: 400_000 }, async () => {
    const page = await open();
    const frame = await frameRequests(page, (path) => visitUnknown(page, path));
    const asked = await enter(page, state, frame);
    const found: Record<string, unknown> = {};
    for (const path of isLong ? [...screens, ...further] : screens) {
      const before = asked();
      await show(page, path, state);
      const wrong = await judge(page, asked() > before ? sign : undefined);
      if (wrong.length > 0) found[path] = wrong;
    }
    expect(screens.length).toBeGreaterThan(20);
    expect(asked()).toBeGreaterThan(screens.length / 2);
    expect(found).toEqual({});
  });
});

/** Pages of lists. On other pages, lists are a part. The list of jobs is also in the frame, and stays as it is. */
const ofLists = [
  "/libraries",
  "/notifications",
  "/lists",
  "/requests",
  "/downloads",
  "/operations/schedules",
  "/operations/backups",
  "/operations/tools",
  "/operations/log",
];
/** It speaks of JSON, and has no lists. */
const settings = "/settings";

describe.each([
  { which: "every page of a list", isLong: false },
  { which: "every other screen", isLong: true },
])("while the server has nothing", ({ which, isLong }) => {
  it(`${which} says so, or goes on without`, { ...(isLong && needsLongRun), timeout: 400_000 }, async () => {
    const page = await open();
    const frame = await frameRequests(page, (path) => visitUnknown(page, path));
    await enter(page, "empty", frame);
    const found: Record<string, unknown> = {};
    for (const path of isLong ? screens.filter((one) => one !== settings && !ofLists.includes(one)) : ofLists) {
      await visitUnknown(page, path);
      const wrong = await judge(page, undefined);
      const notices = await page.locator(".notice:visible").allInnerTexts();
      if (!isLong && !notices.some((text) => /\p{L}{3,}/u.test(text))) wrong.push(notices);
      if (wrong.length > 0) found[path] = wrong;
    }
    expect(found).toEqual({});
  });
});

async function show(page: Page, path: string, state: ScreenState): Promise<void> {
  if (state !== "loading") return visitUnknown(page, path);
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/** @param sign - What says how things stand; undefined where the page asked for nothing */
async function judge(page: Page, sign: Sign | undefined): Promise<unknown[]> {
  const titles = await headings(page);
  const texts = await textsOf(page);
  const excess = await sidewaysExcess(page);
  return [
    ...(titles.length === 1 && titles[0] !== "" ? [] : [titles]),
    ...(raw.test(texts) ? [raw.exec(texts)?.[0]] : []),
    ...(excess === undefined ? [] : [excess]),
    ...(await missing(page, sign)),
  ];
}

/** The connection line of the frame is no sign: it says the same on every screen. */
async function missing(page: Page, sign: Sign | undefined): Promise<readonly string[]> {
  if (sign === undefined) return [];
  const heard = await page.getByRole(sign.role).allInnerTexts();
  return heard.some((text) => sign.says.test(text))
    ? []
    : [`no ${sign.role} says ${String(sign.says)}: ${heard.join(" | ")}`];
}
