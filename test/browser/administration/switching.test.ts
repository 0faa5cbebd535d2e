import type { Browser } from "playwright-core";
import { chooseFrom } from "../support/choose-action.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "../support/chromium.ts";
import { account } from "../support/account.ts";
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
  [longbox, browser, comics] = await Promise.all([
    startLongbox(),
    startChromium(),
    comicsFolder([{ title: "Moth Patrol", year: 2019, issues: ["1", "2"], pages: 3 }]),
  ]);
  key = await seed(longbox.url, comics.folder, 1);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

async function switchReader(enabled: boolean): Promise<void> {
  const answer = await fetch(`${longbox.url}/api/plugins/reader/enabled`, {
    method: "POST",
    headers: { "X-Api-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ enabled }),
  });
  expect(answer.status).toBe(200);
}

const readerRoutes = ["/api/reader/continue", "/api/reader/later", "/api/reader/stats", "/api/reader/bookmarks"];
const statuses = () =>
  Promise.all(
    readerRoutes.map(async (path) => (await fetch(longbox.url + path, { headers: { "X-Api-Key": key } })).status),
  );

it("takes a plugin's routes and its UI away at once, and brings both back, without a reload", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole("region", { name: "New in the library" }).waitFor();

  await switchReader(false);
  await soon(() => page.locator("reader-home-new").count()).toBe(0);
  expect(await statuses()).toEqual([404, 404, 404, 404]);

  await switchReader(true);
  await page.getByRole("region", { name: "New in the library" }).waitFor();
  expect(await statuses()).toEqual([200, 200, 200, 200]);

  await page
    .getByRole("link", { name: /^Moth Patrol/ })
    .last()
    .click();
  await page.getByRole("link", { name: /^Start with/ }).waitFor();
  await switchReader(false);
  await soon(() => page.getByRole("link", { name: /^Start with/ }).count()).toBe(0);
  await page.getByRole("heading", { name: "Moth Patrol", level: 1 }).waitFor();
  await switchReader(true);
  await page.getByRole("link", { name: /^Start with/ }).waitFor();
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

it("says what happened to a page whose plugin is switched off while it is open, and shows it again afterwards", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  const [issue] = (await (await page.request.get("/api/series/1/issues")).json()) as { cvIssueId: number }[];
  await page.goto(`/read/${issue?.cvIssueId}`);
  await page.getByRole("button", { name: "Close the reader" }).waitFor();

  await switchReader(false);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await switchReader(true);
  await page.getByRole("button", { name: "Close the reader" }).waitFor();
});

it("says that a plugin was updated, and shows its elements from the new address and the old one in the same document", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/");
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole("region", { name: "New in the library" }).waitFor();

  // What the server would say after an update: another address for the same plugin, with the same code.
  const address = /\/plugins\/reader\/[^/]+/;
  let real = "";
  const asked: string[] = [];
  await page.route("**/plugins/reader/another/**", async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: route.request().url().replace(address, real) }) });
  });
  await page.route("**/api/plugins/client", async (route) => {
    const parts = (await (await route.fetch()).json()) as { name: string; version: string; js: string }[];
    real = address.exec(parts.find(({ name }) => name === "reader")!.js)![0];
    await route.fulfill({
      json: parts.map((part) =>
        part.name === "reader"
          ? { ...part, version: "99.0.0", js: part.js.replace(address, "/plugins/reader/another") }
          : part,
      ),
    });
  });
  await turnImaging(false);
  await page.getByText("reader was updated to 99.0.0.").waitFor();
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await page.getByRole("region", { name: "New in the library" }).waitFor();

  await page.unroute("**/api/plugins/client");
  await turnImaging(true);
  await page.getByRole("link", { name: "Library", exact: true }).first().click();
  await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

it("can be switched on the page of the plugins, and says there what became of it", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/plugins");
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Reader", exact: true }) });

  await card.getByText("Active").waitFor();
  await card.getByRole("switch").click();
  await card.getByText("Off", { exact: true }).waitFor();
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await card.getByRole("switch").click();
  await card.getByText("Active").waitFor();
  expect(await statuses()).toEqual([200, 200, 200, 200]);
});

it("says before a plugin is switched off which others stop with it, and leaves it on without a yes", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/plugins");
  const cardOf = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  await cardOf("Comics").getByText("Active").waitFor();
  await cardOf("Comics").getByRole("switch").click();
  const question = page.getByRole("dialog", { name: "Switch off Comics?" });
  await question.getByText("These plugins need it and stop too: Reader.").waitFor();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await soon(() => cardOf("Comics").getByRole("switch").isChecked()).toBe(true);
  await cardOf("Reader").getByText("Active").waitFor();
});

it("says before a rollback that older data comes back with it, and afterwards where the newer is", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  const rows = (await (await page.request.get("/api/plugins")).json()) as Record<string, unknown>[];
  let back = false;
  const state = () =>
    back
      ? { previousVersion: "9.9.9", setAside: { at: "2026-11-21T06:30:00.000Z", folder: "plugins/data/reader/2" } }
      : {
          previousVersion: "0.0.9",
          rollbackRestoresDataOf: "2026-11-20T19:04:00.000Z",
          keptData: [{ version: "0.0.8", at: "2026-11-19T19:04:00.000Z" }],
        };
  let wish: unknown;
  // No two versions of a plugin of ours are in the registry.
  await page.route("**/api/plugins", (route) =>
    route.fulfill({ json: rows.map((row) => (row["name"] === "reader" ? { ...row, ...state() } : row)) }),
  );
  await page.route("**/api/plugins/reader/rollback", (route) => {
    [back, wish] = [true, route.request().postDataJSON()];
    return route.fulfill({ json: {} });
  });
  await page.goto("/plugins");
  const goBack = async (name = "Back to 0.0.9") => {
    const more = page.getByRole("button", { name: "More actions for Reader" });
    await chooseFrom(more, page.getByRole("menuitem", { name }));
    return page.getByRole("dialog");
  };
  let dialog = await goBack();
  await dialog.getByText("cannot read the current data of Reader").waitFor();
  await dialog.getByText(/2026/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await soon(() => page.getByRole("dialog").count()).toBe(0);
  expect(back).toBe(false);
  dialog = await goBack("Back to 0.0.8 with its own data");
  await dialog.getByText("as version 0.0.8 left it").waitFor();
  await dialog.getByRole("button", { name: "Go back" }).click();
  await page.locator('[data-plugin="reader"]').getByText("plugins/data/reader/2").waitFor();
  expect(wish).toEqual({ to: "0.0.8", data: "snapshot" });
});

async function turnImaging(enabled: boolean): Promise<void> {
  const { status } = await fetch(`${longbox.url}/api/plugins/imaging/enabled`, {
    method: "POST",
    headers: { "X-Api-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ enabled }),
  });
  expect(status).toBe(200);
}

it("shows a plain page in place of the web interface that was switched off, with which it comes back", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  const answer = await fetch(`${longbox.url}/api/plugins/web/enabled`, {
    method: "POST",
    headers: { "X-Api-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ enabled: false }),
  });
  expect(answer.status).toBe(200);
  await page.goto("/library");
  await page.getByRole("heading", { name: "There is no web interface" }).waitFor();
  await page.getByRole("button", { name: "Switch on Web" }).waitFor();

  // Also for an administrator whose session has ended meanwhile.
  await page.context().clearCookies();
  await page.reload();
  await page.getByLabel("User name").fill(account.username);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page
    .getByRole("status")
    .getByText(/password/)
    .waitFor();
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Switch on Web" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
});
