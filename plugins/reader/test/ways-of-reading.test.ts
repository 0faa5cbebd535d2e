import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawPage, writeArchive, writeComic } from "@longbox/test/fixtures";
import { startChromium } from "../../../test/browser/support/chromium.js";
import { signIn } from "../../../test/browser/support/first-run.js";
import { startLongbox, type RunningLongbox } from "../../../test/browser/support/longbox.js";
import { seed } from "../../../test/browser/support/seeding.js";
import { visit } from "../../../test/browser/support/visitor.js";

let longbox: RunningLongbox;
let browser: Browser;
let folder: string;
let key: string;
const ids = new Map<string, number>();

const desk = { viewport: { width: 1200, height: 800 } };
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-ways-of-reading-"));
  await writeComic(join(folder, "Moth Patrol (2019)", "Moth Patrol 001 (2019).cbz"), {
    series: "Moth Patrol",
    number: "1",
    pages: 6,
    size: { width: 400, height: 600 },
  });
  const strip = new Map<string, Uint8Array>();
  for (let page = 1; page <= 3; page++)
    strip.set(`00${page}.jpg`, await drawPage(page, `strip ${page}`, { width: 300, height: 1100 }));
  await writeArchive(join(folder, "Long Strip (2020)", "Long Strip 001 (2020).cbz"), strip);
  [longbox, browser] = await Promise.all([startLongbox(), startChromium()]);
  key = await seed(longbox.url, folder, 2);
  for (const series of await get<Array<{ id: number; title: string }>>("/api/collection")) {
    const { issues } = await get<{ issues: Array<{ cvIssueId: number }> }>(`/api/collection/${series.id}`);
    ids.set(series.title, issues[0]!.cvIssueId);
  }
});
afterAll(async () => {
  await browser?.close();
  await longbox?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function get<T>(path: string): Promise<T> {
  return (await (await fetch(longbox.url + path, { headers: { "X-Api-Key": key } })).json()) as T;
}

async function open(title: string, options: BrowserContextOptions = desk, query = "?page=0"): Promise<Page> {
  const page = await visit(browser, longbox.url, options);
  await signIn(page, longbox.url);
  await page.goto(`/read/${ids.get(title)}${query}`);
  await shownImage(page).waitFor();
  return page;
}

const shownImage = (page: Page) => page.locator("longbox-paged-stage img, longbox-continuous-stage img").first();
const status = (page: Page) => page.locator("longbox-reader p[role=status]").textContent();
const openIssue = (title: string) =>
  get<{ progress: { page: number } | null; notes: unknown; preferences: unknown }>(
    `/api/reader/issue/${ids.get(title)}`,
  );

async function openPanel(page: Page): Promise<void> {
  await page.mouse.move(600, 20);
  await page.mouse.move(601, 21);
  await page.getByRole("button", { name: "How pages are shown" }).click();
}

describe("reading panel by panel", () => {
  it("begins at the panel that is tapped twice, walks in reading order over pages, and ends with Escape", async () => {
    const page = await open("Moth Patrol", desk, "?page=1");
    await page.keyboard.press("v");
    await expect.poll(() => status(page)).toMatch(/^Page 2 of 6, panel 1 of [46]$/);
    const panels = Number((await status(page))!.at(-1));
    await expect.poll(() => page.locator("longbox-paged-stage").getAttribute("zoomed")).toBe("");
    for (let panel = 2; panel <= panels; panel++) {
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => status(page)).toBe(`Page 2 of 6, panel ${panel} of ${panels}`);
    }
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => status(page)).toMatch(/^Page 3 of 6, panel 1 of /);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("longbox-paged-stage").getAttribute("zoomed")).toBeNull();
    await page.mouse.dblclick(610, 600);
    await expect.poll(() => status(page)).toMatch(/, panel [2-6] of /);
  });
});

describe("how pages look", () => {
  it("is turned, coloured and tapped as chosen, and kept for the type on this device", async () => {
    const page = await open("Moth Patrol");
    await page.keyboard.press("r");
    const box = () => shownImage(page).evaluate((image) => image.getBoundingClientRect().toJSON() as DOMRect);
    await expect.poll(async () => (await box()).width > (await box()).height).toBe(true);
    await openPanel(page);
    await page.getByText("Colours").click();
    await page.getByText("Invert").click();
    await page.getByLabel("Brightness").focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("95%", { exact: true }).waitFor();
    await page.getByText("Tapping and moving").click();
    // It is shown for seconds: the test looks before it is there.
    const areas = page.locator("longbox-zone-map").getByText("Next").waitFor();
    await Promise.all([areas, page.getByText("Edges").click()]);
    await page.keyboard.press("Escape");
    const filter = () => shownImage(page).evaluate((image) => getComputedStyle(image).filter);
    expect(await filter()).toBe("brightness(0.95) invert(1) hue-rotate(180deg)");
    await page.reload();
    await shownImage(page).waitFor();
    expect(await filter()).toBe("brightness(0.95) invert(1) hue-rotate(180deg)");
    expect((await box()).width).toBeLessThan((await box()).height);
    await page.mouse.click(600, 780);
    await expect.poll(() => status(page)).not.toBe("Page 1 of 6");
    await page.goto(`/read/${ids.get("Long Strip")}`);
    await page.locator("longbox-continuous-stage img").first().waitFor();
    expect(await filter()).toBe("none");
  });

  it("goes back to automatic for a series, and never puts two pages side by side on a phone", async () => {
    const page = await open("Moth Patrol");
    const preferences = async () => (await openIssue("Moth Patrol")).preferences;
    await openPanel(page);
    await page.getByText("Two pages", { exact: true }).click();
    await expect.poll(preferences).toMatchObject({ mode: "double" });
    const small = await open("Moth Patrol", phone, "?page=1");
    expect(await status(small)).toBe("Page 2 of 6");
    await small.getByRole("button", { name: "How pages are shown" }).tap();
    const pages = small.getByRole("group", { name: "Pages", exact: true });
    expect(
      await pages.getByRole("radio").evaluateAll((radios) => radios.map((radio) => radio.getAttribute("value"))),
    ).toEqual(["auto", "single", "continuous"]);
    expect(await pages.getByRole("radio", { name: "Single page" }).isChecked()).toBe(true);
    // Held sideways, it is still a phone.
    await small.setViewportSize({ width: 932, height: 430 });
    await expect.poll(() => status(small)).toBe("Page 2 of 6");
    await small.setViewportSize(phone.viewport);
    await small.getByRole("button", { name: "Panel by panel" }).tap();
    await expect.poll(() => status(small)).toMatch(/^Page 2 of 6, panel 1 of /);
    await pages.waitFor({ state: "detached" });
    await page.getByText("Automatic", { exact: true }).click();
    await expect.poll(preferences).toMatchObject({ mode: "auto" });
  });
});

describe("keys", () => {
  it("are changed one by one, kept on the device, and given back", async () => {
    const page = await open("Moth Patrol");
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keys and gestures" });
    const bookmark = dialog.getByRole("listitem").filter({ hasText: "Bookmark this page" }).getByRole("button");
    await bookmark.click();
    await page.keyboard.press("r");
    await expect.poll(() => bookmark.textContent().then((text) => text?.trim())).toBe("R");
    await page.keyboard.press("Escape");
    await page.reload();
    await shownImage(page).waitFor();
    await page.keyboard.press("r");
    const pressed = page.getByRole("button", { name: "Bookmark", exact: true });
    await expect.poll(() => pressed.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("?");
    await dialog.getByRole("button", { name: "Use the usual keys" }).click();
    await expect.poll(() => bookmark.textContent().then((text) => text?.trim())).toBe("B");
  });
});

describe("private reading", () => {
  it("records nothing, and a note on a page is kept all the same", async () => {
    const page = await open("Moth Patrol");
    await expect.poll(async () => (await openIssue("Moth Patrol")).progress?.page).toBe(0);
    await page.keyboard.press("i");
    await page.locator("longbox-reader").getByText("Private", { exact: true }).waitFor();
    const reports: string[] = [];
    page.on("request", (request) => request.url().endsWith("/progress") && reports.push(request.url()));
    await page.keyboard.press("End");
    await expect.poll(() => status(page)).toMatch(/6 of 6$/);
    await page.keyboard.press("Home");
    await page.keyboard.press("e");
    await page.getByRole("textbox").fill("The moth is back.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox").waitFor({ state: "hidden" });
    await expect
      .poll(async () => (await openIssue("Moth Patrol")).notes)
      .toEqual([{ page: 0, text: "The moth is back." }]);
    await page.keyboard.press("Escape");
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/issue/${ids.get("Moth Patrol")}`);
    expect([reports, (await openIssue("Moth Patrol")).progress?.page]).toEqual([[], 0]);
  });
});

describe("pages that move by themselves", () => {
  it("scroll a strip until the page is touched", async () => {
    const page = await open("Long Strip");
    const top = () => page.locator("longbox-continuous-stage").evaluate((stage) => stage.scrollTop);
    const before = await top();
    await page.keyboard.press("a");
    await expect.poll(top).toBeGreaterThan(before + 20);
    await page.mouse.click(600, 400);
    const twoFrames = () =>
      page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await expect
      .poll(async () => {
        const first = await top();
        for (let times = 0; times < 5; times++) await twoFrames();
        return (await top()) - first;
      })
      .toBe(0);
  });
});
