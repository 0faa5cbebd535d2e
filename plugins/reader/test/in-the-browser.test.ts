import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect as plainly, it } from "vitest";
import { comicEntries, drawPage, writeArchive, writeComic } from "@longbox/test/fixtures";
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

/** The machine may be busy with other tests: a browser gets more than a second. */
const expect = Object.assign(<T>(value: T) => plainly(value), {
  poll: <T>(read: () => Promise<T>, options = { timeout: 30_000 }) => plainly.poll(read, options),
});

const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const tall = { viewport: { width: 700, height: 900 } };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-reader-browser-"));
  const size = { width: 400, height: 600 };
  for (const number of ["1", "2"])
    await writeComic(join(folder, "Moth Patrol (2019)", `Moth Patrol 00${number} (2019).cbz`), {
      series: "Moth Patrol",
      number,
      pages: 6,
      size,
    });
  const spread = await comicEntries({ series: "Night Bell", number: "1", pages: 7, size });
  spread.set("004.jpg", await drawPage(4, "spread", { width: 800, height: 600 }));
  await writeArchive(join(folder, "Night Bell (2016)", "Night Bell 001 (2016).cbz"), spread);
  const strip = new Map<string, Uint8Array>();
  for (let page = 1; page <= 5; page++)
    strip.set(`00${page}.jpg`, await drawPage(page, `strip ${page}`, { width: 300, height: 1100 }));
  await writeArchive(join(folder, "Long Strip (2020)", "Long Strip 001 (2020).cbz"), strip);
  const endless = new Map([...Array(400).keys()].map((page) => [`${1000 + page}.jpg`, strip.get("002.jpg")!]));
  await writeArchive(join(folder, "Endless Strip (2021)", "Endless Strip 001 (2021).cbz"), endless);
  await writeComic(join(folder, "Many Pages (2020)", "Many Pages 001 (2020).cbz"), {
    series: "Many Pages",
    number: "1",
    pages: 40,
    size: { width: 60, height: 90 },
  });
  [longbox, browser] = await Promise.all([startLongbox(), startChromium()]);
  key = await seed(longbox.url, folder, 5);
  for (const series of await get<Array<{ id: number; title: string }>>("/api/collection")) {
    for (const issue of (
      await get<{ issues: Array<{ number: string; cvIssueId: number }> }>(`/api/collection/${series.id}`)
    ).issues)
      ids.set(`${series.title} ${issue.number}`, issue.cvIssueId);
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

async function open(
  issue: string,
  options: Parameters<typeof visit>[2] = tall,
  query = "",
): Promise<{ page: Page; shown: () => Promise<string | null>; stage: Locator }> {
  await post(`/api/reader/issue/${ids.get(issue)}/mark`, { read: false });
  return reopen(issue, options, query);
}

async function reopen(
  issue: string,
  options: Parameters<typeof visit>[2] = tall,
  query = "",
): Promise<{ page: Page; shown: () => Promise<string | null>; stage: Locator }> {
  const page = await visit(browser, longbox.url, options);
  await signIn(page, longbox.url);
  await page.goto(`/read/${ids.get(issue)}${query}`);
  const status = page.locator("longbox-reader p[role=status]");
  await status.waitFor({ state: "attached" });
  const stage = page.locator("longbox-paged-stage, longbox-continuous-stage");
  await stage.locator("img").first().waitFor();
  return { page, shown: () => status.textContent(), stage };
}

/** In a window in which answers may fail to come. */
async function openUnwatched(issue: string): Promise<{ page: Page }> {
  await post(`/api/reader/issue/${ids.get(issue)}/mark`, { read: false });
  const context = await browser.newContext({ baseURL: longbox.url, reducedMotion: "reduce", ...tall });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await signIn(page, longbox.url);
  await page.goto(`/read/${ids.get(issue)}`);
  await page.locator("longbox-paged-stage img, longbox-continuous-stage img").first().waitFor();
  return { page };
}

async function post(path: string, body: unknown): Promise<void> {
  const { status } = await fetch(longbox.url + path, {
    method: "POST",
    headers: { "X-Api-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  plainly(status, path).toBe(200);
}

const progressOf = async (issue: string) =>
  (await get<{ progress: { page: number; completed: boolean } | null }>(`/api/reader/issue/${ids.get(issue)}/progress`))
    .progress;

describe("turning pages", () => {
  it("follows keys in both directions and remembers the place", async () => {
    const { page, shown } = await open("Moth Patrol 1");
    for (const key of ["ArrowRight", "ArrowRight", " ", "ArrowLeft", "PageDown"]) await page.keyboard.press(key);
    await expect.poll(shown).toBe("Page 4 of 6");
    await page.keyboard.press("Home");
    await expect.poll(shown).toBe("Page 1 of 6");
    await page.keyboard.press("d");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(shown).toBe("Page 2 of 6");
    await expect.poll(async () => (await progressOf("Moth Patrol 1"))?.page).toBe(1);
    await page.keyboard.press("d");
    await expect
      .poll(async () => (await get<{ direction: string }>(`/api/reader/issue/${ids.get("Moth Patrol 1")}`)).direction)
      .toBe("ltr");
    const again = await reopen("Moth Patrol 1");
    expect(await again.shown()).toBe("Page 2 of 6");
  });

  it("follows taps and swipes on a phone", async () => {
    const { page, shown, stage } = await open("Moth Patrol 1", phone);
    await page.touchscreen.tap(370, 400);
    await expect.poll(shown).toBe("Page 2 of 6");
    await page.touchscreen.tap(20, 400);
    await expect.poll(shown).toBe("Page 1 of 6");
    await swipe(page, stage, [320, 400], [80, 405]);
    await expect.poll(shown).toBe("Page 2 of 6");
    await swipe(page, stage, [80, 400], [320, 405]);
    await expect.poll(shown).toBe("Page 1 of 6");
  });

  it("shows the controls after a tap on the middle and hides them after another", async () => {
    const { page } = await open("Moth Patrol 1", phone);
    const bar = page.locator("longbox-reader header.bar");
    await expect
      .poll(() => bar.evaluate((element) => element.classList.contains("quiet")), { timeout: 30_000 })
      .toBe(true);
    await page.touchscreen.tap(195, 400);
    await expect.poll(() => bar.evaluate((element) => element.classList.contains("quiet"))).toBe(false);
  });

  it("turns with the wheel at the end of a page, and zooms with Ctrl", async () => {
    const { page, shown, stage } = await open("Moth Patrol 1");
    await page.mouse.move(350, 450);
    await page.mouse.wheel(0, 120);
    await expect.poll(shown).toBe("Page 2 of 6");
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await expect.poll(() => stage.getAttribute("zoomed")).toBe("");
    await expect.poll(shown).toBe("Page 2 of 6");
  });
});

describe("zooming", () => {
  it("brings a sharper picture and stays where it is", async () => {
    const { page, stage } = await open("Moth Patrol 1", { viewport: { width: 220, height: 330 } });
    const width = () => stage.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBe(320);
    await page.mouse.move(110, 165);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -250);
    await page.keyboard.up("Control");
    await expect.poll(width).toBe(400);
    await expect.poll(() => stage.getAttribute("zoomed")).toBe("");
  });
});

describe("two pages", () => {
  it("stand side by side in a wide window, the cover and spreads alone", async () => {
    const { page, shown } = await open("Night Bell 1", { viewport: { width: 1400, height: 800 } });
    await expect.poll(shown).toBe("Page 1 of 7");
    for (const label of ["Pages 2 and 3 of 7", "Page 4 of 7", "Pages 5 and 6 of 7", "Page 7 of 7"]) {
      await page.keyboard.press("ArrowRight");
      await expect.poll(shown).toBe(label);
    }
  });
});

describe("pages that were scanned without their cover", () => {
  it("are paired from the first one on, for this issue and as long as it is wished", async () => {
    const { page, shown } = await open("Moth Patrol 1", { viewport: { width: 1400, height: 800 } });
    const choose = async () => {
      await page.mouse.move(700, 20);
      await page.mouse.move(701, 21);
      await page.getByRole("button", { name: "How pages are shown" }).click();
      await page.getByText("Cover stands alone").click();
      await page.keyboard.press("Escape");
    };
    await expect.poll(shown).toBe("Page 1 of 6");
    await choose();
    await expect.poll(shown).toBe("Pages 1 and 2 of 6");
    await page.goto(`/read/${ids.get("Moth Patrol 2")}`);
    await expect.poll(shown).toMatch(/^Page \d of 6$/);
    await page.goto(`/read/${ids.get("Moth Patrol 1")}?page=0`);
    await expect.poll(shown).toBe("Pages 1 and 2 of 6");
    await choose();
    await expect.poll(shown).toBe("Page 1 of 6");
  });
});

describe("a strip", () => {
  it("scrolls without gaps, and the page under the eye is the one that counts", async () => {
    const { page, shown, stage } = await open("Long Strip 1");
    await expect.poll(() => stage.evaluate((element) => element.localName)).toBe("longbox-continuous-stage");
    await page.mouse.move(350, 450);
    const scrolledOn = async () => {
      await page.mouse.wheel(0, 400);
      return shown();
    };
    await expect.poll(scrolledOn, { timeout: 30_000 }).toMatch(/Page [345] of 5/);
    await expect
      .poll(async () => (await progressOf("Long Strip 1"))?.page ?? 0, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(2);
    await page.keyboard.press("End");
    await expect.poll(shown).toBe("Page 5 of 5");
    await page.keyboard.press("Home");
    await expect.poll(shown).toBe("Page 1 of 5");
  });
});

describe("a strip of 400 pages", () => {
  it("holds few of them while it is scrolled fast, and asks no longer for those that were passed", async () => {
    const { page, shown, stage } = await open("Endless Strip 1");
    const [asked, ended] = [new Set<string>(), new Set<string>()];
    page.on("request", (request) => request.url().includes("/page/") && asked.add(request.url()));
    for (const event of ["requestfailed", "requestfinished"] as const)
      page.on(event as "requestfailed", (request) => ended.add(request.url()));
    const most = await stage.evaluate(async (strip) => {
      let images = 0;
      for (let screen = 0; strip.scrollTop < strip.scrollHeight - strip.clientHeight - 4; screen++) {
        strip.scrollTop += strip.clientHeight * (screen % 8 === 0 ? 0.5 : 6);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        images = Math.max(images, strip.shadowRoot!.querySelectorAll("img").length);
      }
      return images;
    });
    expect(most).toBeLessThanOrEqual(20);
    await expect.poll(shown).toBe("Page 400 of 400");
    await stage.locator('img[alt="Page 400"]').waitFor();
    await expect.poll(async () => [...asked].filter((url) => !ended.has(url))).toEqual([]);
  });
});

describe("a strip whose first pages do not come at once", () => {
  it("is shown as a strip as soon as its shape is known, also when the browser does not decode ahead", async () => {
    const { page } = await openUnwatched("Long Strip 1");
    let asked = 0;
    await page.route(/\/page\/1\?/, (route) => (asked++ === 0 ? route.abort() : route.continue()));
    await page.addInitScript(() => {
      HTMLImageElement.prototype.decode = function (this: HTMLImageElement) {
        const refused = () => new DOMException("The source image cannot be decoded.", "EncodingError");
        return new Promise((_resolve, reject) => {
          for (const name of ["load", "error"]) this.addEventListener(name, () => reject(refused()), { once: true });
        });
      };
    });
    await page.reload();
    await page.locator('longbox-continuous-stage img[alt="Page 1"]').waitFor();
    plainly(asked).toBeGreaterThan(1);
    await page.context().close();
  });
});

describe("all pages", () => {
  it("lie in a grid that is walked by arrows, marks bookmarks and goes to a number", async () => {
    const { page, shown } = await open("Moth Patrol 1");
    await post(`/api/reader/issue/${ids.get("Moth Patrol 1")}/bookmark`, { page: 4, on: true });
    await page.reload();
    await page.getByRole("button", { name: "All pages" }).click();
    const dialog = page.getByRole("dialog", { name: "Pages" });
    await dialog.getByRole("button", { name: "Page 5, bookmarked" }).waitFor();
    await expect.poll(() => dialog.getByRole("button", { name: /^Page / }).count()).toBe(6);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(shown).toBe("Page 3 of 6");
    await page.keyboard.press("g");
    await dialog.getByRole("button", { name: "Only bookmarks" }).click();
    await expect.poll(() => dialog.getByRole("button", { name: /^Page / }).count()).toBe(1);
    await dialog.getByLabel("Go to").fill("6");
    await page.keyboard.press("Enter");
    await expect.poll(shown).toBe("Page 6 of 6");
    await post(`/api/reader/issue/${ids.get("Moth Patrol 1")}/bookmark`, { page: 4, on: false });
  });
});

describe("the place", () => {
  it("is saved when the window is closed right after a page was turned", async () => {
    const { page, shown } = await open("Moth Patrol 1");
    await expect.poll(async () => (await progressOf("Moth Patrol 1"))?.page).toBe(0);
    for (const turn of [2, 3, 4]) {
      await page.keyboard.press("ArrowRight");
      await expect.poll(shown).toBe(`Page ${turn} of 6`);
    }
    await page.close({ runBeforeUnload: true });
    await expect.poll(async () => (await progressOf("Moth Patrol 1"))?.page).toBe(3);
  });

  it("is kept while there is no connection, told with its time once there is one, and loses to what was read later elsewhere", async () => {
    const { page } = await openUnwatched("Moth Patrol 1");
    const context = page.context();
    await expect.poll(async () => (await progressOf("Moth Patrol 1"))?.page).toBe(0);
    const refused = () => page.waitForEvent("requestfailed", (request) => request.url().endsWith("/progress"));
    await context.setOffline(true);
    const [failed] = await Promise.all([refused(), page.keyboard.press("End")]);
    expect(failed.method()).toBe("POST");
    await context.setOffline(false);
    await expect.poll(async () => (await progressOf("Moth Patrol 1"))?.page).toBe(5);

    await context.setOffline(true);
    await Promise.all([refused(), page.keyboard.press("Home")]);
    await post(`/api/reader/issue/${ids.get("Moth Patrol 1")}/progress`, { page: 2, pages: 6, completed: false });
    await page.goto("about:blank");
    await context.setOffline(false);
    const told = page.waitForResponse(
      (response) => response.url().endsWith("/progress") && response.request().method() === "POST",
    );
    await page.goto(`/read/${ids.get("Moth Patrol 2")}`);
    expect([(await told).status(), (await progressOf("Moth Patrol 1"))?.page]).toEqual([200, 2]);
    await context.close();
  });

  it("of a finished issue that is looked into again is found again", async () => {
    const { page, shown } = await open("Moth Patrol 2");
    await page.keyboard.press("End");
    await expect.poll(async () => (await progressOf("Moth Patrol 2"))?.completed).toBe(true);
    const again = await reopen("Moth Patrol 2");
    expect(await again.shown()).toBe("Page 1 of 6");
    await again.page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await progressOf("Moth Patrol 2"))?.page).toBe(1);
    expect(await (await reopen("Moth Patrol 2")).shown()).toBe("Page 2 of 6");
    await expect.poll(shown).toBe("Page 6 of 6");
  });
});

describe("pages that were left behind", () => {
  it("are asked for no longer, once others are wanted or the reader closes", async () => {
    const { page } = await openUnwatched("Many Pages 1");
    const [asked, ended] = [new Set<string>(), new Set<string>()];
    page.on("request", (request) => request.url().includes("/page/") && asked.add(request.url()));
    page.on("requestfailed", (request) => ended.add(request.url()));
    // Answers that never come.
    await page.route(/\/page\/\d+\?/, () => undefined);
    for (let turn = 0; turn < 24; turn++) await page.keyboard.press("PageDown");
    await expect.poll(async () => ended.size).toBeGreaterThan(5);
    await page.keyboard.press("Escape");
    await expect.poll(async () => asked.size - ended.size).toBe(0);
    await page.context().close();
  });
});

describe("a page that does not come", () => {
  it("says so and comes when it is tried again, in pages and in a strip", async () => {
    for (const [issue, stage] of [
      ["Night Bell 1", "longbox-paged-stage"],
      ["Long Strip 1", "longbox-continuous-stage"],
    ] as const) {
      const { page } = await openUnwatched(issue);
      let broken = true;
      await page.route(/\/page\/2\?/, (route) => (broken ? route.abort() : route.continue()));
      await page.reload();
      await page.locator(stage).waitFor();
      for (let turn = 0; turn < 2; turn++) await page.keyboard.press("PageDown");
      await page.getByRole("alert").getByText("Page 3 could not be shown.").waitFor();
      broken = false;
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(`${stage} img[alt="Page 3"]`).waitFor();
      await page.context().close();
    }
  });
});

describe("the choice of how pages are shown", () => {
  it("is kept for what was chosen, and leaves the rest to what is preferred in general", async () => {
    const { page } = await open("Night Bell 1");
    await page.keyboard.press("w");
    const preferences = async () =>
      (await get<{ preferences: unknown }>(`/api/reader/issue/${ids.get("Night Bell 1")}`)).preferences;
    await expect.poll(preferences).toEqual({ mode: null, direction: null, fit: "width" });
    await post(
      `/api/reader/series/${(await get<{ seriesId: number }>(`/api/reader/issue/${ids.get("Night Bell 1")}`)).seriesId}/preferences`,
      { fit: null },
    );
  });
});

describe("the end of an issue", () => {
  it("is reached by touch in a strip, and leads on", async () => {
    const { page, stage } = await open("Long Strip 1", phone);
    await page.locator("longbox-continuous-stage").waitFor();
    const onward = page.getByRole("button", { name: "You have reached the last page" });
    await expect
      .poll(async () => {
        await stage.evaluate((element) => (element.scrollTop = element.scrollHeight));
        return onward.evaluate((button) => button.getBoundingClientRect().bottom < innerHeight);
      })
      .toBe(true);
    await onward.tap();
    await page.getByRole("heading", { name: "You have reached the end" }).waitFor();
    await expect.poll(async () => (await progressOf("Long Strip 1"))?.completed).toBe(true);
  });

  it("completes it and leads to the next one", async () => {
    const { page, shown } = await open("Moth Patrol 1");
    await page.keyboard.press("End");
    await expect.poll(shown).toBe("Page 6 of 6");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Read #2" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Moth Patrol #2" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/read/${ids.get("Moth Patrol 2")}`);
    await expect.poll(async () => (await progressOf("Moth Patrol 1"))?.completed).toBe(true);
  });
});

describe("the reading page", () => {
  it("tells what was read, and leads to bookmarked pages until they are taken off", async () => {
    const { page } = await open("Moth Patrol 2");
    await page.keyboard.press("End");
    await expect.poll(async () => (await progressOf("Moth Patrol 2"))?.completed).toBe(true);
    await post(`/api/reader/issue/${ids.get("Night Bell 1")}/bookmark`, { page: 4, on: true });
    await page.goto("/reading");
    await page.getByText(/You have read \d+ pages and finished\s+\d+ items?/).waitFor();
    await page.getByRole("row", { name: /Moth Patrol/ }).waitFor();
    await page.getByRole("link", { name: "Night Bell #1 · page 5" }).click();
    await expect.poll(() => page.locator("longbox-reader p[role=status]").textContent()).toBe("Page 5 of 7");
    await page.goBack();
    await page.getByRole("button", { name: "Remove the bookmark Night Bell #1, page 5" }).click();
    await expect.poll(() => page.getByRole("heading", { name: "Bookmarks" }).count()).toBe(0);
    expect(await get("/api/reader/bookmarks")).toEqual([]);
  });
});

describe("the page of an issue", () => {
  it("takes a rating and a private note, by keyboard too, and keeps them", async () => {
    const page = await visit(browser, longbox.url, tall);
    await signIn(page, longbox.url);
    await page.goto(`/issue/${ids.get("Moth Patrol 2")}`);
    const opinion = () => get(`/api/reader/issue/${ids.get("Moth Patrol 2")}/opinion`);
    await page.getByRole("radio", { name: "4 stars" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Remove the rating" }).waitFor();
    await page.getByRole("button", { name: "Add a private note" }).press("Enter");
    await page.getByLabel("Your note").fill("The moth is real.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The moth is real.").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Edit the note" }).evaluate((button) => button.matches(":focus")))
      .toBe(true);
    expect(await opinion()).toEqual({ rating: 4, note: "The moth is real." });
    await page.reload();
    await page.getByText("The moth is real.").waitFor();
    expect(await page.getByRole("radio", { name: "4 stars" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Remove the rating" }).click();
    await expect.poll(opinion).toEqual({ rating: null, note: "The moth is real." });
  });
});

describe("the controls", () => {
  it("are reached by keyboard, named, and close with Escape", async () => {
    const { page, shown } = await open("Moth Patrol 1");
    await page.getByRole("button", { name: "How pages are shown" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Continuous strip", { exact: true }).click();
    await page.locator("longbox-continuous-stage").waitFor();
    await page.getByText("Automatic", { exact: true }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("longbox-view-panel").count()).toBe(0);
    await page.getByRole("slider", { name: "Page" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(shown).toBe("Page 2 of 6");
    await page.getByRole("button", { name: "Bookmark" }).press("Enter");
    await expect.poll(() => page.getByRole("button", { name: "Bookmark" }).getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys and gestures" });
    await help.waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await page.keyboard.press("b");
    await page.keyboard.press("Escape");
    await expect.poll(async () => new URL(page.url()).pathname).toBe(`/issue/${ids.get("Moth Patrol 1")}`);
  });

  it("say what is wrong with an issue that cannot be read", async () => {
    const page = await visit(browser, longbox.url, tall);
    await signIn(page, longbox.url);
    await page.goto("/read/424242");
    await page.getByRole("alert").getByText("There is no item 424242.").waitFor();
  });
});

async function swipe(
  page: Page,
  stage: Locator,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: ReadonlyArray<readonly [number, number]>) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await stage.waitFor();
  await touch("touchStart", [from]);
  for (let step = 1; step <= 6; step++)
    await touch("touchMove", [[from[0] + ((to[0] - from[0]) * step) / 6, from[1] + ((to[1] - from[1]) * step) / 6]]);
  await touch("touchEnd", []);
  await session.detach();
}
