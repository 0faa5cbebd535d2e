// In a language that is read from the right, what has a direction of its own follows it: bars, arrows, keys, names in
// sentences.
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { signIn } from "../support/first-run.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { comicsFolder, seed } from "../support/seeding.ts";
import { soon } from "../support/soon.ts";
import { visit } from "../support/visitor.ts";

const titles = ["Moth Patrol", "Night Bell", "Salt Road"];

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox(),
    startChromium(),
    comicsFolder(titles.map((title) => ({ title, year: 2019, issues: ["1"], pages: 4 }))),
  ]);
  const key = await seed(longbox.url, comics.folder, titles.length);
  const { status } = await fetch(`${longbox.url}/api/reader/issue/-1/progress`, {
    method: "POST",
    headers: { "X-Api-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ page: 1, pages: 4, completed: false }),
  });
  expect(status).toBe(200);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

it("leads on to the left: sentences, the arrow keys and bars", async () => {
  const page = await visit(browser, longbox.url, { locale: "ar" });
  await signIn(page, longbox.url);
  await page.goto("/");
  const greeting = page.getByRole("heading", { level: 1 }).filter({ hasText: "ada" });
  expect(await leftOf(greeting, "ada")).toBeLessThan(await leftOf(greeting, "،"));

  const shelf = page.locator(".shelf").filter({ hasText: titles[2]! }).last();
  const links = shelf.getByRole("listitem").getByRole("link");
  await links.first().focus();
  await page.keyboard.press("ArrowLeft");
  expect(await links.nth(1).evaluate((link) => (link.getRootNode() as ShadowRoot).activeElement === link)).toBe(true);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("moth");
  await page.getByRole("dialog").getByText("السلاسل", { exact: true }).waitFor();

  await page.goto("/series/1");
  const bar = page.locator(".badge.bar").first();
  await soon(() => bar.evaluate((element) => getComputedStyle(element).backgroundImage)).toContain("270deg");
});

it("leaves the pages of a comic in the comic's own direction: spreads, and what taps do", async () => {
  const page = await visit(browser, longbox.url, { locale: "ar", viewport: { width: 1280, height: 800 } });
  await signIn(page, longbox.url);
  await page.goto("/read/-1?page=1");
  const leaves = page.locator("longbox-paged-stage .leaf");
  await soon(() => leaves.count()).toBe(2);
  const lefts = () => leaves.evaluateAll((all) => all.map((leaf) => leaf.getBoundingClientRect().left));
  await soon(async () => {
    const [second, third] = await lefts();
    return second! < third!;
  }).toBe(true);

  const zones = page.locator("longbox-zone-map");
  const label = (word: string) =>
    zones.getByText(word, { exact: true }).evaluate((zone) => zone.getBoundingClientRect().left);
  await page.mouse.move(600, 20);
  await page.mouse.move(601, 21);
  await page.getByRole("button", { name: "كيفية عرض الصفحات" }).click();
  await page.getByText("النقر والحركة").click();
  const isShownRightly = async () => (await label("التالي")) > (await label("رجوع"));
  const [isRight] = await Promise.all([
    zones.getByText("التالي", { exact: true }).waitFor().then(isShownRightly),
    page.getByRole("button", { name: "عرض المناطق" }).click(),
  ]);
  expect(isRight).toBe(true);
});

it("follows its keys by letter on a keyboard that has other letters", async () => {
  const page = await visit(browser, longbox.url, { locale: "ar" });
  await signIn(page, longbox.url);
  const session = await page.context().newCDPSession(page);
  const press = async (pressed: { key: string; code: string; modifiers?: number }) => {
    await session.send("Input.dispatchKeyEvent", { type: "keyDown", ...pressed });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
  };
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await press({ key: "ن", code: "KeyK", modifiers: 2 });
  const panel = page.getByRole("dialog");
  await panel.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "hidden" });
  await press({ key: "ل", code: "KeyG" });
  await press({ key: "م", code: "KeyL" });
  await page.waitForURL("**/library");

  await page.goto("/read/-1");
  const reader = page.locator("longbox-reader");
  await reader.locator("img").first().waitFor();
  await press({ key: "ث", code: "KeyE" });
  await page.getByRole("textbox").waitFor();
});

/** Where a part of a text begins in the window, in pixels. */
function leftOf(text: Locator, part: string): Promise<number> {
  return text.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = (node as Text).data.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      return range.getBoundingClientRect().left;
    }
    return Number.NaN;
  }, part);
}
