import { join } from "node:path";
import { Catalog, Collection, type ReadFile } from "@longbox/collection/contract";
import { definePlugin, systemViewer } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { StatsParts } from "@longbox/stats/contract";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objections } from "./support/objections.ts";
import { startChromium } from "./support/chromium.ts";
import { soon } from "./support/soon.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];

/** What is owned of each series, of how many issues, and by whom it is published. */
const series = [
  { title: "Moth Patrol", owned: 31, total: 36, publisher: "Lamplight" },
  { title: "The Salt Cartographers", owned: 4, total: 12, publisher: "Brass Lantern" },
  { title: "Orbital Gardens", owned: 18, total: 18, publisher: "Perihelion" },
  { title: "Detective Heron", owned: 6, total: 7, publisher: "Reedbed" },
] as const;

/** A source of downloads: two on the newest day, and one on the day before. */
const downloads = {
  manifest: {
    id: "downloads",
    title: "Downloads",
    description: "",
    sdk: "^1.0.0",
    contributes: { statsParts: "^1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      const perDay = Array.from({ length: 14 }, (_day, index) => ({
        day: `2026-05-${String(index + 1).padStart(2, "0")}`,
        grabs: index === 13 ? 2 : index === 12 ? 1 : 0,
      }));
      context.contribute(StatsParts, { key: "activity", read: () => Promise.resolve({ grabs: { done: 3 }, perDay }) });
    },
  }),
};

async function fill(host: TestHost): Promise<void> {
  for (const [index, { title, owned, total, publisher }] of series.entries()) {
    const cvId = index + 1;
    const issues = Array.from({ length: total }, (_, at) => ({
      cvIssueId: cvId * 1000 + at + 1,
      number: String(at + 1),
      title: `Part ${at + 1}`,
      coverDate: `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}-01`,
    }));
    await host
      .use(Catalog)
      .addVolume({ cvId, title, publisher, aliases: [], status: "ongoing", issues }, { viewer: systemViewer });
    const files = issues.slice(0, owned).map(({ cvIssueId, number }): ReadFile => ({
      libraryId: 1,
      path: `/comics/${title}/${number}.cbz`,
      name: `${number}.cbz`,
      sizeBytes: 48_000_000,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 24,
      valid: Number(number) !== 3,
      tagged: Number(number) % 4 !== 0,
      series: { name: title, folder: `/comics/${title}`, cvId },
      issue: { number, kind: "issue", cvIssueId },
    }));
    await host.use(Collection).placeFiles(files);
  }
}

describe("statistics and wanted issues", () => {
  let browser: Browser;
  let host: TestHost;

  beforeAll(async () => {
    [browser, host] = await Promise.all([
      startChromium(),
      startTestHost({ plugins: ["collection", "stats", "web", downloads] }),
    ]);
    await fill(host);
  });
  afterAll(async () => {
    await browser.close();
    await host[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": host.as(role).key as string },
    });
    await page.goto(path);
    return page;
  }

  it("says what the library holds and lacks, and leads to the series with the most gaps", async () => {
    const page = await open("viewer", "/");
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Statistics" }).click();
    await page.getByText(/^\s*59 items\s+of\s+4 series\s+from\s+4 publishers/).waitFor();
    await page.getByText("of 73 known items owned, 14 missing").waitFor();
    const rows = page.getByRole("table", { name: "Publishers by items" }).getByRole("row");
    expect((await rows.nth(1).innerText()).split(/\s+/).filter(Boolean)).toEqual(["Lamplight", "31", "1", "1.5", "GB"]);
    expect(
      await page.getByRole("table", { name: "Downloads of each day" }).getByRole("row").last().innerText(),
    ).toMatch(/May 14\s+2/);
    await page.getByRole("link", { name: "The Salt Cartographers" }).click();
    await page.getByRole("heading", { name: "The Salt Cartographers", level: 1 }).waitFor();
  });

  it("says what went wrong, and tries again", async () => {
    const page = await visit(browser, host.url, { extraHTTPHeaders: { "x-api-key": host.as("viewer").key as string } });
    await page.route("**/api/stats", (route) =>
      route.fulfill({ status: 429, json: { error: "Too many requests", code: "kernel/too-many" } }),
    );
    await page.goto("/statistics");
    await page.getByRole("heading", { name: "The statistics could not be loaded" }).waitFor();
    await page.unroute("**/api/stats");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "In the box" }).waitFor();
  });

  it("refuses a wanted issue by the keyboard, picks it again among the gaps, and leaves it to the monitoring", async () => {
    const page = await open("trusted", "/wanted");
    await page.getByRole("button", { name: "Refuse Moth Patrol #33" }).press("Enter");
    await soon(() => page.getByRole("button", { name: "Refuse Moth Patrol #33" }).count()).toBe(0);
    await soon(() => focusedLabel(page)).toBe("Refuse Moth Patrol #34");
    await page.getByRole("button", { name: "Every gap" }).click();
    await page.getByRole("button", { name: "Pick Moth Patrol #33" }).press("Enter");
    await page.getByRole("button", { name: "Unpick Moth Patrol #33" }).waitFor();
    expect(await focusedLabel(page)).toBe("Unpick Moth Patrol #33");
    await page.getByRole("button", { name: "Unpick Moth Patrol #33" }).press("Enter");
    await page.getByRole("button", { name: "Refuse Moth Patrol #33" }).waitFor();
    expect((await host.as("viewer").get("/api/wanted?q=moth+%2333")).body).toMatchObject([
      { wanted: true, why: "monitored", pick: false },
    ]);
  });

  it("finds and orders what is wanted, and offers nothing to those who may not download", async () => {
    const page = await open("viewer", "/wanted");
    await page.getByText("14 wanted").waitFor();
    await page.getByLabel("Order").selectOption("Newest first");
    await soon(() => page.getByRole("heading", { level: 2 }).first().innerText()).toBe("December 2021");
    await page.getByLabel("Search this list").fill("salt #7");
    await soon(() => page.getByRole("listitem").filter({ hasText: "Part" }).count()).toBe(1);
    await page.getByText("1 wanted").waitFor();
    await page.getByLabel("Only followed").check();
    await page.getByRole("heading", { name: "No matches" }).waitFor();
    expect(await page.getByRole("button", { name: /^(Pick|Refuse)/ }).count()).toBe(0);
  });

  it.each([
    { theme: "light", width: 1280, height: 860 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)(
    "gives axe nothing to object to, and never scrolls sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      const page = await open("trusted", "/statistics", { viewport: { width, height }, colorScheme: theme });
      for (const [path, drawn] of [
        ["statistics", "In the box"],
        ["wanted", "Detective Heron"],
      ] as const) {
        await page.goto(`/${path}`);
        await page.getByRole("heading", { name: drawn }).waitFor();
        if (shots) await page.screenshot({ path: join(shots, `${path}-${theme}-${width}.png`), fullPage: true });
        expect(await objections(page), path).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          path,
        ).toBe(0);
      }
    },
  );

  it("says how many issues are wanted where there are more than one page of them, and goes back to the last page when they become fewer", async () => {
    const cvId = 99;
    const issues = Array.from({ length: 190 }, (_, at) => ({
      cvIssueId: cvId * 1000 + at + 1,
      number: String(at + 1),
      title: `Part ${at + 1}`,
      coverDate: "2001-01-01",
    }));
    const { seriesId } = await host
      .use(Catalog)
      .addVolume(
        { cvId, title: "Zeppelin Zoo", publisher: "Reedbed", aliases: [], status: "ended", issues },
        { viewer: systemViewer },
      );
    const page = await open("trusted", "/wanted");
    await page.getByText("204 wanted").waitFor();
    await page.getByText("Page 1 of 3").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Page 2 of 3").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await soon(() => page.getByRole("listitem").filter({ hasText: "Part" }).count()).toBe(4);
    await soon(() => page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    expect(
      (
        await host.as("trusted").post(`/api/collection/${seriesId}/wanted`, {
          cvIssueIds: issues.slice(0, 10).map(({ cvIssueId }) => cvIssueId),
          want: false,
        })
      ).status,
    ).toBe(200);
    await page.getByText("194 wanted").waitFor();
    await page.getByText("Page 2 of 2").waitFor();
    await soon(() => page.getByRole("listitem").filter({ hasText: "Part" }).count()).toBe(94);
  });
});

function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused?.getAttribute("aria-label") ?? null;
  });
}
