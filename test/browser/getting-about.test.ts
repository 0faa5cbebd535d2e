import type { Browser, Page } from "playwright-core";
import { chooseFrom } from "./support/choose-action.ts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { signIn } from "./support/first-run.ts";
import { startLongbox, type RunningLongbox } from "./support/longbox.ts";
import { comicsFolder, seed } from "./support/seeding.ts";
import { objections } from "./support/objections.ts";
import { soon } from "./support/soon.ts";
import { visit } from "./support/visitor.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
const plans = letters.flatMap((letter, index) =>
  [1, 2, 3].map((part) => ({
    title: `${letter}lpha ${letter}${part}`,
    year: 1990 + index,
    issues: ["1"],
    pages: 1,
    size: { width: 40, height: 60 },
    tagged: false,
  })),
);

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
let key: string;

beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([startLongbox(), startChromium(), comicsFolder(plans)]);
  key = await seed(longbox.url, comics.folder, plans.length);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

const focused = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return (
      element?.getAttribute("aria-label") ??
      element?.querySelector(".caption, strong")?.textContent ??
      element?.tagName ??
      ""
    );
  });

it("walks the wall with the arrow keys, opens with Enter, and comes back to the same place", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/library");
  const first = page.getByRole("link", { name: /^Alpha A1/ });
  await first.focus();

  await page.keyboard.press("ArrowRight");
  await soon(() => focused(page)).toMatch(/^Alpha A2/);
  await page.keyboard.press("End");
  await soon(() => focused(page)).toMatch(/^Zlpha Z3/);
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(500);

  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Zlpha Z3", level: 1 }).waitFor();
  await soon(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await page.getByRole("link", { name: /^Zlpha Z3/ }).waitFor();
  await soon(async () => Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(4);
});

it("keeps only the covers near the window in the document, however many there are", async () => {
  const page = await visit(browser, longbox.url, { viewport: { width: 390, height: 700 } });
  await signIn(page, longbox.url);
  await page.goto("/library");
  const wall = page.getByRole("list", { name: "Series" });
  await page.getByRole("link", { name: /^Alpha A1/ }).waitFor();

  await soon(() => wall.getByRole("listitem").count()).toBeLessThan(plans.length / 2);
  await soon(() => wall.getByRole("listitem").first().getAttribute("aria-setsize")).toBe(String(plans.length));
  await page.mouse.wheel(0, 20_000);
  await page.getByRole("link", { name: /^Zlpha Z3/ }).waitFor();
});

it("is a list as well as a wall, entered by letters, selected in by keys, with its state in the address", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/library");
  await page.getByRole("navigation", { name: "Letters" }).getByRole("button", { name: /^Q/ }).click();
  await soon(() => focused(page)).toBe("Qlpha Q1");
  await page.keyboard.press("Space");
  await page.locator(".chosen svg").waitFor();
  expect(await objections(page)).toEqual([]);
  await page.keyboard.press("Escape");

  const view = page.getByRole("button", { name: "View", exact: true });
  await chooseFrom(view, page.getByRole("menuitemradio", { name: "Compact list" }));
  await soon(() => new URL(page.url()).search).toBe("?view=compact");
  await page.reload();
  await page.getByRole("link", { name: /^Alpha A1 1990/ }).focus();
  await page.keyboard.press("ArrowDown");
  await soon(() => focused(page)).toBe("Alpha A2");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+Space");
  await page.getByRole("toolbar", { name: "Selection" }).getByText("2 series").waitFor();
  expect(await objections(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("toolbar", { name: "Selection" }).waitFor({ state: "hidden" });
});

it("says that a page could not be loaded in words, and reloads", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/account");
  await page.getByRole("heading", { name: "API key" }).waitFor();
  await page.route("**/assets/users-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.getByRole("link", { name: "Users" }).click();
  await page.getByRole("heading", { name: "The page could not be loaded", level: 1 }).waitFor();
  await page.unroute("**/assets/users-*.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { name: /^Users/, level: 1 }).waitFor();
});

const panelField = (page: Page) => page.getByRole("combobox", { name: "Search everything" });
const activeOption = (page: Page) => page.getByRole("listbox").getByRole("option", { selected: true });

it("finds anything from any page by keys alone, and does not replace the page before something is chosen", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/account");
  await page.getByRole("heading", { name: "API key" }).waitFor();

  // What is typed before the panel's code has arrived goes into its field.
  const arrived = Promise.withResolvers<void>();
  await page.route(/find-panel/, (route) => arrived.promise.then(() => route.continue()));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("qlg");
  await page.keyboard.press("Backspace");
  arrived.resolve();
  await soon(() => panelField(page).inputValue()).toBe("ql");
  await page.keyboard.type("pha");
  await page.getByRole("option", { name: /^See all results/ }).waitFor();
  await soon(() => page.getByRole("option", { name: /^Qlpha/ }).count()).toBe(3);
  expect(await objections(page)).toEqual([]);
  expect(new URL(page.url()).pathname).toBe("/account");
  await page.keyboard.type(" q2");
  await soon(() => activeOption(page).textContent()).toContain("Qlpha Q2");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Qlpha Q2", level: 1 }).waitFor();

  await page.keyboard.press("/");
  await soon(() => panelField(page).inputValue()).toBe("qlpha q2");
  await page.keyboard.type("settings");
  await soon(() => activeOption(page).textContent()).toContain("Settings");
  await page.keyboard.press("Escape");
  await panelField(page).waitFor({ state: "hidden" });
  await page.goBack();
  await page.getByRole("heading", { name: "API key" }).waitFor();
});

it("shows everything that was found on a page of its own, with the search in the address", async () => {
  const page = await visit(browser, longbox.url, { viewport: { width: 390, height: 780 } });
  await signIn(page, longbox.url);
  await page.goto("/");
  await page.getByRole("button", { name: /^Search titles/ }).click();
  await panelField(page).waitFor();
  await page.keyboard.type("qlpha");
  await page.getByRole("option", { name: /^See all results/ }).waitFor();
  await page.keyboard.press("ArrowUp");
  await soon(() => activeOption(page).textContent()).toContain("See all results");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "“qlpha”", level: 1 }).waitFor();
  expect(page.url()).toBe(`${longbox.url}/search?q=qlpha`);
  await page.reload();
  await soon(() => page.getByRole("region", { name: "Series" }).getByRole("link").count()).toBe(3);
});

it("says why a search did not work, and finds its own pages all the same", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/account");
  await page.getByRole("heading", { name: "API key" }).waitFor();
  await page.keyboard.press("Control+k");
  await panelField(page).waitFor();
  await page.route("**/api/search?*", (route) =>
    route.fulfill({ status: 429, json: { error: "Too many requests.", code: "kernel/busy" } }),
  );
  await page.keyboard.type("libr");
  await page.getByRole("alert").getByText("Too many requests.").waitFor();
  await page.getByRole("option", { name: "Library", exact: true }).waitFor();
  await page.unroute("**/api/search?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("alert").waitFor({ state: "hidden" });
});

it("shows the keys on a sheet, and goes to places by them", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/");
  await page.getByRole("heading", { name: "Recently added series" }).waitFor();

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "hidden" });
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await page.getByRole("heading", { name: "Library", level: 1 }).waitFor();
});

it("skips to the page with the first Tab", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/account");
  await page.getByRole("heading", { name: "API key" }).waitFor();

  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await soon(() => focused(page)).toBe("MAIN");
});

it("keeps the chosen theme over a reload", async () => {
  const page = await visit(browser, longbox.url, { colorScheme: "light" });
  await signIn(page, longbox.url);
  await page.goto("/account");
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.getByRole("heading", { name: "API key" }).waitFor();
  const light = await paper();

  await page.getByRole("radio", { name: "Dark" }).last().check();
  await soon(paper).not.toBe(light);
  const dark = await paper();
  await page.reload();
  await page.getByRole("heading", { name: "API key" }).waitFor();
  expect(await paper()).toBe(dark);
});

it("asks for the sign-in again when the session has ended elsewhere", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/libraries");
  await page.getByRole("button", { name: "Scan" }).waitFor();

  await page.context().clearCookies();
  // A part of the page that is still loading may notice before the click: then there is no button any more.
  const clicked = page.getByRole("button", { name: "Scan" }).click();
  clicked.catch(() => undefined);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/libraries");
});

it("shows an API key once, and it works", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/account");
  await page.getByRole("button", { name: "Replace it" }).click();
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  const shown = await page.locator("code").textContent();
  expect(shown).toMatch(/^lbx_.{40}$/);

  expect((await fetch(`${longbox.url}/api/collection/counts`, { headers: { "X-Api-Key": shown ?? "" } })).status).toBe(
    200,
  );
  expect((await fetch(`${longbox.url}/api/collection/counts`, { headers: { "X-Api-Key": key } })).status).toBe(401);
  await page.reload();
  await page.getByRole("button", { name: "Replace it" }).waitFor();
  expect(await page.locator("code").count()).toBe(0);
});

it("changes a setting in a form made from its schema", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.goto("/settings");
  const server = page.getByRole("region", { name: "Accounts and access" });

  await server.getByText("Open registration").click();
  await server.getByRole("button", { name: "Save" }).click();
  await page.getByText("Accounts and access: saved.").waitFor();
  expect(await (await page.request.get("/api/settings")).json()).toMatchObject({ server: { registration: true } });
});
