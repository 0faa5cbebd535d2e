import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { soon } from "../../../test/browser/support/soon.js";
import { openBookRoom, type BookRoom } from "./support/book-room.js";
import { prose, type PlannedBook } from "./support/epubs.js";
import { startListener, type Listener } from "./support/listener.js";
import { marks, openBook, select, texts, untilShown } from "./support/reading-page.js";

const reference = `<a xmlns:epub="http://www.idpf.org/2007/ops" epub:type="noteref" id="reference" href="#n1">1</a>`;
const note = `<aside xmlns:epub="http://www.idpf.org/2007/ops" epub:type="footnote" id="n1"><p>The bell of the flood.</p></aside>`;
const book: PlannedBook = {
  title: "The Bell",
  chapters: [
    { title: "One", body: prose(1, 60) },
    {
      title: "Two",
      body: `${prose(2, 60)}<table><tr><td>Boat</td><td>Mast</td></tr></table><p>See ${reference}.</p>${note}`,
    },
  ],
};

let room: BookRoom;
let browser: Browser;
let dictionary: Listener;
beforeAll(async () => {
  [browser, room, dictionary] = await Promise.all([startChromium(), openBookRoom([book], ["web"]), startListener()]);
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
  await dictionary?.[Symbol.asyncDispose]();
});

const open = () => openBook({ browser, room }, book.title);
const menu = (page: Page) => page.getByRole("group", { name: "Selected text" });
const setDictionary = (address: string) =>
  room.host.as("admin").post("/api/settings", { "book-reader": { dictionary: address } });

async function search(page: Page, query: string): Promise<void> {
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("searchbox").fill(query);
  await page.keyboard.press("Enter");
  await page.getByText("1 place found.").waitFor();
}

describe("a word", () => {
  it("is looked up in the dictionary that an admin has set, in a window that learns nothing of this one", async () => {
    const set = await setDictionary(`http://127.0.0.1:${dictionary.port}/define?word={word}`);
    expect(set.status).toBe(200);
    const { page, section } = await open();
    await untilShown(page, "Paragraph 1.1 begins");
    await select(await section(), "lamps of");
    const opened = page.context().waitForEvent("page");
    await menu(page).getByRole("button", { name: "Look up" }).click();
    const other = await opened;
    await other.waitForLoadState();
    expect(new URL(other.url()).search).toBe("?word=lamps%20of");
    expect(await other.evaluate(() => [opener, document.referrer])).toEqual([null, ""]);
    expect(dictionary.take()).toContain("GET /define?word=lamps%20of");
  });

  it("is not looked up where no dictionary is set", async () => {
    expect((await setDictionary("")).status).toBe(200);
    const { page, section } = await open();
    await untilShown(page, "Paragraph 1.1 begins");
    await select(await section(), "lamps of");
    await menu(page).getByRole("button", { name: "Copy" }).waitFor();
    expect(await menu(page).getByRole("button", { name: "Look up" }).count()).toBe(0);
    expect((await setDictionary("ftp://nowhere/{word}")).status).toBe(400);
    expect((await setDictionary("https://nowhere.example/")).status).toBe(400);
  });
});

describe("a text that is found", () => {
  it("is marked on its page", async () => {
    const { page } = await open();
    await search(page, "sentence 2.30 aloud");
    await page.getByRole("button", { name: /sentence 2\.30 aloud/ }).click();
    await untilShown(page, "Paragraph 2.30 begins");
    await soon(() => marks(page)).toBe(1);
  });

  it("is shown with the words of other paragraphs apart from it, and leads to where its note is referred to", async () => {
    const { page, place } = await open();
    await search(page, "bell of the flood");
    const finding = page.getByRole("button", { name: /bell of the flood/ });
    await soon(() => finding.textContent()).toMatch(/Boat Mast See 1\. The bell of the flood/);
    await finding.click();
    await soon(place).toMatch(/^Two · .*(?:[89]\d|100)%$/);
  });
});

describe("a note", () => {
  it("is closed by Escape, which leaves the book open, and turns no page meanwhile", async () => {
    const { page, section, place } = await open();
    await search(page, "bell of the flood");
    await page.getByRole("button", { name: /bell of the flood/ }).click();
    await soon(place).toContain("Two");
    const before = await place();
    await (await section()).evaluate(() => document.querySelector<HTMLElement>("#reference")?.click());
    await soon(async () => (await texts(page)).at(-1)).toBe("The bell of the flood.");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Escape");
    await soon(async () => (await texts(page)).at(-1)).not.toBe("The bell of the flood.");
    expect(new URL(page.url()).pathname).toMatch(/^\/books\//);
    expect(await place()).toBe(before);
  });
});
