import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { openReadingRoom, until, type ReadingRoom } from "../../../reader/test/support/reading-room.ts";
import { writeEpub, type PlannedBook } from "./epubs.ts";

/** A server with the book reader and these books in its library. */
export interface BookRoom extends ReadingRoom {
  /** By the title of the book. @throws {Error} when there is no such book */
  book(title: string): Promise<number>;
  /** Puts books into the library. */
  add(books: readonly PlannedBook[]): Promise<void>;
}

const plugins = ["operations", "collection", "files", "reading", "books", "book-reader"];

export async function openBookRoom(books: readonly PlannedBook[], others: readonly string[] = []): Promise<BookRoom> {
  const room = await openReadingRoom({
    type: "ebook",
    plans: [],
    plugins: [...plugins, ...others],
    fill: (root) => Promise.all(books.map((book) => writeEpub(pathOf(root, book), book))),
  });
  return Object.assign(room, {
    book: (title: string) => findBook(room, title),
    async add(added: readonly PlannedBook[]) {
      await Promise.all(added.map((book) => writeEpub(pathOf(room.root, book), book)));
      await room.scan();
    },
  });
}

export const pathOf = (root: string, { author = "Ada Quill", title }: PlannedBook) =>
  join(root, author, `${title}.epub`);

async function findBook({ host }: ReadingRoom, title: string): Promise<number> {
  const admin = host.as("admin");
  const series = (await admin.get("/api/collection")).body as Array<{ id: number }>;
  for (const { id } of series) {
    const { issues } = (await admin.get(`/api/collection/${id}`)).body as {
      issues: Array<{ title: string; cvIssueId: number }>;
    };
    const found = issues.find((issue) => issue.title === title);
    if (found) return found.cvIssueId;
  }
  throw new Error(`The library has no book ${title}.`);
}

/** The frame of the section that is shown. It is in a closed shadow root, so it is found by its address. */
export async function sectionOf(page: Page): Promise<Frame> {
  let shown: Frame | undefined;
  await until(async () => (shown = await shownSection(page)) !== undefined, "No section is shown.");
  if (!shown) throw new Error("No section is shown.");
  return shown;
}

/** Undefined while one section takes the place of another. */
async function shownSection(page: Page): Promise<Frame | undefined> {
  const frame = page.frames().findLast((one) => one.url() === "about:srcdoc");
  try {
    const isShown = await frame?.evaluate(() => document.body.childElementCount > 0);
    return isShown ? frame : undefined;
  } catch (problem) {
    if (/detached|destroyed|navigat/i.test(String(problem))) return undefined;
    throw problem;
  }
}

export async function untilOpen(page: Page): Promise<void> {
  await page.getByRole("slider", { name: "Place in the book" }).waitFor();
}
