import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { needs } from "@longbox/test/needs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { soon } from "../../../test/browser/support/soon.js";
import { visit } from "../../../test/browser/support/visitor.js";
import { hasProgram } from "../../../test/clients/support.js";
import { epub as protectedEpub } from "../../books/test/support/epub.js";
import { fictionBook } from "../../books/test/support/fiction-book.js";
import { openBookRoom, pathOf, type BookRoom } from "./support/book-room.js";
import { epub, prose } from "./support/epubs.js";
import { drawnPdf } from "./support/pdfs.js";
import { openBook, untilShown } from "./support/reading-page.js";

const text = Array.from(
  { length: 3 },
  (_, index) => `Chapter ${index + 1}\n\nThe tide of chapter ${index + 1} came in.`,
);
const sections = [1, 2, 3].map(
  (chapter) =>
    `<section><title><p>Chapter ${chapter}</p></title><p>The tide of chapter ${chapter} came in.</p></section>`,
);
const aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";
const encryption = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="${aes}"/><CipherData><CipherReference URI="OEBPS/one.xhtml"/></CipherData></EncryptedData></encryption>`;

const files: Readonly<Record<string, string | Uint8Array>> = {
  "Text.txt": `Title: Text\nAuthor: Ada Quill\n\n${text.join("\n\n")}`,
  "Fiction.fb2": fictionBook({ title: "Fiction", body: sections.join("") }),
  "Drawn.pdf": drawnPdf(
    "Drawn",
    [1, 2, 3].map((page) => `The tide of page ${page} came in.`),
  ),
  "Locked.epub": protectedEpub({ title: "Locked", files: { "META-INF/encryption.xml": encryption } }),
};
const kindle = ["azw3", "mobi"] as const;
const hasCalibre = hasProgram("ebook-convert");

let room: BookRoom;
let browser: Browser;
let converted: string;
beforeAll(async () => {
  converted = await mkdtemp(join(tmpdir(), "longbox-converted-"));
  [browser, room] = await Promise.all([startChromium(), openBookRoom([], ["web"])]);
  const folder = join(room.root, "Ada Quill");
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  if (hasCalibre) await Promise.all(kindle.map(convert));
  await room.scan();
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
  await rm(converted, { recursive: true, force: true });
});

/** A book that calibre makes, as those programs do that people use for it. */
async function convert(format: string): Promise<void> {
  const chapters = [1, 2, 3].map((chapter) => ({
    title: `Chapter ${chapter}`,
    body: `<h2>Chapter ${chapter}</h2>${prose(chapter, 20)}`,
  }));
  const source = join(converted, `${format}.epub`);
  await writeFile(source, epub({ title: `Kindle ${format}`, chapters }));
  const target = pathOf(room.root, { title: `Kindle ${format}`, chapters }).replace(/epub$/, format);
  await promisify(execFile)("ebook-convert", [source, target]);
}

const goTo = async (page: Page, chapter: string) => {
  await page.getByRole("button", { name: "Contents" }).click();
  await page.getByRole("navigation", { name: "Chapters" }).getByRole("button", { name: chapter }).click();
};

async function find(page: Page, query: string): Promise<void> {
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("searchbox").fill(query);
  await page.keyboard.press("Enter");
  await page.getByText("1 place found.").waitFor();
  await page.locator(".findings button").click();
  await page.getByRole("dialog", { name: "Search" }).waitFor({ state: "detached" });
}

describe("the reader opens", () => {
  it.each(["Text", "Fiction"])("%s, with its chapters, and searches in it", async (title) => {
    const { page, place } = await openBook({ browser, room }, title);
    await goTo(page, "Chapter 3");
    await soon(place).toContain("Chapter 3");
    await untilShown(page, "The tide of chapter 3 came in.");
    await find(page, "tide of chapter 2");
    await soon(place).toContain("Chapter 2");
  });

  it("a PDF as its pages, with their text", async () => {
    const { page, place } = await openBook({ browser, room }, "Drawn", { viewport: { width: 700, height: 900 } });
    await untilShown(page, "The tide of page 1 came in.");
    await page.keyboard.press("ArrowRight");
    await soon(place).toMatch(/page 2 of 3/);
    await untilShown(page, "The tide of page 2 came in.");
    await find(page, "tide of page 3");
    await soon(place).toMatch(/page 3 of 3/);
  });

  it.each(kindle)("%s that calibre made", needs(hasCalibre, "calibre is not installed"), async (format) => {
    const { page, place } = await openBook({ browser, room }, `Kindle ${format}`);
    await goTo(page, "Chapter 2");
    await soon(place).toContain("Chapter 2");
    await untilShown(page, "Paragraph 2.1 begins");
    await find(page, "sentence 3.7 aloud");
    await soon(place).toContain("Chapter 3");
  });

  it("no protected book, and says so", async () => {
    const page = await visit(browser, room.host.url, {
      extraHTTPHeaders: { "x-api-key": room.host.as("viewer").key as string },
    });
    await page.goto(`/books/${await room.book("Locked")}`);
    await page.getByRole("heading", { name: "This book cannot be opened" }).waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(/^This book is protected \(.+\), so that only the/);
  });
});
