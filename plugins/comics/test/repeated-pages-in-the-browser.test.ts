import { afterAll, beforeAll, describe, it } from "vitest";
import type { Browser, Page } from "playwright-core";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import type { TestLibrary } from "../../files/test/support/library.js";
import { libraryWithAdvertisements } from "./support/advertisements.js";

describe("repeated pages in the browser", () => {
  let browser: Browser;
  let library: TestLibrary;

  beforeAll(async () => {
    [browser, library] = await Promise.all([startChromium(), libraryWithAdvertisements(["web"])]);
  });
  afterAll(async () => {
    await browser.close();
    await library[Symbol.asyncDispose]();
  });

  async function open(path: string): Promise<Page> {
    const admin = library.host.as("admin");
    await admin.get("/healthz");
    const page = await visit(browser, library.host.url, { extraHTTPHeaders: { "x-api-key": admin.key as string } });
    await page.goto(path);
    return page;
  }

  it("are found, hidden and shown again", async () => {
    const page = await open("/repeated-pages");
    await page.getByRole("heading", { name: "No page repeats" }).waitFor();
    await page.getByRole("button", { name: "Find repeated pages" }).click();
    await page.getByRole("heading", { name: "In 4 issues" }).waitFor();
    await page.getByRole("img", { name: "Page 4 of Night Bell #1" }).waitFor();
    await page.getByRole("button", { name: "Hide in all issues" }).click();
    await page.getByText("4 pages of the library are hidden now.").waitFor();
    await page.getByLabel("Show").selectOption("Hidden");
    await page.getByRole("button", { name: "Show again" }).click();
    await page.getByRole("heading", { name: "There are none" }).waitFor();
  });
});
