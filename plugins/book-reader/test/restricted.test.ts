import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { visit } from "../../../test/browser/support/visitor.js";
import { openBookRoom, sectionOf, untilOpen, type BookRoom } from "./support/book-room.js";
import { prose, type PlannedBook } from "./support/epubs.js";

const book = (title: string): PlannedBook => ({
  title,
  author: title === "Salt Road" ? "Ada Quill" : "Ira Bloom",
  chapters: [1, 2].map((chapter) => ({ title: `Chapter ${chapter}`, body: prose(chapter, 30) })),
});

let room: BookRoom;
let browser: Browser;
let id: number;
beforeAll(async () => {
  [browser, room] = await Promise.all([
    startChromium(),
    openBookRoom([book("Salt Road"), book("Night Bell")], ["imaging", "web"]),
  ]);
  id = await room.book("Salt Road");
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
});
beforeEach(() => restrict.series(false).then(() => restrict.library(false)));

const as = (role: string) => room.host.as(role);
const unknown = 999_999;

/** The two ways to hide a book from users without `library.restricted`. */
const restrict = {
  library: (restricted: boolean) => as("admin").post(`/api/libraries/${room.libraryId}`, { restricted }),
  async series(restricted: boolean) {
    const { body } = await as("admin").get(`/api/issue/${id}`);
    return as("admin").post(`/api/collection/${body.seriesId}/restricted`, { restricted });
  },
};

/** What the reader's page asks for and sends, for one book. */
function requests(issue: number) {
  const place = { locator: "", fraction: 0.5, device: "Tablet" };
  return [
    () => as("viewer").get(`/api/book-reader/issue/${issue}`),
    () => as("viewer").get(`/api/ebooks/issue/${issue}/file`),
    () => as("viewer").get(`/api/ebooks/issue/${issue}/file?dl=1`),
    () => as("viewer").get(`/api/ebooks/issue/${issue}/cover`),
    () => as("viewer").get(`/api/ebooks/issue/${issue}/progress`),
    () => as("viewer").post(`/api/ebooks/issue/${issue}/progress`, place),
    () => as("viewer").get(`/api/ebooks/issue/${issue}/bookmarks`),
    () => as("viewer").post(`/api/ebooks/issue/${issue}/bookmarks`, { locator: "", fraction: 0.5, text: "aloud" }),
    () => as("viewer").get(`/api/issue/${issue}/forms`),
  ];
}

/** Status, code and text, without the id that was asked for. */
async function answers(issue: number): Promise<string[]> {
  const all: string[] = [];
  for (const request of requests(issue)) {
    const { status, body } = await request();
    all.push(`${status} ${JSON.stringify(body).replaceAll(String(issue), "ID")}`);
  }
  return all;
}

describe.each(["library", "series"] as const)("a book of a restricted %s", (hidden) => {
  it("is answered like one that is not there, in all that its page asks for", async () => {
    const opened = (await Promise.all(requests(id).map((request) => request()))).map(({ status }) => status);
    expect(opened.filter((status) => status === 404)).toEqual([404]); // It has no cover.
    await restrict[hidden](true);
    const refused = await answers(id);
    expect(refused.map((answer) => answer.slice(0, 3))).toEqual(refused.map(() => "404"));
    expect(refused).toEqual(await answers(unknown));
    expect((await as("viewer").get(`/api/ebooks/books?issues=${id}`)).body).toEqual([]);
    expect((await as("admin").get(`/api/book-reader/issue/${id}`)).body.title).toBe("Salt Road");
  });
});

describe("a book that is hidden", () => {
  it("keeps the highlights and positions that its reader made before, for when it is shown again", async () => {
    const place = { locator: "a", fraction: 0.75, device: "Desk" };
    const progress = `/api/ebooks/issue/${id}/progress`;
    const bookmarks = `/api/ebooks/issue/${id}/bookmarks`;
    await as("viewer").post(progress, place);
    const { body: made } = await as("viewer").post(bookmarks, { locator: "a", fraction: 0.25, text: "kept" });
    await restrict.library(true);
    const removed = await as("viewer").delete(`/api/ebooks/bookmarks/${made.id}`);
    expect(removed.body).toEqual({ removed: false });
    await restrict.library(false);
    expect((await as("viewer").get(progress)).body).toMatchObject({ fraction: 0.75 });
    expect((await as("viewer").get(bookmarks)).body).toContainEqual(expect.objectContaining({ text: "kept" }));
  });

  it("is not opened by its page, which says nothing of it", async () => {
    const page = await visit(browser, room.host.url, { extraHTTPHeaders: { "x-api-key": as("viewer").key as string } });
    await page.goto(`/books/${id}`);
    await untilOpen(page);
    await sectionOf(page);
    await restrict.series(true);
    await page.reload();
    await page.getByRole("heading", { name: "This book cannot be opened" }).waitFor();
    expect(await page.getByText("Salt Road").count()).toBe(0);
    expect(await page.title()).not.toContain("Salt Road");
    await page.goto(`/books/${await room.book("Night Bell")}`);
    await untilOpen(page);
  });
});
