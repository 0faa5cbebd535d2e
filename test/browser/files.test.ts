import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import type { Browser, Locator, Page } from "playwright-core";
import { drawCover, writeComic } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objections } from "./support/objections.ts";
import { chooseAction } from "./support/choose-action.ts";
import { Provider } from "../../plugins/metadata/test/support/provider.ts";
import { startChromium } from "./support/chromium.ts";
import { signIn } from "./support/first-run.ts";
import { startLongbox, type RunningLongbox } from "./support/longbox.ts";
import { comicsFolder, seed } from "./support/seeding.ts";
import { soon } from "./support/soon.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let inbox: string;
let key: string;

const comic = (folder: string, name: string, series: string, number: string, tags?: Record<string, string | number>) =>
  writeComic(join(folder, name), { series, number, pages: 1, ...(tags && { tags }) });

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox(),
    startChromium(),
    comicsFolder([{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 2 }]),
  ]);
  await comic(join(comics.folder, "Moth Patrol (2019)"), "moth_patrol_2.cbz", "Moth Patrol", "2");
  await comic(join(comics.folder, "Night Bell"), "Night Bell 001.cbz", "Night Bell", "1");
  await comic(join(comics.folder, "Night Bell"), "Night Bell 001 (copy).cbz", "Night Bell", "1");
  inbox = join(dirname(comics.folder), "inbox");
  await mkdir(inbox);
  key = await seed(longbox.url, comics.folder, 2);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

const ask = async (path: string): Promise<any> =>
  (await fetch(longbox.url + path, { headers: { "X-Api-Key": key } })).json();
const seriesId = async (title: string): Promise<number> =>
  (await ask(`/api/collection?search=${encodeURIComponent(title)}`))[0].id;
const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(join(comics.folder, folder)).catch(() => [])).sort();
const candidate = (page: Page, name: string): Locator => page.getByRole("article", { name });
const isFocused = (element: Element): boolean => (element.getRootNode() as ShadowRoot).activeElement === element;
/** Until a scan that something began is over, so that the next test finds a quiet server. */
const quiet = () => soon(async () => (await ask("/api/scan-folder")).running).toBe(false);

async function openPage(path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
  const page = await visit(browser, longbox.url, options);
  await signIn(page, longbox.url);
  await page.goto(path);
  return page;
}

async function openDialog(
  title: string,
  options: Parameters<typeof visit>[2] = {},
): Promise<{ page: Page; dialog: Locator }> {
  const page = await openPage(`/series/${await seriesId(title)}`, options);
  await chooseAction(page, "More for this series", "Files");
  return { page, dialog: page.getByRole("dialog", { name: `Files of ${title}` }) };
}

it("says so where there is nothing yet", async () => {
  const page = await openPage("/files");
  await page.getByText("No file has been moved yet").waitFor();
  await page.getByRole("link", { name: "Trash", exact: true }).click();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  await page.goto("/import");
  await page.getByText("None is chosen yet.").waitFor();
  await page.getByText("Nothing to import").waitFor();
});

it("renames the files of a series after showing the plan, and puts them back", async () => {
  const { dialog } = await openDialog("Moth Patrol");
  await dialog.getByRole("button", { name: "Show the plan" }).click();
  await dialog.getByText("1 file would move.").waitFor();
  await dialog.getByRole("cell", { name: "moth_patrol_2.cbz" }).waitFor();
  await dialog.getByRole("cell", { name: "Moth Patrol 002 (2019).cbz" }).waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toEqual(["Moth Patrol 001 (2019).cbz", "moth_patrol_2.cbz"]);
  await dialog.getByRole("button", { name: "Rename 1 file" }).click();
  await dialog.getByText("1 file moved.").waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toEqual(["Moth Patrol 001 (2019).cbz", "Moth Patrol 002 (2019).cbz"]);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await dialog.page().getByRole("button", { name: "Move 1 file back" }).click();
  await dialog.getByText("1 file is back where it was.").waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toEqual(["Moth Patrol 001 (2019).cbz", "moth_patrol_2.cbz"]);
  await quiet();
});

it("asks with the plan before other copies of an item move to the trash", async () => {
  const page = await openPage("/files/duplicates");
  const copies = page.getByRole("region", { name: "Night Bell #1" });
  const keep = copies.getByRole("button", { name: "Keep this one" });
  const question = page.getByRole("dialog", { name: "Move 1 file to the trash?" });
  const both = await namesIn("Night Bell");
  await keep.first().click();
  const plan = question.getByRole("listitem");
  await soon(() => plan.count()).toBe(1);
  const moved = (await plan.innerText()).split(" · ")[0]!;
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "hidden" });
  expect(await namesIn("Night Bell")).toEqual(both);
  await keep.first().click();
  await question.getByRole("button", { name: "Move 1 file" }).click();
  await page.getByText("1 file went to the trash.").waitFor();
  expect(await namesIn("Night Bell")).toEqual(both.filter((name) => name !== moved));
  await page.goto("/files/moves");
  await page.getByRole("button", { name: /^Undo: Move to trash/ }).click();
  await page.getByRole("button", { name: "Move 1 file back" }).click();
  await page.getByText("1 file is back where it was.").waitFor();
  expect(await namesIn("Night Bell")).toEqual(both);
  await quiet();
});

it("shows the names that patterns make while they are typed, and what is wrong with them", async () => {
  const page = await openPage("/settings");
  const names = page.getByRole("region", { name: "Names these patterns produce" });
  await names.getByText("Moth Patrol (2019)/Moth Patrol 001 (2019).cbz").waitFor();
  const files = page.getByRole("textbox", { name: "Files", exact: true });
  await files.fill("{publisher} {series} #{issue:4}");
  await names.getByText("Night Bell/Night Bell #0001.cbz").waitFor();
  await names.getByText("Night Bell, 1. Not known here: {year}, {publisher}").waitFor();
  await files.fill("{series} {writer}");
  await names.getByText("Files: there is no token {writer}").waitFor();
  await names.getByText("Files: needs {issue}, or all files would have one name").waitFor();
  await soon(() => names.getByRole("listitem").count()).toBe(0);
  expect((await ask("/api/settings")).files.filePattern).toBe("{series} {issue:3} ({year})");
  await page.getByRole("button", { name: "Undo" }).click();
  await names.getByText("Moth Patrol (2019)/Moth Patrol 001 (2019).cbz").waitFor();
});

it("writes tags into the files of a series, and says how it went", async () => {
  const { page, dialog } = await openDialog("Moth Patrol");
  await dialog.getByRole("button", { name: "Write tags" }).click();
  await dialog.getByText("2 written, 0 not").waitFor();
  const inside = unzipSync(await readFile(join(comics.folder, "Moth Patrol (2019)", "moth_patrol_2.cbz")));
  expect(new TextDecoder().decode(inside["ComicInfo.xml"])).toContain("<Series>Moth Patrol</Series>");
  await quiet();
  await dialog.getByRole("button", { name: "Scan" }).click();
  await dialog.getByText("The files are being read.").waitFor();
  await page.keyboard.press("Escape");
  await soon(() => dialog.count()).toBe(0);
  await quiet();
});

it("shows copies before it takes them away, and puts them back", async () => {
  const { dialog } = await openDialog("Night Bell");
  await dialog.getByRole("button", { name: "Look for copies" }).click();
  await dialog.getByText("1 file is redundant.").waitFor();
  expect(await namesIn("Night Bell")).toHaveLength(2);
  await dialog.getByRole("button", { name: "Move 1 copy to the trash" }).click();
  await dialog.getByText("1 copy went to the trash.").waitFor();
  expect(await namesIn("Night Bell")).toHaveLength(1);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await dialog.page().getByRole("button", { name: "Move 1 file back" }).click();
  await dialog.getByText("1 file is back where it was.").waitFor();
  expect(await namesIn("Night Bell")).toHaveLength(2);
  await quiet();
});

it("takes comics from a folder that is chosen by walking there: what is certain, what a person matched, and nothing that was skipped", async () => {
  await comic(join(inbox, "new"), "moth patrol 003.cbz", "Moth Patrol", "3", {
    Series: "Moth Patrol",
    Number: "3",
    Volume: 2019,
  });
  await comic(inbox, "mp_7.cbz", "Moth Patrol", "7");
  await comic(join(inbox, "strange"), "Gravel Saints 004.cbz", "Gravel Saints", "4");
  await comic(join(inbox, "unwanted"), "Sister Static 001.cbz", "Sister Static", "1");
  const page = await openPage("/import");
  await page.getByRole("button", { name: "Choose a folder" }).click();
  const path = page.getByLabel("Folder on the server");
  await path.fill(dirname(inbox));
  await path.press("Enter");
  await page.getByRole("button", { name: "inbox", exact: true }).click();
  await page.getByText("new", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Use this folder" }).click();

  const moth = candidate(page, "Moth Patrol (2019)");
  await moth.getByText("Certain").waitFor();
  await moth.getByText("A series of this title and year is in the collection.").waitFor();
  await candidate(page, "Gravel Saints").getByText("Nothing of this name is known.").waitFor();
  await page.getByRole("button", { name: "Accept as it is: Gravel Saints" }).click();
  await page.getByRole("button", { name: "Skip: Sister Static" }).click();
  await page.getByRole("button", { name: /^Choose a series: mp/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Which series is mp/ });
  await dialog.getByText("No series of the library has such a title.").waitFor();
  await dialog.getByText(/^\s*With the metadata plugin/).waitFor();
  await dialog.getByLabel("Title").fill("Moth");
  await dialog.getByRole("button", { name: "Search" }).click();
  await dialog.getByRole("button", { name: "This one: Moth Patrol (2019)" }).click();
  await page.getByRole("heading", { name: "Ready 3" }).waitFor();
  await page.getByRole("button", { name: "Import: Gravel Saints" }).click();
  const single = page.getByRole("dialog", { name: "Import 1 file?" });
  await single.getByText(/^Gravel Saints: 1 file → a new series in /).waitFor();
  await single.getByText(`Folder: ${comics.folder}/Gravel Saints/`).waitFor();
  await single.getByText("Gravel Saints 004.cbz → Gravel Saints 004.cbz").waitFor();
  const plan = single.getByRole("list", { name: "Import 1 file?" });
  expect(await single.getByRole("button", { name: "Cancel" }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Shift+Tab");
  expect(await plan.evaluate(isFocused)).toBe(true);
  await page.keyboard.press("Escape");
  await single.waitFor({ state: "hidden" });
  expect(await readdir(inbox)).toContain("strange");
  await page.getByRole("button", { name: "Import all 3" }).click();
  const question = page.getByRole("dialog", { name: "Import 3 files?" });
  await question.getByText("Moth Patrol (2019): 1 file → Moth Patrol (2019)").waitFor();
  await question.getByText(/^Gravel Saints: 1 file → a new series in /).waitFor();
  await question.getByRole("button", { name: "Move 3 files" }).click();
  await page.getByRole("heading", { name: "Imported 3" }).waitFor();
  await page.getByRole("heading", { name: "Skipped 1" }).waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toEqual([
    "Moth Patrol 001 (2019).cbz",
    "Moth Patrol 003 (2019).cbz",
    "Moth Patrol 007 (2019).cbz",
    "moth_patrol_2.cbz",
  ]);
  expect(await namesIn("Gravel Saints")).toEqual(["Gravel Saints 004.cbz"]);
  expect(await readdir(inbox)).toEqual(["unwanted"]);
  await quiet();
});

it("follows what another window decides", async () => {
  const page = await openPage("/import");
  await page.getByRole("heading", { name: "Skipped 1" }).waitFor();
  const [sister] = (await ask("/api/import")).filter(({ status }: { status: string }) => status === "skipped");
  const send = (decision: string) =>
    fetch(`${longbox.url}/api/import/candidate/${sister.id}/${decision}`, {
      method: "POST",
      headers: { "X-Api-Key": key },
    });
  await send("confirm");
  await page.getByRole("heading", { name: "Ready 1" }).waitFor();
  await send("skip");
  await page.getByRole("heading", { name: "Skipped 1" }).waitFor();
});

it("offers what the provider knows where there is one", async () => {
  await using provider = (await Provider.start()).add({
    id: 4711,
    name: "Sister Static",
    start_year: "2015",
    publisher: "Ember Row",
    issues: [{ id: 9001, issue_number: "1" }],
  });
  provider.images.set(
    "/images/v4711.png",
    await drawCover("Sister Static", "1", { width: 120, height: 180, format: "png" }),
  );
  await using other = await startLongbox({}, ["operations", "metadata"]);
  await using own = await comicsFolder([{ title: "Moth Patrol", year: 2019, issues: ["1"], pages: 1 }]);
  const waiting = join(dirname(own.folder), "waiting");
  await comic(waiting, "sstatic 1.cbz", "Sister Static", "1");
  const otherKey = await seed(other.url, own.folder, 1);
  const set = await fetch(`${other.url}/api/settings`, {
    method: "POST",
    headers: { "X-Api-Key": otherKey, "Content-Type": "application/json" },
    body: JSON.stringify({ metadata: provider.settings, files: { importFolder: waiting } }),
  });
  expect(set.status).toBe(200);
  await using page = await visit(browser, other.url);
  await signIn(page, other.url);
  await page.goto("/import");
  await page.getByRole("button", { name: "Look through it" }).click();
  await page.getByRole("button", { name: /^(Choose a series|Another series): / }).click();
  await page.getByLabel("Title").fill("Sister Static");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByRole("button", { name: "This one: Sister Static (2015)" }).click();
  await page.getByRole("heading", { name: "Ready 1" }).waitFor();
  await page.getByText("as a new series").waitFor();
});

describe.each([
  { theme: "light", width: 1280, height: 860 },
  { theme: "dark", width: 390, height: 780 },
] as const)("in $theme, $width pixels wide", ({ theme, width, height }) => {
  const options = { viewport: { width, height }, colorScheme: theme };

  async function expectGood(page: Page, name: string): Promise<void> {
    if (shots)
      await page.screenshot({
        path: join(shots, `files-${name}-${theme}-${width}.png`),
        fullPage: !name.endsWith("dialog"),
      });
    expect(await objections(page), name).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      name,
    ).toBe(0);
  }

  it("gives axe nothing to object to, and never scrolls sideways", async () => {
    const { page, dialog } = await openDialog("Moth Patrol", options);
    await dialog.getByRole("button", { name: "Show the plan" }).click();
    await dialog.getByText("1 file would move.").waitFor();
    await expectGood(page, "series-dialog");
    await page.goto("/settings");
    await page.getByText("Night Bell/Night Bell 001.cbz").waitFor();
    await expectGood(page, "settings");
    await page.goto("/import");
    await page.getByRole("heading", { name: "Skipped 1" }).waitFor();
    await expectGood(page, "import");
    await page.getByRole("button", { name: "Choose a series: Sister Static" }).click();
    await page.getByRole("heading", { name: "In the library" }).waitFor();
    await expectGood(page, "match-dialog");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Another folder" }).click();
    await page.getByRole("button", { name: "unwanted" }).waitFor();
    await expectGood(page, "folder-dialog");
    await page.goto("/files");
    await page.getByRole("heading", { name: "Imported" }).first().waitFor();
    await expectGood(page, "moves");
    await page.goto("/files/reorganise");
    await page.getByText(/^\s*\d+ files? would move\.\s*$/).waitFor();
    await expectGood(page, "reorganise");
    await page.goto("/files/trash");
    await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
    await expectGood(page, "trash");
  });
});

it("reorganises the whole library in the background, and undoes that from the journal", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  // A plan that takes a while says how far it is, and can be given up.
  await page.route("**/api/library/refile-plan", () => Promise.resolve(), { times: 1 });
  await page.route("**/api/library/refile-plan/status", (route) =>
    route.fulfill({ json: { running: true, done: 1200, total: 5000, startedAt: "2026-01-01T00:00:00.000Z" } }),
  );
  await page.goto("/files/reorganise");
  await page.getByText("1,200 of 5,000").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The plan was cancelled.").waitFor();
  await page.getByRole("button", { name: "Plan again" }).click();
  await page.getByRole("cell", { name: /moth_patrol_2\.cbz/ }).waitFor();
  await page.getByRole("button", { name: /^Move \d+ files?$/ }).click();
  await page.getByText(/^\s*\d+ moved, 0 failed$/).waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toContain("Moth Patrol 002 (2019).cbz");
  await page.getByRole("link", { name: "Moves", exact: true }).click();
  await page
    .getByRole("button", { name: /^Undo: Renamed/ })
    .first()
    .click();
  await page.getByRole("button", { name: /^Move \d+ files? back$/ }).click();
  await page
    .getByText(/is back where it was\.|are back where they were\./)
    .first()
    .waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toContain("moth_patrol_2.cbz");
  await quiet();
});

it("empties the trash only after a second question", async () => {
  const { status } = await fetch(`${longbox.url}/api/collection/${await seriesId("Night Bell")}/cleanup`, {
    method: "POST",
    headers: { "X-Api-Key": key },
  });
  expect(status).toBe(200);
  const page = await openPage("/files/trash");
  await page.getByRole("heading", { name: /^1 file, / }).waitFor();
  await page.getByRole("button", { name: "Empty the trash" }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  expect(existsSync(join(comics.folder, ".longbox-trash"))).toBe(true);
  await page.getByRole("button", { name: "Empty the trash" }).click();
  await page.getByRole("button", { name: "Delete for ever" }).click();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  expect(existsSync(join(comics.folder, ".longbox-trash"))).toBe(false);
});

it("leaves a file whose name is taken where it is, and says so on its card", async () => {
  await comic(inbox, "Moth Patrol 001.cbz", "Moth Patrol", "1", { Series: "Moth Patrol", Number: "1", Volume: 2019 });
  const page = await openPage("/import");
  await page.getByRole("button", { name: "Look through it" }).click();
  const ready = page.getByRole("region", { name: /^Ready/ });
  await ready.getByRole("button", { name: "Import: Moth Patrol" }).click();
  await ready.getByRole("article", { name: "Moth Patrol (2019)" }).getByRole("alert").waitFor();
  expect(await readdir(inbox)).toContain("Moth Patrol 001.cbz");
});

it("offers a keeper of the library no more than that role may do", async () => {
  const send = async (path: string, body: unknown) =>
    expect(
      (
        await fetch(longbox.url + path, {
          method: "POST",
          headers: { "X-Api-Key": key, "Content-Type": "application/json" },
          body: JSON.stringify(body),
        })
      ).ok,
      path,
    ).toBe(true);
  await send("/api/roles", { name: "keeper", label: "Keeper", permissions: ["library.view", "library.manage"] });
  await send("/api/users", { username: "kim", password: "a keeper's password", role: "keeper" });
  const page = await visit(browser, longbox.url);
  const signedIn = await page.request.post("/api/auth/login", {
    data: { username: "kim", password: "a keeper's password" },
    headers: { Origin: longbox.url },
  });
  expect(signedIn.status()).toBe(200);
  await page.goto("/files/trash");
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  await soon(() => page.getByRole("navigation", { name: "Files" }).getByRole("link").allTextContents()).toEqual([
    "Review",
    "Duplicates",
    "Split series",
    "Trash",
  ]);
  await page.goto("/import");
  await page.getByRole("button", { name: "Look through it" }).waitFor();
  expect(await page.getByRole("button", { name: /folder$/ }).count()).toBe(0);
  await page.goto(`/series/${await seriesId("Moth Patrol")}`);
  await chooseAction(page, "More for this series", "Files");
  await page.getByRole("button", { name: "Show the plan" }).click();
  await page.getByRole("button", { name: /^Rename \d+ files?$/ }).click();
  await page.getByText(/^\s*\d+ files? moved\.$/).waitFor();
  expect(await namesIn("Moth Patrol (2019)")).toContain("Moth Patrol 002 (2019).cbz");
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});
