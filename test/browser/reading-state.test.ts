import { join } from "node:path";
import { chooseFrom } from "./support/choose-action.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openReadingDesk,
  page as at,
  viewerOf,
  type ReadingDesk,
} from "../../plugins/reading/test/support/reading-desk.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];

describe("what a user has read", () => {
  let browser: Browser;
  let desk: ReadingDesk;
  let userId: number;

  beforeAll(async () => {
    [browser, desk] = await Promise.all([
      startChromium(),
      openReadingDesk({ plugins: ["collection", "reading", "web"] }),
    ]);
    userId = (await desk.host.as("viewer").get("/api/auth/me")).body.user.id;
    await desk.place("Night Bell", ["1", "2"]);
    const [salt] = await desk.place("Salt Road", ["1"]);
    const viewer = viewerOf(userId);
    await desk.reading.mark(viewer, [desk.works[0]!, salt!], true);
    await desk.reading.report(viewer, desk.works[1]!, { position: at(9), device: "tablet" });
  });
  afterAll(async () => {
    await browser.close();
    await desk[Symbol.asyncDispose]();
  });

  async function open(path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, desk.host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": desk.host.as("viewer").key as string },
    });
    await page.goto(path);
    return page;
  }

  it("is on the covers of the library, which shows what is unread, being read or read", async () => {
    const page = await open("/library");
    const cover = (title: string) => page.getByRole("link", { name: new RegExp(title) });
    await cover("Moth Patrol").getByText("2 unread").waitFor();
    await cover("Night Bell").getByText("2 unread").waitFor();
    await cover("Salt Road").getByText("all read").waitFor();
    const choose = async (label: string) => {
      const entry = page.getByRole("menuitemradio", { name: label, exact: true });
      await chooseFrom(page.getByRole("button", { name: /^Reading:/ }), entry);
      await page.getByText("1 series", { exact: true }).waitFor();
    };
    await choose("Unread");
    await cover("Night Bell").waitFor();
    await choose("Reading");
    await cover("Moth Patrol").waitFor();
    await choose("Read");
    await cover("Salt Road").waitFor();
    expect(new URL(page.url()).search).toBe("?reading=read");
    // It follows what is read elsewhere.
    await desk.reading.mark(viewerOf(userId), desk.works, true);
    await page.getByText("2 series", { exact: true }).waitFor();
    await desk.reading.mark(viewerOf(userId), desk.works.slice(1), false);
    await desk.reading.report(viewerOf(userId), desk.works[1]!, { position: at(9), device: "tablet" });
    await page.getByText("1 series", { exact: true }).waitFor();
  });

  it("is on the page of a series: how much is read of what is owned, a tick, and how far", async () => {
    const page = await open(`/series/${desk.seriesId}`);
    await page.getByText("1 of 3 read", { exact: true }).waitFor();
    await page.getByText("3 owned", { exact: true }).waitFor();
    await page.getByRole("link", { name: /#1/ }).getByText("read", { exact: true }).waitFor();
    await page.getByRole("link", { name: /#2/ }).getByText("50% read").waitFor();
    const link = page.getByRole("link", { name: /#2/ });
    await link.click();
    await page.getByText("50% read", { exact: true }).waitFor();
    if (shots) await page.screenshot({ path: join(shots, "reading-issue.png") });
  });

  it.each([
    { theme: "light", width: 1440, height: 900 },
    { theme: "dark", width: 390, height: 844 },
  ] as const)("is shown without objections of axe: $theme, $width pixels wide", async ({ theme, width, height }) => {
    for (const path of ["/library?reading=reading", `/series/${desk.seriesId}`]) {
      const page = await open(path, { viewport: { width, height }, colorScheme: theme });
      await page
        .getByText(/unread|of 3 read/)
        .first()
        .waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      if (shots) await page.screenshot({ path: join(shots, `reading-${path.slice(1, 4)}-${theme}-${width}.png`) });
      expect(await objections(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    }
  });
});
