import { readFile } from "node:fs/promises";
import type { Browser, Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect as plainly, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { objections } from "../../../test/browser/support/objections.js";
import { visit } from "../../../test/browser/support/visitor.js";
import { openBookRoom, pathOf, sectionOf, untilOpen, type BookRoom } from "./support/book-room.js";
import { prose, writeEpub, type PlannedBook } from "./support/epubs.js";
import { marks, openBook, select, texts, untilShown, type Opening } from "./support/reading-page.js";

const note = `<p>See <a xmlns:epub="http://www.idpf.org/2007/ops" epub:type="noteref" href="#n1">Note 1</a>.</p><aside xmlns:epub="http://www.idpf.org/2007/ops" epub:type="footnote" id="n1"><p>The bell was cast in the year of the flood.</p></aside>`;
const harbour: PlannedBook = {
  title: "The Harbour",
  chapters: Array.from({ length: 4 }, (_, index) => ({
    title: `Chapter ${index + 1}`,
    body: `<h2>Chapter ${index + 1}</h2>${prose(index + 1, 40)}${index === 1 ? note : ""}`,
  })),
};
const edited: PlannedBook = { ...harbour, title: "Edited" };
const rtl: PlannedBook = {
  title: "Right to left",
  language: "he",
  direction: "rtl",
  chapters: [{ title: "א", head: "<style>html { direction: rtl }</style>", body: `<h2>א</h2>${prose(1, 60)}` }],
};
const drawn: PlannedBook = {
  title: "Fixed",
  metadata: '<meta property="rendition:layout">pre-paginated</meta>',
  chapters: [1, 2, 3].map((page) => ({
    title: `Page ${page}`,
    head: '<meta name="viewport" content="width=600, height=800"/>',
    body: `<p>Drawn page ${page}</p>`,
  })),
};

/** The machine may be busy with other tests. */
const expect = Object.assign(<T>(value: T) => plainly(value), {
  poll: <T>(read: () => Promise<T> | T) => plainly.poll(read, { timeout: 20_000 }),
});

let room: BookRoom;
let browser: Browser;
beforeAll(async () => {
  [browser, room] = await Promise.all([startChromium(), openBookRoom([harbour, edited, rtl, drawn], ["web"])]);
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
});

const open = (title: string, options?: Opening) => openBook({ browser, room }, title, options);

/** The part that has been read, as the server has it. */
async function progress(id: number) {
  const { body } = await room.host.as("viewer").get(`/api/ebooks/issue/${id}/progress`);
  return body as { fraction: number; device?: string; locator: string; completed: boolean };
}

describe("the book reader", () => {
  it("turns pages by keys and buttons, goes to chapters, and keeps the place", async () => {
    const { page, id, place } = await open("The Harbour");
    await untilShown(page, "Paragraph 1.1 begins");
    await page.keyboard.press("ArrowRight");
    await expect.poll(place).toMatch(/Chapter 1 · page [2-9]/);
    await page.getByRole("button", { name: "The next page" }).click();
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("dialog", { name: "Contents" }).getByRole("button", { name: "Chapter 3" }).click();
    await expect.poll(place).toContain("Chapter 3");
    await expect.poll(async () => (await progress(id)).fraction).toBeGreaterThan(0.4);
    expect((await progress(id)).device).toMatch(/^Chrome on Linux [0-9a-f]{4}$/);
    await page.reload();
    await untilOpen(page);
    await expect.poll(place).toContain("Chapter 3");
    await page.keyboard.press("End");
    await expect.poll(async () => (await progress(id)).completed).toBe(true);
  });

  it("asks whether to go where another device is further", async () => {
    const first = await open("Edited");
    await first.page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await progress(first.id)).fraction).toBeGreaterThan(0);
    const second = await open("Edited", { viewport: { width: 390, height: 780 } });
    await second.page.getByRole("button", { name: "Contents" }).click();
    await second.page.getByRole("button", { name: "Chapter 4" }).click();
    await expect.poll(async () => (await progress(first.id)).fraction).toBeGreaterThan(0.6);
    const question = first.page.getByText(/You are at \d+% on Chrome on Linux/);
    await question.waitFor();
    await first.page.getByRole("button", { name: "Go there" }).click();
    await expect.poll(first.place).toContain("Chapter 4");
  });

  it("finds text without regard to accents and case, across the whole book", async () => {
    const { page, place } = await open("The Harbour");
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("séntence 3.20 ALOUD");
    await page.getByRole("button", { name: "Search", exact: true }).last().click();
    await page.getByText("1 place found.").waitFor();
    await page.getByRole("button", { name: /sentence 3\.20 aloud/ }).click();
    await expect.poll(place).toContain("Chapter 3");
    await untilShown(page, "Paragraph 3.20 begins");
  });

  it("highlights a text, with a note, draws it again at the next visit, and exports it", async () => {
    const { page, id, section, place } = await open("The Harbour");
    await page.keyboard.press("Home");
    await expect.poll(place).toContain("page 1 ");
    await untilShown(page, "Paragraph 1.1 begins");
    await select(await section(), "The lamps of the harbour");
    await page.getByRole("group", { name: "Selected text" }).getByRole("button", { name: "Green" }).click();
    await expect
      .poll(async () => (await highlights(id)).map(({ text, color }) => [text, color]))
      .toEqual([["The lamps of the harbour", "green"]]);
    await page.keyboard.press("n");
    await page.getByLabel("Note", { exact: true }).fill("For *later*");
    await page.getByLabel("Note", { exact: true }).blur();
    await expect.poll(async () => (await highlights(id))[0]?.note).toBe("For *later*");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Markdown" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text).toContain("# The Harbour\n\n*Ada Quill*\n\n> The lamps of the harbour\n\nFor \\*later\\*");
    await page.reload();
    await untilOpen(page);
    await page.keyboard.press("Home");
    await expect.poll(() => marks(page)).toBe(1);
  });

  it("finds a place and a highlight again in another edition of the file", async () => {
    const { page, id, section, place } = await open("Edited");
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("button", { name: "Chapter 2" }).click();
    await expect.poll(place).toContain("Chapter 2");
    await untilShown(page, "Paragraph 2.1 begins");
    await select(await section(), "sentence 2.2 aloud");
    await page.getByRole("group", { name: "Selected text" }).waitFor();
    await page.keyboard.press("h");
    await expect.poll(async () => (await highlights(id)).length).toBe(1);
    await page.getByRole("button", { name: "Close the book" }).click();
    const preface = { title: "Preface", body: prose(9, 3) };
    const chapters = [
      preface,
      ...harbour.chapters.map((chapter) => ({ ...chapter, body: `<div><div>${chapter.body}</div></div>` })),
    ];
    await writeEpub(pathOf(room.root, edited), { ...edited, chapters });
    await room.scan();
    await page.goto(`/books/${id}`);
    await untilOpen(page);
    await page.keyboard.press("n");
    await page.getByRole("button", { name: /^sentence 2\.2 aloud/ }).click();
    await untilShown(page, "Paragraph 2.2 begins");
    await expect.poll(() => marks(page)).toBe(1);
  });

  it("shows a footnote in place", async () => {
    const { page, place } = await open("The Harbour");
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("button", { name: "Chapter 2" }).click();
    await expect.poll(place).toContain("Chapter 2");
    await (await sectionOf(page)).evaluate(() => document.querySelector("a")?.click());
    await expect.poll(async () => (await texts(page)).at(-1)).toBe("The bell was cast in the year of the flood.");
  });

  it("keeps how books are shown, for every book and device", async () => {
    const { page, section } = await open("The Harbour");
    await page.keyboard.press("a");
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    await page.getByLabel("Text as").selectOption("Scrolling");
    await page.getByLabel("Font").selectOption("Sans serif");
    const style = async (frame: Frame) =>
      frame
        .locator("p")
        .first()
        .evaluate((element) => {
          const { color, fontFamily } = getComputedStyle(element);
          return [color, fontFamily.startsWith("system-ui")];
        });
    await expect.poll(async () => style(await section())).toEqual(["rgb(212, 210, 204)", true]);
    const other = await open("Edited");
    expect(await style(await other.section())).toEqual(["rgb(212, 210, 204)", true]);
    await page.getByRole("radio", { name: "Paper" }).check({ force: true });
    await page.getByLabel("Text as").selectOption("As in the book");
    await page.getByLabel("Font").selectOption("Fonts of the book");
  });

  it("turns the pages of books from right to left to the left, and shows fixed layouts", async () => {
    const { page, place } = await open("Right to left");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(place).toMatch(/page [2-9]/);
    await page.keyboard.press("ArrowRight");
    await expect.poll(place).toMatch(/page 1 /);
    await page.keyboard.press("?");
    await page.getByText("← or Page Down or Space").waitFor();
    await page.keyboard.press("Escape");
    const fixed = await open("Fixed");
    await untilShown(fixed.page, "Drawn page 1");
    await fixed.page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await texts(fixed.page)).sort()).toEqual(["Drawn page 2", "Drawn page 3"]);
  });

  it("opens no book for users who may not read books, or may not know of it", async () => {
    const id = await room.book("The Harbour");
    const path = `/api/book-reader/issue/${id}`;
    const admin = room.host.as("admin");
    const without = await admin.post("/api/roles", { name: "guest", permissions: ["library.view"] });
    expect(without.status).toBe(201);
    expect((await room.host.as("anonymous").get(path)).status).toBe(401);
    expect((await room.host.as("guest").get(path)).body.code).toBe("book-reader/may-not-read");
    expect((await room.host.as("viewer").get(path)).body).toMatchObject({
      cvIssueId: id,
      title: "The Harbour",
      dictionary: null,
    });
    expect((await room.host.as("viewer").get("/api/book-reader/issue/999999")).body.code).toBe(
      "book-reader/no-such-book",
    );
    const page = await visit(browser, room.host.url, {
      extraHTTPHeaders: { "x-api-key": room.host.as("guest").key as string },
    });
    await page.goto(`/books/${id}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.locator("book-reader-page iframe").count()).toBe(0);
  });

  it.each([
    { theme: "light", width: 1280, height: 860 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)("gives axe nothing to object to: $theme, $width pixels wide", async ({ theme, width, height }) => {
    const { page } = await open("The Harbour", { viewport: { width, height }, colorScheme: theme });
    expect(await objections(page)).toEqual([]);
    for (const name of ["Contents", "Search", "Notes", "Appearance"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("dialog", { name }).waitFor();
      expect(await objections(page)).toEqual([]);
      await page.getByRole("button", { name: "Close", exact: true }).click();
    }
  });
});

async function highlights(id: number) {
  const { body } = await room.host.as("viewer").get(`/api/ebooks/issue/${id}/bookmarks`);
  return body as { text: string | null; color: string | null; note: string | null }[];
}
