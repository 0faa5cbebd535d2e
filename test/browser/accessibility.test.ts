import { needsLongRun, runsLongTests } from "@longbox/test/needs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objections } from "./support/objections.ts";
import { startChromium } from "./support/chromium.ts";
import { contributedPaths, pluginsWithClients, visitUnknown } from "./support/contributed-pages.ts";
import { signIn } from "./support/first-run.ts";
import { startLongbox, type RunningLongbox } from "./support/longbox.ts";
import { comicsFolder, seed } from "./support/seeding.ts";
import { visit } from "./support/visitor.ts";

const plans = [
  { title: "Moth Patrol", year: 2019, issues: ["1", "2", "4"], pages: 3 },
  { title: "The Extraordinarily Long Winded Adventures of Captain Umbra", year: 1963, issues: ["1"], pages: 2 },
];

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let contributed: readonly string[];

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox({}, pluginsWithClients()),
    startChromium(),
    comicsFolder(plans),
  ]);
  const key = await seed(longbox.url, comics.folder, 2);
  contributed = await contributedPaths(longbox.url, key);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

/** Where each page of the shell is, and what is there once it has been drawn. */
const own: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ["/", (page) => page.getByRole("heading", { name: "Recently added series" }).waitFor()],
  ["/library", (page) => page.getByRole("link", { name: /^Moth Patrol/ }).waitFor()],
  [
    "/search?q=moth",
    (page) =>
      page
        .getByRole("link", { name: /^Moth Patrol/ })
        .first()
        .waitFor(),
  ],
  ["/series/1", (page) => page.getByRole("heading", { name: /issues?$/ }).waitFor()],
  [
    "/issue/-1",
    (page) =>
      page
        .getByRole("link", { name: /^(Read|Continue)( |$)/ })
        .first()
        .waitFor(),
  ],
  ["/libraries", (page) => page.getByRole("button", { name: "Scan" }).waitFor()],
  ["/plugins", (page) => page.getByRole("heading", { name: "Collection" }).waitFor()],
  [
    "/plugin/collection",
    async (page) => {
      await page.getByRole("heading", { name: "Annuals" }).waitFor();
      await page.getByRole("group", { name: "Table" }).first().waitFor();
      await page.getByRole("link", { name: "Reader", exact: true }).waitFor();
    },
  ],
  ["/users", (page) => page.getByRole("cell", { name: /^ada/ }).waitFor()],
  ["/settings", (page) => page.getByRole("switch").first().waitFor()],
  ["/account", (page) => page.getByRole("heading", { name: "API key" }).waitFor()],
  ["/nowhere", (page) => page.getByRole("heading", { name: "Page not found" }).waitFor()],
];

/** Goes to every page of the shell and of all plugins, and does something at each. */
async function atEveryPage(page: Page, look: (path: string) => Promise<unknown>): Promise<void> {
  for (const [path, drawn] of own) {
    await page.goto(path);
    await drawn(page);
    await look(path);
  }
  for (const path of contributed) {
    await visitUnknown(page, path);
    await look(path);
  }
}

// In the dark, an ordinary run has axe look at every page in screens/every-screen.test.ts.
describe.each([
  { theme: "light", width: 1280, height: 860, options: {} },
  { theme: "dark", width: 390, height: 780, options: needsLongRun },
] as const)("in $theme, $width pixels wide", ({ theme, width, height, options }) => {
  it("gives axe nothing to object to on any page", options, async () => {
    const page = await visit(browser, longbox.url, { viewport: { width, height }, colorScheme: theme });
    await signIn(page, longbox.url);
    const found: Record<string, readonly string[]> = {};
    await atEveryPage(page, async (path) => (found[path] = await objections(page)));
    expect(contributed).toEqual(expect.arrayContaining(["/wanted", "/files", "/statistics"]));
    expect(found).toEqual(Object.fromEntries([...own.map(([path]) => path), ...contributed].map((path) => [path, []])));
  });

  it("gives axe nothing to object to before signing in", async () => {
    const page = await visit(browser, longbox.url, { viewport: { width, height }, colorScheme: theme });
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await objections(page)).toEqual([]);
  });
});

/**
 * The space between letters, words and lines that WCAG 1.4.12 lets readers ask for; it makes up for narrow fonts of
 * this machine, too.
 */
const spacedText =
  ":root { font-stretch: normal !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }";

const looks = [
  { width: 360, text: "as it is", style: "" },
  { width: 360, text: "spaced", style: spacedText },
  { width: 768, text: "spaced", style: spacedText },
  { width: 1280, text: "as it is", style: "" },
  { width: 3840, text: "as it is", style: "" },
];

/** An ordinary run opens each page once and makes its window wider; the long one opens it at every width. */
it.each(runsLongTests ? looks.map((look) => [look]) : [looks])("never scrolls sideways (%j)", async (...these) => {
  const page = await visit(browser, longbox.url, { viewport: { width: these[0]!.width, height: 800 } });
  await signIn(page, longbox.url);
  const wider: string[] = [];
  await atEveryPage(page, async (path) => {
    for (const { width, text, style } of these) {
      await page.setViewportSize({ width, height: 800 });
      const excess = await excessWith(page, style);
      if (excess > 0) wider.push(`${path}, ${width} pixels ${text}: ${excess}px ${await outermostBeyond(page)}`);
    }
    await page.setViewportSize({ width: these[0]!.width, height: 800 });
  });
  expect(wider).toEqual([]);
});

/** How many pixels the page is wider than its window, with this style alone of those that tests gave it. */
function excessWith(page: Page, style: string): Promise<number> {
  return page.evaluate(async (text) => {
    const here = globalThis as { spacing?: CSSStyleSheet };
    if (here.spacing === undefined) document.adoptedStyleSheets.push((here.spacing = new CSSStyleSheet()));
    here.spacing.replaceSync(text);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  }, style);
}

/** The names of the elements that reach beyond the window, for the message of a failure. */
function outermostBeyond(page: Page): Promise<string> {
  return page.evaluate(() => {
    const found: string[] = [];
    const look = (node: Element, way: string): void => {
      const here = `${way} ${node.localName}${node.className && typeof node.className === "string" ? `.${node.className.replaceAll(" ", ".")}` : ""}`;
      if (node.getBoundingClientRect().right > document.documentElement.clientWidth + 1) found.push(here);
      for (const child of [...(node.shadowRoot?.children ?? []), ...node.children])
        look(child, here.split(" ").slice(-2).join(" "));
    };
    look(document.body, "");
    return found.slice(0, 6).join(" | ");
  });
}

it("gives axe nothing to object to in the reader", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/read/-1");
  await page.getByRole("button", { name: "Close the reader" }).waitFor();
  expect(await objections(page)).toEqual([]);
});
