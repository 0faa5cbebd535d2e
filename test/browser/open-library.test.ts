import { join } from "node:path";
import { drawCover } from "@longbox/test/fixtures";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBookRoom, type BookRoom } from "../../plugins/open-library/test/support/book-room.ts";
import { startChromium } from "./support/chromium.ts";
import { chooseAction } from "./support/choose-action.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];
const works = [
  { id: "OL1W", title: "Low Tides", year: 2001, series: "Tides 1" },
  { id: "OL2W", title: "Low Tides", year: 1970 },
  { id: "OL3W", title: "The Salt Road", year: 1990 },
  { id: "OL4W", title: "Night Bell", year: 2014 },
];

describe("books and Open Library", () => {
  let browser: Browser;
  let room: BookRoom;
  let unsure: { cvIssueId: number };
  let book: { cvIssueId: number };

  beforeAll(async () => {
    const plugins = ["reading", "notifications", "requests", "web"];
    [browser, room] = await Promise.all([startChromium(), openBookRoom({ plugins })]);
    room.standIn.authors.set("OL1A", "Ada Quill").set("OL2A", "Ben Marsh");
    for (const [index, { id, title, year }] of works.entries()) {
      const author = index === 3 ? "OL2A" : "OL1A";
      const editions = [{ id: `OL${index + 1}0M`, language: ["eng", "ger"] }];
      room.standIn.add({
        id,
        title,
        year,
        authors: [author],
        covers: [index + 1],
        description: "Salt and wind.",
        editions,
      });
      const picture = await drawCover(title, "", { width: 300, height: 450, format: "jpeg" });
      room.standIn.images.set(index + 1, picture);
    }
    unsure = await room.place({ title: "Low Tides", authors: ["Ada Quill"], language: "en", date: "2014" });
    await room.place({ title: "High Water", authors: ["Ada Quill"], ids: { isbn: "9780306406157" } });
    book = await room.place({ title: "The Salt Road", authors: ["Ada Quill"], language: "en" });
    await room.place({ title: "The Salt Road", authors: ["Ada Quill"], type: "audiobook", language: "en" });
    await room.lookUp();
    await room.host.as("viewer").get("/api/auth/me");
  });
  afterAll(async () => {
    await browser.close();
    await room[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, room.host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": room.host.as(role).key as string },
    });
    await page.goto(path);
    return page;
  }

  async function shoot(page: Page, name: string): Promise<void> {
    if (shots === undefined) return;
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  }

  it("the home page leads to the review, where a person chooses", async () => {
    const page = await open("admin", "/");
    await page.getByText("1 book could not be identified with certainty.").waitFor();
    await shoot(page, "open-library-home");
    await page.getByRole("link", { name: "Review" }).click();
    await page.getByRole("heading", { name: "Books to review" }).waitFor();
    await page.getByRole("link", { name: "Low Tides" }).waitFor();
    await shoot(page, "open-library-review");
    expect(await objections(page)).toEqual([]);
    await page.getByRole("button", { name: "This one: Low Tides, By Ada Quill, 2001" }).click();
    await page.getByText("Nothing to review").waitFor();
    const { body } = await room.host.as("admin").get(`/api/open-library/books/${unsure.cvIssueId}`);
    expect(body).toMatchObject({ state: "matched", workId: "OL1W" });
    await page.close();
  });

  it("a book's page names its audiobook, and its details are found and taken back", async () => {
    const page = await open("admin", `/issue/${book.cvIssueId}`);
    await page.getByText("Also as audiobook:").waitFor();
    await page.getByText("Salt and wind.").waitFor();
    await shoot(page, "open-library-book");
    await chooseAction(page, "More for this book", "Find details");
    await page.getByText("Matched with").waitFor();
    await shoot(page, "open-library-match");
    expect(await objections(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove the match" }).click();
    await page.getByText("The Salt Road is no longer matched.").waitFor();
    await page.close();
  });

  it("users find and request books", async () => {
    const page = await open("viewer", "/requests");
    await page.getByLabel("Kind").selectOption("ebook");
    await page.getByLabel("What are you looking for?").fill("night bell");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("button", { name: "Request: Night Bell" }).click();
    await page.getByText("Night Bell: Requested.").waitFor();
    await shoot(page, "open-library-requests");
    expect(await objections(page)).toEqual([]);
    await page.close();
  });

  it("the settings test the connection, and everything fits a phone", async () => {
    const page = await open("admin", "/settings");
    await page.getByRole("button", { name: "Test the connection" }).click();
    await page.getByText("Open Library answers.").waitFor();
    await page.close();
    await room.place({ title: "Low Tides", authors: ["Ada Quill"], type: "audiobook", language: "en" });
    await room.lookUp();
    const phone = await open("admin", "/open-library/review", { viewport: { width: 390, height: 800 } });
    await phone.getByRole("link", { name: "Low Tides" }).waitFor();
    await shoot(phone, "open-library-phone");
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await phone.close();
  });
});
