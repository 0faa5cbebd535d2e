import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mp3File } from "../../audiobooks/test/support/mp3-file.js";
import { until } from "../../reader/test/support/reading-room.js";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { soon } from "../../../test/browser/support/soon.js";
import { visit } from "../../../test/browser/support/visitor.js";
import { openBookRoom, untilOpen, type BookRoom } from "./support/book-room.js";
import { prose, type PlannedBook } from "./support/epubs.js";

/** A book and its audiobook of 300 seconds, which has an opening that the book has not. */
const book: PlannedBook = {
  title: "The Harbour",
  chapters: [1, 2, 3, 4].map((chapter) => ({ title: `Chapter ${chapter}`, body: prose(chapter, 60) })),
};
const recording = mp3File({
  seconds: 300,
  hasInfo: true,
  id3: {
    texts: { TALB: book.title, TPE1: "Ada Quill" },
    chapters: [
      [0, "Opening"],
      [20, "Chapter 1"],
      [100, "Chapter 2"],
      [200, "Chapter 3"],
      [260, "Chapter 4"],
    ],
  },
});

let room: BookRoom;
let browser: Browser;
let recordings: string;
const ids = { book: 0, audiobook: 0, heard: 0 };
beforeAll(async () => {
  recordings = await mkdtemp(join(tmpdir(), "longbox-recordings-"));
  await writeFile(join(recordings, "harbour.mp3"), recording);
  [browser, room] = await Promise.all([
    startChromium(),
    openBookRoom([book], ["imaging", "opds", "audiobooks", "web"]),
  ]);
  ids.book = await room.book(book.title);
  const admin = room.host.as("admin");
  await admin.post("/api/libraries", { name: "Recordings", type: "audiobook", rootFolder: recordings });
  await until(async () => {
    const [series] = (await admin.get("/api/collection?filter=audiobook")).body as { id: number }[];
    const [issue] = series ? (await admin.get(`/api/collection/${series.id}`)).body.issues : [];
    [ids.heard, ids.audiobook] = [issue?.id ?? 0, issue?.cvIssueId ?? 0];
    return issue !== undefined;
  }, "The audiobook was not found.");
  const linked = await admin.post(`/api/issue/${ids.book}/forms`, { cvIssueId: ids.audiobook });
  expect(linked.status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await room?.[Symbol.asyncDispose]();
  await rm(recordings, { recursive: true, force: true });
});

const open = (role: string) =>
  visit(browser, room.host.url, { extraHTTPHeaders: { "x-api-key": room.host.as(role).key as string } });
const hear = (role: string, position: number) =>
  room.host.as(role).post(`/api/audiobooks/issue/${ids.heard}/progress`, { position, duration: 300, device: "Phone" });
const shown = (page: Page) =>
  page.getByRole("slider", { name: "Place in the book" }).getAttribute("aria-valuetext", { timeout: 20_000 });
const seconds = (page: Page) =>
  page.getByRole("slider", { name: "Position" }).evaluate((input) => (input as HTMLInputElement).valueAsNumber);

async function goToChapter(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Contents" }).click();
  await page.getByRole("navigation", { name: "Chapters" }).getByRole("button", { name, exact: true }).click();
  await soon(() => shown(page)).toContain(name);
}

describe("a book with an audiobook", () => {
  it("is read on where the user listened, and listened to where the user reads", async () => {
    await hear("viewer", 203);
    const page = await open("viewer");
    await page.goto(`/books/${ids.book}`);
    await page.getByText(/^You listened to \d+% \(Chapter 3\)\.$/).waitFor();
    await page.getByRole("button", { name: "Go there" }).click();
    await soon(() => shown(page)).toContain("Chapter 3");
    await goToChapter(page, "Chapter 2");
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("button", { name: "Go on where you listened" }).click();
    await soon(() => shown(page)).toContain("Chapter 3");

    await goToChapter(page, "Chapter 2");
    await page.getByRole("button", { name: "Listen from here" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await soon(() => seconds(page)).toBeGreaterThanOrEqual(100);
    expect(await seconds(page)).toBeLessThan(150);
  });

  it("is listened to where the user reads, and read where the user listens", async () => {
    const report = { locator: "", fraction: 0.8, device: "Tablet" };
    await room.host.as("trusted").post(`/api/ebooks/issue/${ids.book}/progress`, report);
    await hear("trusted", 30);
    const page = await open("trusted");
    await page.goto(`/listen/${ids.heard}`);
    await page.getByRole("button", { name: "Go on where you read" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await soon(() => seconds(page)).toBeGreaterThanOrEqual(260);
    await page.getByRole("button", { name: "Chapter 2" }).click();
    await soon(() => seconds(page)).toBeGreaterThanOrEqual(100);
    await page.getByRole("button", { name: "Read from here" }).click();
    await untilOpen(page);
    await soon(() => shown(page)).toContain("Chapter 2");
    // It is the place of the book from now on, although the tablet was further.
    await soon(async () => {
      const kept = await room.host.as("trusted").get(`/api/ebooks/issue/${ids.book}/progress`);
      return kept.body.chapter;
    }).toBe("Chapter 2");
  });

  it("offers nothing to users who may not listen", async () => {
    await hear("admin", 203);
    const admin = room.host.as("admin");
    await admin.post("/api/roles", { name: "reader", permissions: ["library.view", "ebooks.use"] });
    await admin.post("/api/users", { username: "rea", password: "a long password", role: "reader" });
    const page = await visit(browser, room.host.url);
    const signedIn = await page.request.post("/api/auth/login", {
      data: { username: "rea", password: "a long password" },
    });
    expect(signedIn.status()).toBe(200);
    await page.goto(`/books/${ids.book}`);
    await untilOpen(page);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("navigation", { name: "Chapters" }).waitFor();
    expect(await page.getByRole("button", { name: /listen/i }).count()).toBe(0);
  });

  it("offers nothing while the audiobook is hidden, and then again", async () => {
    const admin = room.host.as("admin");
    const { libraries } = (await admin.get("/api/libraries")).body as { libraries: { id: number; type: string }[] };
    const { id } = libraries.find(({ type }) => type === "audiobook")!;
    await admin.post(`/api/libraries/${id}`, { restricted: true });
    const page = await open("viewer");
    const looked = page.waitForResponse((answer) => answer.url().endsWith(`/api/issue/${ids.book}/forms`));
    await page.goto(`/books/${ids.book}`);
    await untilOpen(page);
    expect(await (await looked).json()).toMatchObject({ forms: [] });
    expect(await page.getByRole("button", { name: "Listen from here" }).count()).toBe(0);
    await admin.post(`/api/libraries/${id}`, { restricted: false });
    await page.reload();
    await page.getByRole("button", { name: "Listen from here" }).waitFor();
  });
});
