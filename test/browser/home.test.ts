import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openReadingRoom, type ReadingRoom } from "../../plugins/reader/test/support/reading-room.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];
const looks = [
  { theme: "light", width: 1440, height: 900 },
  { theme: "dark", width: 390, height: 844 },
] as const;
/** Looked at, and not judged each time. */
const others = [
  { theme: "dark", width: 1440, height: 900 },
  { theme: "light", width: 390, height: 844 },
] as const;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
const plans = [
  { title: "Moth Patrol", year: 2019, issues: numbers(20) },
  { title: "Night Bell", year: 2016, issues: numbers(3) },
  ...[
    "Salt Road",
    "Low Tides",
    "Lantern Row",
    "Paper Foxes",
    "Quiet Mile",
    "Tall Waves",
    "Glass Orchard",
    "Copper Moon",
  ].map((title) => ({ title, year: 2020, issues: ["1"] })),
];

describe("the home page", () => {
  let browser: Browser;
  let room: ReadingRoom;

  beforeAll(async () => {
    const plugins = ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "web"];
    [browser, room] = await Promise.all([startChromium(), openReadingRoom({ plans, plugins })]);
    for (const role of ["viewer", "trusted"]) {
      const client = room.host.as(role);
      for (const [series, number, page] of [
        ["Salt Road", "1", 1],
        ["Night Bell", "1", 2],
      ] as const) {
        const { cvIssueId } = await room.issue(series, number);
        const answer = await client.post(`/api/reader/issue/${cvIssueId}/progress`, { page, pages: 4 });
        expect(answer.status).toBe(200);
      }
    }
  });
  afterAll(async () => {
    await browser.close();
    await room[Symbol.asyncDispose]();
  });

  async function open(role: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, room.host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": room.host.as(role).key as string },
    });
    await page.goto("/");
    await page.getByRole("region", { name: "Continue reading" }).waitFor();
    return page;
  }

  const shelves = (page: Page) =>
    page
      .getByRole("region")
      .evaluateAll((regions) =>
        regions.map((region) => region.getAttribute("aria-label")).filter((name) => name !== null),
      );

  it("shows what was read last large, and one button goes on with it", async () => {
    const page = await open("viewer");
    const now = page.getByRole("region", { name: "Continue reading" });
    await now.getByRole("heading", { name: "Night Bell #1", level: 3 }).waitFor();
    await now.getByText(/^Page 3 of 4 · /).waitFor();
    await now.getByRole("link", { name: "Salt Road" }).waitFor();
    await now.getByRole("link", { name: "Continue Night Bell #1 from page 3 of 4" }).click();
    await page.waitForURL(/\/read\/-?\d+$/);
  });

  it("shows each series once, however much of it is new", async () => {
    const page = await open("viewer");
    const fresh = page.getByRole("region", { name: "New in the library" });
    const moth = fresh.getByRole("link", { name: /Moth Patrol/ });
    await moth.getByText(/^#\d+ and 19 more$/).waitFor();
    expect(await moth.count()).toBe(1);
    await moth.click();
    await page.waitForURL(/\/series\/\d+$/);
  });

  it("walks along a shelf with arrows, and shows all of it", async () => {
    const page = await open("viewer", { viewport: { width: 900, height: 800 } });
    const added = page.getByRole("region", { name: "Recently added series" });
    await added.getByRole("link", { name: /Copper Moon/ }).waitFor();
    const row = added.locator(".shelf-row");
    await added.hover();
    await added.locator(".after").click();
    await expect.poll(() => row.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100);
    await added.locator(".before").click();
    await expect.poll(() => row.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
    await added.getByRole("link", { name: "See all: Recently added series" }).click();
    await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe("?sort=added");
  });

  it("is arranged by each user, on every device, with the keyboard", async () => {
    const page = await open("trusted");
    await page.getByRole("region", { name: "Recently added series" }).waitFor();
    const before = await shelves(page);
    expect(before.slice(0, 2)).toEqual(["Continue reading", "New in the library"]);
    await page.getByRole("button", { name: "Arrange" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Arrange the home page" });
    await dialog.getByRole("switch", { name: "New in the library" }).press("Space");
    const up = dialog.getByRole("button", { name: "Move Recently added series up" });
    for (let steps = 0; steps < 6; steps += 1) await up.press("Enter");
    await page.keyboard.press("Escape");
    await expect
      .poll(() => shelves(page))
      .toEqual(["Recently added series", "Continue reading", ...before.slice(2, -1)]);
    // In another browser, and after a reload.
    const other = await open("trusted", { viewport: { width: 390, height: 844 } });
    await other.getByRole("region", { name: "Recently added series" }).waitFor();
    await expect.poll(() => shelves(other)).toEqual(await shelves(page));
    const theirs = await open("viewer");
    await theirs.getByRole("region", { name: "New in the library" }).waitFor();
    // What is hidden can be shown again.
    await page.getByRole("button", { name: "Arrange" }).click();
    await dialog.getByRole("switch", { name: "New in the library" }).click();
    await page.getByRole("region", { name: "New in the library" }).waitFor({ state: "attached" });
  });

  it.each(shots ? [...looks, ...others] : looks)(
    "gives axe nothing to object to: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      const page = await open("viewer", { viewport: { width, height }, colorScheme: theme });
      await page.getByRole("region", { name: "Recently added series" }).waitFor();
      await page.waitForLoadState("networkidle");
      if (shots) await page.screenshot({ path: join(shots, `home-${theme}-${width}.png`) });
      expect(await objections(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
      if (width === 390) {
        await page.getByRole("button", { name: "Arrange" }).click();
        if (shots) await page.screenshot({ path: join(shots, "home-arranging.png") });
        expect(await objections(page)).toEqual([]);
      }
    },
  );
});
