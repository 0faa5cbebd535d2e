import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { saidBy } from "../../../test/browser/support/said-by.ts";
import { soon } from "../../../test/browser/support/soon.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { longText, startBookServer, type BookServer } from "./support/book-server.js";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** Where pictures of the pages go, for a person to look at. */
const pictures = process.env["LONGBOX_PICTURES"];

let server: BookServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    startBookServer(
      (root) =>
        writeFile(
          join(root, "salt.txt"),
          `Title: The Salt Road\nAuthor: Ada Quill\nSeries: Low Tides #2\n\n${longText(40_000)}`,
        ),
      { published: false },
    ),
    startChromium(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const open = (role: string, options: Parameters<typeof visit>[2] = {}) =>
  visit(browser, server.host.url, {
    extraHTTPHeaders: { "x-api-key": server.host.as(role).key as string },
    ...options,
  });

async function bookAddress(): Promise<string> {
  const viewer = server.host.as("viewer");
  const [series] = (await viewer.get("/api/collection?filter=text")).body;
  const { issues } = (await viewer.get(`/api/collection/${series.id}`)).body;
  return `/issue/${issues[0].cvIssueId}`;
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `text-books-${name}.png`) });
}

it("opens a book from its page, goes on with it on another day, and finishes it", async () => {
  const page = await open("viewer");
  await page.goto(await bookAddress());
  await page.getByRole("heading", { name: "The Salt Road", level: 1 }).waitFor();
  await page.getByText("Low Tides, book 2").first().waitFor();
  const words = await saidBy(page.locator("body"));
  expect(words).toContain("The Salt Road");
  expect(words).not.toMatch(/#2|\bissue\b|\d pages/i);
  await picture(page, "about");
  await page.getByRole("link", { name: "Read", exact: true }).click();
  await page.getByText("part 1 of 2").waitFor();
  await page.getByText(/Line 1: the tide/).waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("part 2 of 2").waitFor();
  await soon(() => page.evaluate(() => window.scrollY)).toBeLessThan(200);
  await page.goto(await bookAddress());
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await page.getByText("part 2 of 2").waitFor();
  await page.getByRole("button", { name: "Finish" }).click();
  await page.getByRole("link", { name: "Read again", exact: true }).waitFor();
});

it.each([
  { colorScheme: "light", width: 1280, role: "trusted" },
  { colorScheme: "dark", width: 390, role: "admin" },
] as const)("is read without objections in $colorScheme, $width pixels wide", async ({ colorScheme, width, role }) => {
  const page = await open(role, { colorScheme, viewport: { width, height: 844 } });
  await page.goto((await bookAddress()).replace("/issue/", "/text-books/"));
  await page.getByText(/Line 1: the tide/).waitFor();
  await picture(page, `${colorScheme}-${width}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await page.evaluate(await readFile(axePath, "utf8"));
  const objections = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Array<{ id: string }> }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
  expect(objections).toEqual([]);
});

it("says that a book is not there", async () => {
  const page = await open("viewer");
  await page.goto("/text-books/-4711");
  await page.getByText("There is no book -4711 to be read.").waitFor();
});
