// Criterion 26: clients of plugins come, change and go in an open page, and one that is broken is named and hurts no
// other.
import type { PluginRow } from "@longbox/kernel/api";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runsLongTests } from "@longbox/test/needs";
import { undisturbedNow } from "@longbox/test/undisturbed";
import { Bench, type TinyPlugin } from "../../../kernel/test/plugins/support.ts";
import { account } from "../support/account.ts";
import { startChromium } from "../support/chromium.ts";
import { signIn } from "../support/first-run.ts";
import { startLongbox, type RunningLongbox } from "../support/longbox.ts";
import { chooseFrom } from "../support/choose-action.ts";
import { soon } from "../support/soon.ts";
import { visit } from "../support/visitor.ts";

/** How long a change may take until it is seen, in milliseconds; in an ordinary run the machine has other work. */
const seenWithinMs = runsLongTests ? 1_000 : 5_000;

/** A plugin with one page, which has an entry in the navigation. */
const paged = (id: string, js: string, version = "1.0.0"): TinyPlugin => {
  const title = id[0]!.toUpperCase() + id.slice(1);
  const client = {
    js: "client/page.js",
    nav: [{ label: title, path: `/${id}`, icon: "grid", order: 90 }],
    pages: [{ path: `/${id}`, element: `${id}-page`, title }],
  };
  return { id, version, manifest: { title, client }, files: { "client/page.js": js } };
};

const showing = (element: string, content: string) =>
  `customElements.define("${element}", class extends HTMLElement { connectedCallback() { if (!this.firstChild) this.innerHTML = '${content}'; } });`;

/** An element inside of the page, which follows an attribute that the first version does not know. */
const shade = `customElements.define("lamp-shade", class extends HTMLElement {
  static observedAttributes = ["colour"];
  told = 0;
  attributeChangedCallback(_, __, value) { this.told += 1; this.textContent = "Shade: " + value + ", told " + this.told + " times"; }
});`;
const oldShade = `customElements.define("lamp-shade", class extends HTMLElement {});`;

/** A plugin with an element on the page of the settings. */
const panelled = (id: string, js: string, version = "1.0.0"): TinyPlugin => {
  const order = id === "stamp" ? 10 : 20;
  const client = { js: "client/panel.js", slots: [{ slot: "settings.panel", element: `${id}-panel`, order }] };
  return { id, version, manifest: { title: id, client }, files: { "client/panel.js": js } };
};

const plugins: readonly TinyPlugin[] = [
  paged("lamp", `${oldShade} ${showing("lamp-page", "<h1>A dim lamp</h1><lamp-shade></lamp-shade>")}`),
  paged(
    "lamp",
    `${shade} ${showing("lamp-page", '<h1>A bright lamp</h1><lamp-shade colour="new"></lamp-shade>')}`,
    "2.0.0",
  ),
  panelled("stamp", showing("stamp-panel", "<p>A plain stamp</p>")),
  panelled("stamp", showing("stamp-panel", "<p>A golden stamp</p>"), "2.0.0"),
  panelled("notepad", showing("notepad-panel", "<label>Note <input /></label>")),
  paged("letter", showing("letter-page", '<h1>A letter</h1><label>Words <input name="words" /></label>')),
  { id: "inkpot", manifest: { title: "Inkpot" } },
  { id: "quill", manifest: { title: "Quill" } },
  paged("thrower", `throw new Error("no luck");`),
  paged("hanger", `await new Promise(() => {}); ${showing("hanger-page", "<h1>Never</h1>")}`),
  paged("clasher", `${showing("letter-page", "<h1>Stolen</h1>")} ${showing("clasher-page", "<h1>Clash</h1>")}`),
];

let bench: Bench;
let longbox: RunningLongbox;
let browser: Browser;

beforeAll(async () => {
  bench = await Bench.open();
  for (const plugin of plugins) await bench.publish(plugin);
  [longbox, browser] = await Promise.all([startLongbox({ LONGBOX_REGISTRY: bench.registry.url }), startChromium()]);
  const headers = { "Content-Type": "application/json" };
  const made = await fetch(`${longbox.url}/api/auth/register`, {
    method: "POST",
    headers,
    body: JSON.stringify(account),
  });
  expect(made.status).toBe(200);
});

afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

/** Asks for a change of plugins as the administrator whose page it is. */
async function change(page: Page, path: string, body: object): Promise<void> {
  const headers = { Origin: new URL(longbox.url).origin };
  const answer = await page.request.post(`/api/plugins/${path}`, { data: body, headers });
  expect(answer.status(), await answer.text()).toBe(200);
}

const install = (page: Page, id: string, version = "1.0.0") =>
  change(page, "install", { name: `@longbox-test/${id}`, version, accept: true });

const entry = (page: Page, label: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: label, exact: true });

/** Waits for a locator to have so many elements. @returns how long that took, in milliseconds */
async function timeUntil(page: Page, label: string, count: number): Promise<number> {
  const begun = undisturbedNow();
  await soon(() => entry(page, label).count()).toBe(count);
  return undisturbedNow() - begun;
}

describe("criterion 26: the client of a plugin", () => {
  it("comes and goes within a second without a reload, and its upgrade leaves what is typed into another's page", async () => {
    const page = await visit(browser, longbox.url);
    await signIn(page, longbox.url);
    await page.goto("/");
    await entry(page, "Library").waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const isSame = () => page.evaluate(() => "sameDocument" in window);

    await install(page, "lamp");
    expect(await timeUntil(page, "Lamp", 1)).toBeLessThan(seenWithinMs);
    await install(page, "letter");
    expect(await timeUntil(page, "Letter", 1)).toBeLessThan(seenWithinMs);
    await entry(page, "Lamp").click();
    await page.getByRole("heading", { name: "A dim lamp" }).waitFor();
    await entry(page, "Letter").click();
    await page.getByLabel("Words").fill("not sent yet");

    await change(page, "lamp/enabled", { enabled: false });
    expect(await timeUntil(page, "Lamp", 0)).toBeLessThan(seenWithinMs);
    await change(page, "lamp/enabled", { enabled: true });
    expect(await timeUntil(page, "Lamp", 1)).toBeLessThan(seenWithinMs);
    await install(page, "lamp", "2.0.0");
    await page.getByText("lamp was updated to 2.0.0.").waitFor();
    expect(await page.getByLabel("Words").inputValue()).toBe("not sent yet");
    expect(await isSame()).toBe(true);

    await entry(page, "Lamp").click();
    await page.getByRole("heading", { name: "A bright lamp" }).waitFor();
    await page.getByText("Shade: new, told 1 times").waitFor();

    // What is open stays; it is gone back to the version whose module the browser does not run again.
    await change(page, "lamp/rollback", {});
    await page.getByText("lamp was updated to 1.0.0.").waitFor();
    await entry(page, "Letter").click();
    await page.getByLabel("Words").fill("still not sent");
    await entry(page, "Lamp").click();
    await page.getByRole("heading", { name: "A dim lamp" }).waitFor();
    expect(await isSame()).toBe(true);
  });

  it("in a place of another's page shows its new behaviour at once, and the rest of the page stays as it is", async () => {
    const page = await visit(browser, longbox.url);
    await signIn(page, longbox.url);
    for (const id of ["stamp", "notepad"]) await install(page, id);
    await page.goto("/settings");
    await page.getByText("A plain stamp").waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await page.getByLabel("Note").fill("half typed");
    await install(page, "stamp", "2.0.0");
    await page.getByText("A golden stamp").waitFor();
    expect(await page.getByText("A plain stamp").count()).toBe(0);
    expect(await page.getByLabel("Note").inputValue()).toBe("half typed");
    expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
  });

  it("that throws, never ends or defines another's element is named, and leaves the rest usable", async () => {
    const context = await browser.newContext({ baseURL: longbox.url, viewport: { width: 1280, height: 860 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await signIn(page, longbox.url);
    await page.goto("/letter");
    await page.getByRole("heading", { name: "A letter" }).waitFor();
    for (const id of ["thrower", "hanger", "clasher"]) await install(page, id);
    // Entries that come move those below them.
    for (const label of ["Thrower", "Hanger", "Clasher"]) await entry(page, label).waitFor();
    const expectUsable = async () => {
      await entry(page, "Letter").click();
      await page.getByLabel("Words").fill("still here");
    };

    for (const id of ["Thrower", "Clasher"]) {
      await entry(page, id).click();
      await page.getByText(`A part of the plugin "${id.toLowerCase()}" could not be loaded`).waitFor();
      await expectUsable();
    }
    await entry(page, "Hanger").click();
    await soon(() => new URL(page.url()).pathname).toBe("/hanger");
    await expectUsable();
    await page.getByRole("heading", { name: "A letter" }).waitFor();
    expect(await page.getByRole("heading", { name: "Stolen" }).count()).toBe(0);
  });
});

it("puts isolated plugins into one process, and one of them back into a process of its own", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  const groupOf = async (name: string) =>
    ((await (await page.request.get(`/api/plugins/${name}`)).json()) as PluginRow).isolation.group;
  const choose = (entry: string, title: string) =>
    chooseFrom(
      page.getByRole("button", { name: `More actions for ${title}` }),
      page.getByRole("menuitem", { name: entry }),
    );
  const dialogOf = (title: string) => page.getByRole("dialog", { name: `The process of ${title}` });
  const share = async (title: string, group: string) => {
    await choose("Share a process…", title);
    await dialogOf(title).getByLabel("Group").fill(group);
    await dialogOf(title).getByRole("button", { name: "Save" }).click();
  };
  const sharers = ["Inkpot", "Quill"] as const;
  for (const title of sharers) await install(page, title.toLowerCase());
  for (const title of sharers) {
    await page.goto(`/plugin/${title.toLowerCase()}`);
    // Packages of other publishers are isolated unless an administrator says otherwise.
    await page.getByText("Isolated in a process of its own").waitFor();
    await share(title, "not a group");
    await dialogOf(title).getByText("Not a valid group name").waitFor();
    await dialogOf(title).getByLabel("Group").fill("desk");
    await dialogOf(title).getByRole("button", { name: "Save" }).click();
    await soon(() => groupOf(title.toLowerCase())).toBe("desk");
  }
  await page.getByText("Isolated in one process with inkpot").waitFor();
  await choose("Share a process…", "Quill");
  await page.getByText("Groups now: desk (Inkpot, Quill)").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await share("Quill", "");
  await soon(() => groupOf("quill")).toBe(undefined);
  await page.getByText("Isolated in a process of its own").waitFor();
});
