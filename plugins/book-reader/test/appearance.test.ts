import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { soon } from "../../../test/browser/support/soon.js";
import { openBookRoom, type BookRoom } from "./support/book-room.js";
import { prose, type PlannedBook } from "./support/epubs.js";
import { openBook, untilShown, type Opening } from "./support/reading-page.js";

/** As calibre writes them: a class for everything. */
const set: PlannedBook = {
  title: "Set",
  chapters: [1, 2].map((chapter) => ({
    title: `Chapter ${chapter}`,
    head: "<style>.plain { text-align: left } .middle { text-align: center }</style>",
    body: `<p class="middle" id="verse">A verse</p>${prose(chapter, 60).replaceAll("<p>", '<p class="plain">')}`,
  })),
};
const vertical: PlannedBook = {
  title: "Vertical",
  language: "ja",
  direction: "rtl",
  chapters: [1, 2].map((chapter) => ({
    title: `Chapter ${chapter}`,
    head: "<style>html { writing-mode: vertical-rl; -epub-writing-mode: vertical-rl }</style>",
    body: prose(chapter, 30),
  })),
};
const long: PlannedBook = {
  title: "One long page",
  metadata: '<meta property="rendition:flow">scrolled-doc</meta>',
  chapters: [{ title: "One", body: prose(1, 60) }],
};
const drawn = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Map</title><meta name="viewport" content="width=1000, height=1000"/></head><body><p id="corner" style="position: absolute; left: 900px; top: 900px; width: 100px; height: 100px; margin: 0">Here</p></body></html>`;
const mixed: PlannedBook = {
  title: "Mixed",
  metadata: '<meta property="rendition:layout">pre-paginated</meta>',
  chapters: [
    { title: "Map", body: "", document: drawn },
    { title: "Text", body: prose(1, 60), properties: "rendition:layout-reflowable" },
  ],
};

let room: BookRoom;
let browser: Browser;
beforeAll(async () => {
  [browser, room] = await Promise.all([startChromium(), openBookRoom([set, vertical, long, mixed], ["web"])]);
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
});
const usual = { flow: "book", alignment: "book", columns: 0, fontSize: 100, margin: 8 };
beforeEach(async () => {
  const answer = await fetch(`${room.host.url}/api/book-reader/preferences`, {
    method: "PUT",
    headers: { "x-api-key": room.host.as("viewer").key as string, "content-type": "application/json" },
    body: JSON.stringify(usual),
  });
  expect(answer.status).toBe(200);
});

const open = (title: string, options?: Opening) => openBook({ browser, room }, title, options);
const choose = (page: Page, label: string, option: string) => page.getByLabel(label).selectOption(option);
const alignments = (section: Frame) =>
  section.evaluate(() =>
    [...document.querySelectorAll("#verse, .plain")].slice(0, 2).map((p) => getComputedStyle(p).textAlign),
  );
/** How many columns the shown page has. */
const columns = (section: Frame) =>
  section.evaluate(() => {
    const { width, columnWidth, columnGap } = document.documentElement.style;
    return Math.round(Number.parseFloat(width) / (Number.parseFloat(columnWidth) + Number.parseFloat(columnGap)));
  });
const kept = async () => (await room.host.as("viewer").get("/api/book-reader/preferences")).body;

describe("the text of a book", () => {
  it("is justified or ragged as the user wants, whatever the book says of each paragraph, but verses stay in the middle", async () => {
    const { page, section } = await open("Set");
    await soon(async () => alignments(await section())).toEqual(["center", "left"]);
    await page.keyboard.press("a");
    await choose(page, "Alignment", "Justified");
    await soon(async () => alignments(await section())).toEqual(["center", "justify"]);
    await choose(page, "Alignment", "Ragged");
    await soon(async () => alignments(await section())).toEqual(["center", "start"]);
    await choose(page, "Alignment", "As in the book");
    await soon(async () => alignments(await section())).toEqual(["center", "left"]);
  });

  it("stands in as many columns as the user wants, where they fit", async () => {
    const { page, section } = await open("Set", { viewport: { width: 1400, height: 800 } });
    await soon(async () => columns(await section())).toBe(2);
    await page.keyboard.press("a");
    await choose(page, "Columns", "One");
    await soon(async () => columns(await section())).toBe(1);
    await page.setViewportSize({ width: 390, height: 780 });
    await choose(page, "Columns", "Two");
    await soon(kept).toMatchObject({ columns: 2 });
    await soon(async () => columns(await section())).toBe(1);
  });

  it("changes while a slider is moved, and is kept once it is let go", async () => {
    const { page, section } = await open("Set");
    const size = async () => (await section()).evaluate(() => getComputedStyle(document.documentElement).fontSize);
    await page.keyboard.press("a");
    const slider = page.getByRole("slider", { name: "Size" });
    await slider.evaluate((input: HTMLInputElement) => {
      input.value = "150";
      input.dispatchEvent(new Event("input"));
    });
    await soon(size).toBe("24px");
    expect(await kept()).toMatchObject({ fontSize: 100 });
    await slider.evaluate((input: HTMLInputElement) => void input.dispatchEvent(new Event("change")));
    await soon(kept).toMatchObject({ fontSize: 150 });
  });

  it("that is vertical is turned from right to left, and is searched and found", async () => {
    const { page, section, place } = await open("Vertical");
    await untilShown(page, "Paragraph 1.1 begins");
    const mode = () => section().then((shown) => shown.evaluate(() => getComputedStyle(document.body).writingMode));
    expect(await mode()).toBe("vertical-rl");
    await page.keyboard.press("ArrowLeft");
    await soon(place).toMatch(/page [2-9]/);
    await page.keyboard.press("ArrowRight");
    await soon(place).toMatch(/page 1 /);
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("sentence 2.7 aloud");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /sentence 2\.7 aloud/ }).click();
    await untilShown(page, "Paragraph 2.7 begins");
    await soon(place).toContain("Chapter 2");
  });

  it("is one long page where the book asks for it, and in pages when the user does", async () => {
    const { page, section } = await open("One long page");
    const isLong = async () => (await section()).evaluate(() => document.documentElement.scrollHeight > 3000);
    await soon(isLong).toBe(true);
    await page.keyboard.press("a");
    await choose(page, "Text as", "Pages");
    await soon(isLong).toBe(false);
  });

  it("stands beside pages of fixed layout in one book", async () => {
    const { page, section, place } = await open("Mixed");
    await untilShown(page, "Here");
    const corner = () =>
      section().then((shown) =>
        shown.evaluate(() => {
          const { right, bottom } = document.querySelector("#corner")!.getBoundingClientRect();
          return right <= innerWidth && bottom <= innerHeight && right > 200;
        }),
      );
    await soon(corner).toBe(true);
    await page.keyboard.press("ArrowRight");
    await untilShown(page, "Paragraph 1.1 begins");
    await page.keyboard.press("ArrowRight");
    await soon(place).toMatch(/Text · page [2-9]/);
  });
});

describe("pages", () => {
  it("are turned by the wheel, by taps at the edge of the window, and by a finger", async () => {
    const { page, place } = await open("Set", { hasTouch: true });
    await untilShown(page, "Paragraph 1.1 begins");
    const first = await place();
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 120);
    await soon(place).not.toBe(first);
    // The edge is beside the frame of the section.
    await page.mouse.click(8, 400);
    await soon(place).toBe(first);
    await page.touchscreen.tap(1272, 400);
    await soon(place).not.toBe(first);
  });
});
