import type { Browser } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { account } from "../support/account.ts";
import { startChromium } from "../support/chromium.ts";
import { signIn } from "../support/first-run.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { soon } from "../support/soon.ts";
import { visit } from "../support/visitor.ts";

const setupToken = "a-token-for-this-test";

let longbox: RunningLongbox;
let browser: Browser;

beforeAll(async () => {
  [longbox, browser] = await Promise.all([startLongbox({ LONGBOX_SETUP_TOKEN: setupToken }), startChromium()]);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
});

it("asks for the setup token on every machine but the server's own", async () => {
  const page = await visit(browser, longbox.url, { extraHTTPHeaders: { "X-Forwarded-For": "203.0.113.9" } });
  await page.goto("/");
  await page.getByLabel("Name").fill(account.username);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("textbox", { name: "Setup token" }).fill("a guess");
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("alert").waitFor();

  await page.getByRole("textbox", { name: "Setup token" }).fill(setupToken);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("heading", { name: "Your library" }).waitFor();
});

it("names the field when the server refuses what stands in it", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/welcome");
  const folder = page.getByLabel("Folder on the server");
  await folder.fill("/no/such/folder");
  await folder.press("Enter");

  await soon(() => folder.getAttribute("aria-invalid")).toBe("true");
  const about = page.locator("#folder-about");
  await soon(() => about.textContent()).toMatch(/not a folder/);
});

it("shows a viewer the library, and nothing that only those who keep the server may do", async () => {
  const admin = await visit(browser, longbox.url);
  await signIn(admin, longbox.url);
  await admin.goto("/users");
  await admin.getByRole("button", { name: "Add a user" }).click();
  await admin.getByLabel("Name").fill("vic");
  await admin.getByLabel("Password").fill("a viewer's password");
  await admin.getByRole("button", { name: "Add the user", exact: true }).click();
  await admin.getByRole("cell", { name: /^vic/ }).waitFor();

  const page = await visit(browser, longbox.url);
  await page.goto("/");
  await page.getByLabel("Name").fill("vic");
  await page.getByLabel("Password").fill("a viewer's password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: /vic$/, level: 1 }).waitFor();
  const main = page.getByRole("navigation", { name: "Main", exact: true });
  await soon(() => main.getByRole("link").allTextContents()).toEqual([
    "Longbox",
    "Home",
    "Library",
    "Wanted",
    "Reading",
    "On this device",
    "vic",
  ]);

  await page.goto("/plugins");
  await page.getByRole("heading", { name: "You do not have access to this page" }).waitFor();
});
