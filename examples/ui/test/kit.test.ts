import { glob, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { soon } from "../../../test/browser/support/soon.ts";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const sections = ["basics", "states", "overlays", "covers", "lists", "rows", "served"];

let host: TestHost;
let browser: Browser;
let axe: string;
beforeAll(async () => {
  [host, browser, axe] = await Promise.all([
    startTestHost({ plugins: ["collection", "web", join(import.meta.dirname, "..")] }),
    startChromium(),
    readFile(axePath, "utf8"),
  ]);
});
afterAll(async () => {
  await browser.close();
  await host[Symbol.asyncDispose]();
});

async function open(section: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const headers = { "x-api-key": host.as("trusted").key as string };
  const page = await browser.newPage({
    baseURL: host.url,
    extraHTTPHeaders: headers,
    reducedMotion: "reduce",
    ...options,
  });
  await page.goto(`/kit/${section}`);
  await page.getByRole("heading", { name: "Kit", level: 1 }).waitFor();
  await page.locator(`kit-${section} section`).first().waitFor();
  return page;
}

const focused = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.replaceAll(/\s+/g, " ").trim();
  });

async function objections(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: loaded } = window as unknown as {
      axe: {
        run(
          context: Document,
          options: unknown,
        ): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
      };
    };
    const { violations } = await loaded.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${JSON.stringify(target)}`));
  });
}

describe.each([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const)("in $colorScheme, $width pixels wide", ({ colorScheme, width }) => {
  it("gives axe nothing to object to, and never scrolls sideways", async () => {
    const found: Record<string, unknown> = {};
    for (const section of sections) {
      const page = await open(section, { colorScheme, viewport: { width, height: 844 } });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      found[section] = [await objections(page), wide];
      await page.close();
    }
    expect(found).toEqual(Object.fromEntries(sections.map((section) => [section, [[], 0]])));
  });
});

/** What the kit has for code alone, or wears in every part: nothing of it can be looked at. */
const withoutLooks =
  /^(?:addressOf|basePath|isBelowBase|pathOf|coverAddress|values?Of|alongText|nextCell|compareTexts|isRightToLeft|language|latinKey|locale|pseudoLanguage|rich|t|unmarked|isAway|messageOf|styled|foldText|filledIn|translatedBy|base|buttons|fields|headings|layout|menus|pageFrame|surfaces|tabs|toasts)$/;

it("shows everything that the kit exports", async () => {
  const source = (path: string) => readFile(join(import.meta.dirname, path), "utf8");
  const listed = (text: string, statement: RegExp) =>
    [...text.matchAll(statement)].flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()));
  const exported = listed(await source("../../../sdk/src/ui/index.ts"), /^export \{([^}]+)\}/gm);
  const imported = new Set<string>();
  for await (const path of glob("../client/src/**/*.ts", { cwd: import.meta.dirname }))
    for (const name of listed(await source(path), /^import \{([^}]+)\} from "@longbox\/sdk\/ui"/gm)) imported.add(name);
  const parts = exported.filter((name) => name !== "" && !name.startsWith("type ") && !withoutLooks.test(name));
  expect(parts.length).toBeGreaterThan(40);
  expect(parts.filter((name) => !imported.has(name))).toEqual([]);
});

it("opens a dialog by the keyboard, a menu in it, and gives the focus back to the button", async () => {
  const page = await open("overlays");
  await page.getByRole("button", { name: "Open a dialog" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "A new shelf" });
  await dialog.getByLabel("Name").fill("Attic");
  await dialog.getByRole("button", { name: "Open a menu" }).focus();
  await page.keyboard.press("Enter");
  await soon(() => focused(page)).toBe("Scan");
  await page.keyboard.press("Escape");
  await soon(() => focused(page)).toBe("Open a menu");
  await soon(() => dialog.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await soon(() => dialog.count()).toBe(0);
  await soon(() => focused(page)).toBe("Open a dialog");
  await page.close();
});

it("walks through a menu with arrows and letters, passing over what is disabled, and does what was chosen", async () => {
  const page = await open("overlays");
  const button = page.getByRole("region", { name: "Menus" }).getByRole("button", { name: "Open a menu" });
  await button.focus();
  await page.keyboard.press("Enter");
  await soon(() => button.getAttribute("aria-expanded")).toBe("true");
  await soon(() => focused(page)).toBe("Scan");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await soon(() => focused(page)).toBe("Remove");
  await page.keyboard.press("e");
  await soon(() => focused(page)).toBe("Edit");
  await page.keyboard.press("Enter");
  await page.getByText("Edit was chosen.").waitFor();
  expect([await focused(page), await button.getAttribute("aria-expanded")]).toEqual(["Open a menu", "false"]);
  await button.click();
  await page.getByRole("menu", { name: "Things to do" }).waitFor();
  await button.click();
  await soon(() => page.getByRole("menu").count()).toBe(0);
  await page.close();
});

it("asks before something is done, and takes Escape for no", async () => {
  const page = await open("overlays");
  await page.getByRole("button", { name: "Ask about a danger" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the shelf?" });
  await dialog.getByLabel("Its books as well").check();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Yes, with the books.").waitFor();
  await soon(() => focused(page)).toBe("Ask about a danger");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByText("It was cancelled.").waitFor();
  await page.close();
});

it("replaces good news by good news and progress by its end, and keeps what went wrong", async () => {
  const page = await open("overlays");
  const messages = page.locator(".toast p");
  for (const name of ["Danger", "Info", "Success"]) await page.getByRole("button", { name, exact: true }).click();
  await soon(() => messages.allTextContents()).toEqual(["It could not be saved.", "Saved."]);
  await page.getByRole("button", { name: "Progress", exact: true }).click();
  await page.getByRole("progressbar", { name: "Reading files" }).waitFor();
  await page.getByRole("button", { name: "End of the progress" }).click();
  await soon(() => page.getByRole("progressbar", { name: "Reading files" }).count()).toBe(0);
  await page.getByText("All files were read.").waitFor();
  await page.close();
});

it("keeps in a control what was chosen until the change has ended, and shows what it was when the change failed", async () => {
  const page = await open("basics");
  const controls = [page.getByLabel("Shelf is lit"), page.getByLabel("Shelf is locked")];
  const select = page.getByRole("combobox", { name: "Shelf", exact: true });
  const shown = async () => [
    ...(await Promise.all(controls.map((control) => control.isChecked()))),
    await select.inputValue(),
  ];
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const seen: unknown[] = [];
  for (const end of ["Let it fail", "Let it succeed", "Let it fail"])
    for (const change of [() => controls[0]?.click(), () => controls[1]?.click(), () => choose(select)]) {
      await change();
      await press("Draw again");
      const meanwhile = await shown();
      await press(end);
      seen.push([meanwhile, await shown()]);
    }
  const [off, lit, locked, large] = [
    [false, false, "small"],
    [true, false, "small"],
    [true, true, "small"],
    [true, true, "large"],
  ];
  expect(seen).toEqual([
    [lit, off],
    [[false, true, "small"], off],
    [[false, false, "large"], off],
    [lit, lit],
    [locked, locked],
    [large, large],
    [[false, true, "large"], large],
    [[true, false, "large"], large],
    [[true, true, "small"], large],
  ]);
  await page.close();
});

async function choose(select: Locator): Promise<void> {
  await select.selectOption((await select.inputValue()) === "small" ? "large" : "small");
}

it("selects a stretch with the mouse and the keyboard among a hundred thousand, and does one thing to all of it", async () => {
  const page = await open("lists", { viewport: { width: 1280, height: 900 } });
  const part = (number: number) => page.getByRole("link", { name: new RegExp(`^Part ${number}( |$)`) });
  await part(2).click({ modifiers: ["Control"] });
  await part(5).click({ modifiers: ["Shift"] });
  await page.getByText("4 parts selected").waitFor();
  await soon(() => page.getByRole("listitem").count()).toBeLessThan(200);
  await part(5).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Space");
  await page.getByText("5 parts selected").waitFor();
  await page.getByRole("button", { name: "Polish" }).click();
  await page.getByText("5 polished.").waitFor();
  await page.getByText("polished 1 times").first().waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await part(1).focus();
  await page.keyboard.press("End");
  await soon(() => focused(page)).toMatch(/^Part 100000/);
  await page.close();
});

it("asks for badges when a list that is scrolled fast rests, or now and then, not for each row", async () => {
  const page = await open("lists", { viewport: { width: 1280, height: 900 } });
  await page.getByRole("link", { name: /^Part 1( |$)/ }).waitFor();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(60_000);
  let asked = 0;
  page.on("request", (request) => void (request.url().endsWith("/badges") && asked++));
  for (let step = 0; step < 50; step++) {
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          window.addEventListener("scroll", () => resolve(), { once: true });
          window.scrollBy(0, 400);
        }),
    );
    await page.clock.runFor(20);
  }
  expect(asked).toBeLessThanOrEqual(3);
  const before = asked;
  await page.clock.runFor(1_000);
  await soon(() => asked > before).toBe(true);
  await page.close();
});

it("offers the actions of one part on its cover: a dialog with an element, and a danger that asks first", async () => {
  const page = await open("lists");
  const first = page.getByRole("link", { name: /^Part 1( |$)/ });
  await first.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Measure" }).click();
  const dialog = page.getByRole("dialog", { name: "Measure" });
  await dialog.getByText("1 part of 2 by 3: 1.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await soon(() => dialog.count()).toBe(0);
  await first.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Break" }).click();
  await page.getByRole("dialog", { name: "Break 1 parts?" }).getByRole("button", { name: "Break" }).click();
  await page.getByText("Break: done.").waitFor();
  await page.close();
});

it("begins a selection with a long press, and goes on with taps", async () => {
  const page = await open("lists", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const box = await page.getByRole("link", { name: /^Part 1( |$)/ }).boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = [{ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at });
  await page.getByText("1 part selected").waitFor();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.getByRole("link", { name: /^Part 2( |$)/ }).tap();
  await page.getByText("2 parts selected").waitFor();
  await page.close();
});
