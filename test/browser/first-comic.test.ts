import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { account } from "./support/account.ts";
import { makeAccount, nameLibrary, signIn } from "./support/first-run.ts";
import { startLongbox, type RunningLongbox } from "./support/longbox.ts";
import { comicsFolder, writeManySeries } from "./support/seeding.ts";
import { soon } from "./support/soon.ts";
import { visit } from "./support/visitor.ts";

const plans = [
  { title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"], pages: 6 },
  { title: "Night Bell", year: 2016, issues: ["1", "2"], pages: 5 },
];
const many = 400;

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([startLongbox(), startChromium(), comicsFolder(plans)]);
  await writeManySeries(comics.folder, "Zed", many);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

const shown = (page: Page) => page.locator("longbox-reader").getByRole("status").first();

it("leads from an empty server to a page of a comic, and back to where one was reading", async () => {
  // Upright, so that the reader shows one page at a time.
  const page = await visit(browser, longbox.url, { viewport: { width: 900, height: 1100 } });

  await makeAccount(page);
  await nameLibrary(page, comics.folder);
  await page.getByRole("progressbar", { name: "Scan" }).waitFor();
  await page.getByRole("heading", { name: "Your library is ready" }).waitFor();
  await page.getByText(`${many + plans.length} series.`).waitFor();
  await page.getByRole("link", { name: "Open the library" }).click();

  const wall = page.getByRole("list", { name: "Series" });
  const covers = wall.getByRole("link", { name: /^(Moth Patrol|Night Bell)/ }).locator("img");
  await soon(() =>
    covers.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
  ).toEqual([true, true]);

  await wall.getByRole("link", { name: /^Moth Patrol/ }).click();
  await page.getByRole("heading", { name: "Moth Patrol", level: 1 }).waitFor();
  await soon(() => page.title()).toBe("Moth Patrol · Longbox");
  await page.getByRole("link", { name: /^#1 / }).click();
  await page.getByRole("heading", { name: /^#1/, level: 1 }).waitFor();
  await page.getByRole("link", { name: "Read", exact: true }).click();

  await soon(() => shown(page).textContent()).toBe("Page 1 of 6");
  await page.keyboard.press("ArrowRight");
  await soon(() => shown(page).textContent()).toBe("Page 2 of 6");
  // The reader's page says `chrome: false` in its manifest.
  expect(await page.locator("lb-navigation").count()).toBe(0);
  await page.keyboard.press("ArrowLeft");
  await soon(() => shown(page).textContent()).toBe("Page 1 of 6");
  await page.mouse.click(870, 550);
  await soon(() => shown(page).textContent()).toBe("Page 2 of 6");
  await page.keyboard.press("ArrowRight");
  await soon(() => shown(page).textContent()).toBe("Page 3 of 6");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: /^#1/, level: 1 }).waitFor();
  await soon(() => page.locator("lb-navigation").count()).toBe(1);

  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  const shelf = page.getByRole("region", { name: "Continue reading" });
  await shelf.getByRole("link", { name: /Moth Patrol #1.* from page 3 of 6/ }).click();
  await soon(() => shown(page).textContent()).toBe("Page 3 of 6");
});

it("turns pages by touch on a phone", async () => {
  const page = await visit(browser, longbox.url, {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  await signIn(page, longbox.url);

  await page.goto("/library?search=bell");
  await page.getByRole("link", { name: /^Night Bell/ }).tap();
  await page.getByRole("link", { name: /^#2 / }).tap();
  await page.getByRole("link", { name: "Read", exact: true }).tap();

  await soon(() => shown(page).textContent()).toBe("Page 1 of 5");
  await page.touchscreen.tap(370, 400);
  await soon(() => shown(page).textContent()).toBe("Page 2 of 5");
  await page.touchscreen.tap(20, 400);
  await soon(() => shown(page).textContent()).toBe("Page 1 of 5");
});

it("shows the sign-in page once there is an account, and then the page that was asked for", async () => {
  const page = await visit(browser, longbox.url);

  await page.goto("/library");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Name").fill(account.username);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Sign in" }).click();

  await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/library");
});
