// What must hold on every screen of the web interface, whichever plugin it comes from.
import type { Browser, Page } from "playwright-core";
import { needsLongRun } from "@longbox/test/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { pluginsWithClients, visitUnknown } from "../support/contributed-pages.ts";
import { findScreens } from "../support/every-screen.ts";
import { signIn } from "../support/first-run.ts";
import { enlargeText, headings, hiddenStops, sidewaysExcess } from "../support/judging-screens.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { objections } from "../support/objections.ts";
import { comicsFolder, seed } from "../support/seeding.ts";
import { visit } from "../support/visitor.ts";

const plans = [
  { title: "Moth Patrol", year: 2019, issues: ["1", "2", "4"], pages: 3 },
  { title: "The Extraordinarily Long Winded Adventures of Captain Umbra", year: 1963, issues: ["1"], pages: 2 },
];
const mostStops = 30;

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let screens: readonly string[] | undefined;

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox({}, pluginsWithClients()),
    startChromium(),
    comicsFolder(plans),
  ]);
  await seed(longbox.url, comics.folder, 2);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

interface Look {
  readonly theme: "light" | "dark" | "black";
  readonly width: number;
}

async function open({ theme, width }: Look): Promise<Page> {
  const page = await visit(browser, longbox.url, { viewport: { width, height: 860 } });
  await page.addInitScript((chosen) => localStorage.setItem("longbox.theme", chosen), theme);
  await signIn(page, longbox.url);
  screens ??= await findScreens(page);
  return page;
}

/** What `judge` finds on each screen, without those where it finds nothing. */
async function atEvery(page: Page, judge: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const path of screens!) {
    await visitUnknown(page, path);
    const problem = await judge();
    if (problem !== undefined && !(Array.isArray(problem) && problem.length === 0)) found[path] = problem;
  }
  return found;
}

/** An ordinary run looks at phones, where there is the least room; the long one at the rest. */
const ordinaryWidth = 390;
const unlessOrdinary = (width: number) => (width === ordinaryWidth ? {} : needsLongRun);

describe.each([
  { theme: "light", width: 1440 },
  { theme: "dark", width: 390 },
  { theme: "black", width: 820 },
] as const)("every screen in $theme, $width pixels wide", (look) => {
  const options = { ...unlessOrdinary(look.width), timeout: 400_000 };
  it("has one heading, gives axe nothing to object to and never scrolls sideways", options, async () => {
    const page = await open(look);
    const found = await atEvery(page, async () => {
      const problems: string[] = [...(await objections(page))];
      const titles = await headings(page);
      if (titles.length !== 1 || titles[0] === "") problems.push(`headings: ${JSON.stringify(titles)}`);
      const excess = await sidewaysExcess(page);
      if (excess !== undefined) problems.push(`wider by ${excess}`);
      return problems;
    });
    expect(screens!.length).toBeGreaterThan(35);
    expect(found).toEqual({});
  });
});

describe.each([390, 820, 1440])("every screen, %i pixels wide", (width) => {
  it("fits with text of twice the size", { ...needsLongRun, timeout: 400_000 }, async () => {
    const page = await open({ theme: "light", width });
    await enlargeText(page, 200);
    expect(await atEvery(page, () => sidewaysExcess(page))).toEqual({});
  });
});

it(
  "tells a viewer on every screen what it is, or that it is not for them",
  { ...needsLongRun, timeout: 400_000 },
  async () => {
    const page = await open({ theme: "light", width: 1440 });
    const headers = { Origin: longbox.url };
    const viewer = { username: "vic", password: "a viewer's password", role: "viewer" };
    expect((await page.request.post("/api/users", { data: viewer, headers })).status()).toBe(201);
    await page.context().clearCookies();
    expect((await page.request.post("/api/auth/login", { data: viewer, headers })).status()).toBe(200);
    const shown = new Map<string, string>();
    const found = await atEvery(page, async () => {
      const titles = await headings(page);
      shown.set(new URL(page.url()).pathname, titles.join());
      return titles.length === 1 && titles[0] !== "" ? undefined : titles;
    });
    expect(found).toEqual({});
    expect(shown.get("/users")).toBe(shown.get("/plugins"));
    expect(shown.get("/users")).not.toBe(shown.get("/library"));
  },
);

describe.each([1440, 390])("the focus on every screen, %i pixels wide", (width) => {
  it("is shown", { ...needsLongRun, timeout: 400_000 }, async () => {
    const page = await open({ theme: "light", width });
    expect(await atEvery(page, () => hiddenStops(page, mostStops))).toEqual({});
  });
});
