import { join } from "node:path";
import { chooseFrom } from "../support/choose-action.ts";
import type { Browser, Locator, Page } from "playwright-core";
import { writeComic } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objections } from "../support/objections.ts";
import { startChromium } from "../support/chromium.ts";
import { signIn } from "../support/first-run.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { comicsFolder, seed } from "../support/seeding.ts";
import { soon } from "../support/soon.ts";
import { visit } from "../support/visitor.ts";

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let key: string;

beforeAll(async () => {
  const plans = [{ title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 2 }];
  [longbox, browser, comics] = await Promise.all([
    startLongbox({}, ["operations", "metadata"]),
    startChromium(),
    comicsFolder(plans),
  ]);
  await writeComic(join(comics.folder, "Moth Patrol (2019)", "Moth Patrol 002 (copy).cbz"), {
    series: "Moth Patrol",
    number: "2",
    pages: 2,
  });
  key = await seed(longbox.url, comics.folder, 1);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

const ask = async (path: string): Promise<any> =>
  (await fetch(longbox.url + path, { headers: { "X-Api-Key": key } })).json();
/** The card that a heading stands in. */
const card = (page: Page, title: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** Where each section is, and what is there once it has been drawn. */
const sections: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ["health", (page) => page.getByRole("heading", { name: "Plugin registry" }).waitFor()],
  ["jobs", (page) => page.getByRole("heading").nth(1).waitFor()],
  ["schedules", (page) => page.getByRole("heading", { name: "Tidy caches" }).waitFor()],
  ["backups", (page) => page.getByRole("button", { name: "Back up now" }).waitFor()],
  ["tools", (page) => page.getByRole("heading", { name: "Convert RAR to CBZ" }).waitFor()],
  ["log", (page) => page.getByRole("list", { name: "Log, newest first" }).waitFor()],
  ["support", (page) => page.getByRole("link", { name: "Download" }).waitFor()],
];

it("tries a tool, says what it would do before it runs, and shows both jobs with what they did", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/operations/tools");
  await page.getByRole("button", { name: "Try: Remove duplicates" }).click();
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await card(page, "Remove duplicates (trial)")
    .getByText(/^\s*1 copy is redundant: /)
    .waitFor();
  expect((await ask("/api/library/trash")).files).toBe(0);

  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("button", { name: "Run: Remove duplicates" }).click();
  const question = page.getByRole("dialog", { name: "Run Remove duplicates?" });
  await question.getByText(/^\s*1 copy is redundant: /).waitFor();
  await question.getByRole("button", { name: "Run", exact: true }).click();
  await question.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Jobs", exact: true }).click();
  await card(page, "Remove duplicates")
    .getByText(/^\s*1 copy is in the trash: /)
    .waitFor();
  expect((await ask("/api/library/trash")).files).toBe(1);
});

it("changes when a schedule runs in plain words or by a pattern, and runs it now", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/operations/schedules");
  const backup = card(page, "Backup");
  const dialog = page.getByRole("dialog", { name: "Backup" });
  const change = async () => {
    await backup.getByRole("button", { name: "Change when: Backup" }).click();
    await dialog.getByLabel("How often").waitFor();
  };
  const save = () => dialog.getByRole("button", { name: "Save" }).click();
  await backup.getByText("Every day at 03:30").waitFor();
  await change();
  await dialog.getByLabel("How often").selectOption("Every week");
  await dialog.getByLabel("Weekday").selectOption("Monday");
  await dialog.getByLabel("Time", { exact: true }).fill("02:15");
  await save();
  await dialog.waitFor({ state: "hidden" });
  await backup.getByText("Every Monday at 02:15").waitFor();
  expect((await ask("/api/schedules")).find((one: { title: string }) => one.title === "Backup").cron).toBe(
    "15 2 * * 1",
  );

  await change();
  await dialog.getByLabel("How often").selectOption("Cron pattern");
  await dialog.getByRole("textbox", { name: "Pattern" }).fill("not a pattern");
  await save();
  await dialog.getByText(/The cron pattern cannot be read/).waitFor();
  await dialog.getByRole("button", { name: "Default" }).click();
  await save();
  await dialog.waitFor({ state: "hidden" });
  await backup.getByText("Every day at 03:30").waitFor();

  await backup.getByRole("switch", { name: "Backup is on" }).click();
  await backup.getByText(/does not run automatically/).waitFor();
  await backup.getByRole("button", { name: "Run now: Backup" }).click();
  await backup.getByText(/^\s*Last .*: done/i).waitFor();
  expect(await ask("/api/backups")).toHaveLength(1);
});

it("makes backups, deletes them, and restores one after a question", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/operations/backups");
  const names = async (): Promise<string[]> => (await ask("/api/backups")).map((one: { name: string }) => one.name);
  const before = await names();
  await page.getByRole("button", { name: "Back up now" }).click();
  await soon(async () => JSON.stringify(await ask("/api/jobs"))).toContain("tool.backup");
  const rows = page.getByRole("button", { name: /^Restore the backup of/ });
  await soon(() => rows.count()).toBe(before.length + 1);
  await rows.first().click();
  const question = page.getByRole("dialog", { name: /^Restore the backup of/ });
  await question.getByText(/you may have to sign in again/).waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  const more = page.getByRole("button", { name: /^More for the backup of/ }).first();
  await chooseFrom(more, page.getByRole("menuitem", { name: "Delete" }));
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await soon(names).toEqual(before);
});

it("says what is wrong with the server and what to do about it", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/operations");
  await card(page, "Plugin registry")
    .getByText(/none can be installed or upgraded\. Start it/)
    .waitFor();
  await card(page, "Folder of Comics").getByText("can be read and written").waitFor();
});

it("shows the log as it grows, by level and text", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/operations/log");
  const log = page.getByRole("list", { name: "Log, newest first" });
  await log.getByText("A library was scanned").first().waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await soon(() => log.getByText("A library was scanned").count()).toBe(0);
  const backup = await fetch(`${longbox.url}/api/backup`, { method: "POST", headers: { "X-Api-Key": key } });
  expect(backup.status).toBe(201);
  await log.getByText("A backup was made.").waitFor();
  await page.getByLabel("Text in the log").fill("nothing says this");
  await page.getByText("No matching lines").waitFor();
});

describe.each([
  { theme: "light", width: 1280, height: 860 },
  { theme: "dark", width: 390, height: 780 },
] as const)("in $theme, $width pixels wide", ({ theme, width, height }) => {
  it("gives axe nothing to object to, and never scrolls sideways", async () => {
    const page = await visit(browser, longbox.url, { viewport: { width, height }, colorScheme: theme });
    await signIn(page, longbox.url);
    for (const [name, drawn] of sections) {
      await page.goto(`/operations/${name}`);
      await drawn(page);
      expect(await objections(page), name).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        name,
      ).toBe(0);
    }
  });
});
