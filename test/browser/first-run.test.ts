import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawCover } from "@longbox/test/fixtures";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { volume } from "../../plugins/metadata/test/support/server.ts";
import { Provider } from "../../plugins/metadata/test/support/provider.ts";
import { startChromium } from "./support/chromium.ts";
import { makeAccount, nameLibrary, signIn } from "./support/first-run.ts";
import { startLongbox, type RunningLongbox } from "./support/longbox.ts";
import { objections } from "./support/objections.ts";
import { comicsFolder } from "./support/seeding.ts";
import { visit } from "./support/visitor.ts";

const plans = [
  { title: "Salt Road", year: 2001, issues: ["1", "2"], pages: 2, tagged: false },
  { title: "Low Tide", year: 2001, issues: ["1"], pages: 2, tagged: false },
];

let longbox: RunningLongbox;
let browser: Browser;
let provider: Provider;
let home: string;
let comics: Awaited<ReturnType<typeof comicsFolder>>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "longbox-home-"));
  [longbox, browser, provider, comics] = await Promise.all([
    startLongbox({ HOME: home }, ["metadata"]),
    startChromium(),
    Provider.start(),
    comicsFolder(plans),
  ]);
  const cover = await drawCover("Salt Road", "1", { width: 300, height: 450 });
  provider.draw = () => cover;
  for (const [index, title] of ["Salt Road", "Low Tide"].entries())
    provider.add(
      volume(5011 + index * 10, title, 4),
      volume(5012 + index * 10, title, { count: 9, start_year: "1991" }),
    );
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

it("counts the folder, tests the provider's key, and leads through the series in doubt, by keys", async () => {
  const page = await visit(browser, longbox.url);
  await makeAccount(page);
  const settings = { metadata: { baseUrl: provider.settings.baseUrl, spacingMs: 0 } };
  const changed = await page.request.post("/api/settings", { data: settings, headers: { Origin: longbox.url } });
  expect(changed.status()).toBe(200);
  await page.getByRole("group", { name: "Where to start" }).getByRole("button", { name: "/", exact: true }).waitFor();
  await page.getByRole("button", { name: "Try it with free comics" }).waitFor();
  expect(await objections(page)).toEqual([]);

  // Counted while it is typed, before Enter.
  await page.getByLabel("Folder on the server").fill(comics.folder);
  await page.getByText("3 files in 3 folders · Comics or Manga: 3").waitFor();
  await page.getByRole("group", { name: `Folders in ${comics.folder}` }).waitFor();
  await nameLibrary(page, comics.folder);
  await page.getByRole("heading", { name: "Your library is ready" }).waitFor();
  await page.getByText("2 series.", { exact: true }).waitFor();

  const step = page.getByRole("region", { name: "Covers, credits and missing issues" });
  await step.getByLabel("Your API key").fill("wrong-key");
  await step.getByRole("button", { name: "Test" }).click();
  await step.getByText(/key/i).and(step.locator(".problem")).waitFor();
  await step.getByLabel("Your API key").fill(provider.key);
  await step.getByRole("button", { name: "Test" }).click();
  await step.locator(".problem").waitFor({ state: "detached" });
  await step.getByRole("button", { name: "Save" }).click();
  const match = step.getByRole("button", { name: "Match 2 series" });
  await match.waitFor();
  expect(await objections(page)).toEqual([]);

  await match.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Match 2 series" });
  for (const part of ["1 of 2", "2 of 2"]) {
    await dialog.getByText(part, { exact: false }).and(dialog.getByRole("status")).waitFor();
    await dialog.getByText("1 of 2 found").waitFor();
    await dialog.getByRole("group", { name: "Compare" }).focus();
    await page.keyboard.press("Enter");
  }
  await dialog.getByText("Done · 2 series were matched").waitFor();
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Open the library" }).click();
  await page
    .getByRole("list", { name: "Series" })
    .getByRole("link", { name: /^Low Tide/ })
    .waitFor();
});

it("adds free comics of its own as a library, and deletes them again", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/settings#comics");
  await page.getByRole("button", { name: "Try it with free comics" }).click();
  const removal = page.getByRole("button", { name: "Delete the free comics" });
  await removal.waitFor();
  await page.goto("/library");
  const moth = page.getByRole("link", { name: /^Moth and Moon/ });
  await moth.waitFor();

  await page.goto("/settings#comics");
  await removal.click();
  const question = page.getByRole("dialog", { name: "Delete the free comics?" });
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Try it with free comics" }).waitFor();
  expect(await readdir(home)).toEqual([]);
  await page.goto("/library");
  await page.getByRole("link", { name: /^Low Tide/ }).waitFor();
  expect(await moth.count()).toBe(0);
});

it("keeps libraries of the user when the free comics are deleted, whatever their names and folders are", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  const named = { name: "Comics to try", type: "comic", rootFolder: await mkdtemp(join(home, "of-the-user-")) };
  const added = await page.request.post("/api/libraries", { data: named, headers: { Origin: longbox.url } });
  expect(added.status()).toBe(200);
  await page.goto("/settings#comics");
  await page.getByRole("button", { name: "Try it with free comics" }).click();
  const removal = page.getByRole("button", { name: "Delete the free comics" });
  await removal.waitFor();
  const samples = join(home, "Longbox sample comics");
  await mkdir(join(samples, "Mine (2001)"));
  const [own = ""] = (await readdir(comics.folder, { recursive: true })).filter((path) => path.endsWith(".cbz"));
  await copyFile(join(comics.folder, own), join(samples, "Mine (2001)", "Mine 001 (2001).cbz"));
  await page.goto("/library");
  await page.getByRole("link", { name: /^Mine/ }).waitFor();
  await page.getByRole("link", { name: /^Moth and Moon/ }).waitFor();

  await page.goto("/settings#comics");
  await removal.click();
  await page
    .getByRole("dialog", { name: "Delete the free comics?" })
    .getByRole("button", { name: "Delete", exact: true })
    .click();
  await page.getByRole("button", { name: "Try it with free comics" }).waitFor();
  const { libraries } = (await (await page.request.get("/api/libraries")).json()) as {
    libraries: ReadonlyArray<{ readonly rootFolder: string }>;
  };
  expect(libraries.map(({ rootFolder }) => rootFolder)).toEqual(
    expect.arrayContaining([named.rootFolder, samples, comics.folder]),
  );
  await page.goto("/library");
  await page.getByRole("link", { name: /^Mine/ }).waitFor();
  expect(await page.getByRole("link", { name: /^Moth and Moon/ }).count()).toBe(0);
});
