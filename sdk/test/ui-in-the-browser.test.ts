import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "../../test/browser/support/chromium.ts";
import { bundled } from "./support/bundling.js";

const root = join(import.meta.dirname, "..", "..");
const address = "http://shelves.test/";
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'";

/** A page of a plugin that uses everything of the kit. */
const shelvesPlugin = (version: string) => `
import { Action, bytes, check, choice, count, Dialog, dialogs, element, field, fields, fromNow, LongboxElement, notice, notices, pager, problem, Resource, SectionedPage, skeleton, standard, submitted, tables } from "@longbox/sdk/ui";
import { css, html } from "lit";

class ShelvesAll extends LongboxElement {
  static styles = [standard, dialogs, notices, tables, css\`.version { font-weight: 700; }\`];
  #shelves = new Resource(this, { path: "/api/shelves", domains: ["shelves"] });
  #action = new Action(this);
  #dialog = new Dialog(this);
  render() {
    return html\`<p class="version">Version ${version}</p>
      \${this.#shelves.render((shelves) => shelves.length === 0 ? notice({ heading: "No shelf yet", text: "Add the first." }) : html\`<table>
        <caption class="hidden">Shelves</caption><thead><tr><th scope="col">Name</th><th scope="col">Size</th></tr></thead>
        <tbody>\${shelves.map(({ name, size }) => html\`<tr><th scope="row">\${name}</th><td>\${bytes(size)} <span class="tag good">Tidy</span></td></tr>\`)}</tbody></table>\`, { waiting: skeleton() })}
      <div class="row spread card"><h2>\${count(this.#shelves.value?.length ?? 0, "shelf", "shelves")}</h2>
        <button class="primary" aria-haspopup="dialog" ?disabled=\${this.#action.busy} @click=\${() => this.#dialog.open()}>Add a shelf</button></div>
      \${pager({ page: 0, hasNext: true, turn: () => {}, text: "Page 1 of 2" })}
      \${this.#dialog.render("A new shelf", () => html\`<form class="stack" @submit=\${(event) => this.#add(submitted(event))}>
        \${field({ name: "name", label: "Name", required: true, problem: this.#action.problem, hint: "As on the label." })}
        \${choice({ label: "Room", choices: [["hall", "Hall"], ["attic", "Attic"]] }, "hall", () => {})} \${check("Locked", false, () => {})} <button class="primary">Add</button></form>\`)}\`;
  }
  async #add({ name }) {
    if (await this.#action.run(() => this.post("/api/shelves", { name }), name + " was added.")) this.#dialog.close();
  }
}
element("shelves-all")(ShelvesAll);

class ShelvesPage extends SectionedPage {
  heading = "Shelves";
  path = "/shelves";
  sections = [
    { name: "all", title: "All", show: () => html\`<shelves-all .longbox=\${this.longbox}></shelves-all>\` },
    { name: "old", title: "Old", show: () => html\`<p>Emptied \${fromNow(new Date(Date.now() - 7_200_000).toISOString())}</p>\${problem("It is dusty.")}\` },
    { name: "keys", title: "Keys", permission: "shelves.keys", show: () => html\`<p>secret</p>\` },
  ];
  static styles = [SectionedPage.styles, standard, fields];
}
element("shelves-page")(ShelvesPage);
`;

/** A cover that leaves the page and comes back. */
const frontsPlugin = `
import { cover, covers, element, LongboxElement } from "@longbox/sdk/ui";
import { html, nothing } from "lit";

class ShelvesFronts extends LongboxElement {
  static styles = [covers];
  static properties = { isShown: { type: Boolean } };
  render() {
    return this.isShown ? html\`<div>\${cover({ path: "/front", title: "Front", isEager: true })}</div>\` : nothing;
  }
}
element("shelves-fronts")(ShelvesFronts);
document.querySelector("main").append(document.createElement("shelves-fronts"));
`;

/** What the web interface would do, with a server that knows two shelves. */
const site = `
const shelves = [{ name: "Tall", size: 1500 }, { name: "Low", size: 48_000_000 }];
const listeners = new Set();
window.said = [];
window.went = [];
window.broken = [];
document.addEventListener("securitypolicyviolation", (event) => window.broken.push(event.violatedDirective));
const longbox = {
  api: async (path, { method, body } = {}) => {
    if (method !== "POST") return [...shelves];
    if (body.name === "Tall") throw new Error("There is a shelf of that name.");
    shelves.push({ name: body.name, size: 0 });
    for (const listener of listeners) listener();
  },
  onChanged: (domain, listener) => { if (domain === "shelves") listeners.add(listener); return { release: () => listeners.delete(listener) }; },
  may: (permission) => permission !== "shelves.keys",
  notify: (message, options) => window.said.push([message, options?.level]),
  navigate: (path, options) => { window.went.push([path, options?.replace === true]); page.subject = { section: path.split("/").at(-1) }; },
};
await import("/first.js");
await import("/second.js");
const page = document.createElement("shelves-page");
page.longbox = longbox;
document.querySelector("main").append(page);
window.listening = () => listeners.size;
`;

describe("a page that is made with the kit", () => {
  let browser: Browser;
  let files: Record<string, readonly [type: string, text: string]>;

  beforeAll(async () => {
    const [first, second, fronts, tokens] = await Promise.all([
      bundled(shelvesPlugin("1")),
      bundled(shelvesPlugin("2")),
      bundled(frontsPlugin),
      readFile(join(root, "plugins/web/client/src/styles/tokens.css"), "utf8"),
    ]);
    files = {
      "/": [
        "text/html",
        '<!doctype html><html lang="en"><head><title>Shelves</title><link rel="stylesheet" href="/tokens.css"></head><body><main></main><script type="module" src="/site.js"></script></body></html>',
      ],
      "/tokens.css": [
        "text/css",
        `${tokens} html { background: var(--lb-page); color: var(--lb-ink); font-family: var(--lb-font-text); }`,
      ],
      "/site.js": ["text/javascript", site],
      "/first.js": ["text/javascript", first],
      "/second.js": ["text/javascript", second],
      "/fronts.js": ["text/javascript", fronts],
    };
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  async function open(
    options: { colorScheme?: "light" | "dark"; viewport?: { width: number; height: number } } = {},
  ): Promise<Page> {
    const page = await browser.newPage({ reducedMotion: "reduce", locale: "en-GB", ...options });
    await page.route("**/*", (route) => {
      const found = files[new URL(route.request().url()).pathname];
      return found
        ? route.fulfill({ contentType: found[0], headers: { "content-security-policy": policy }, body: found[1] })
        : route.fulfill({ status: 404 });
    });
    await page.goto(address);
    await page.getByRole("cell", { name: "48 MB" }).waitFor();
    return page;
  }

  it("stays with the first version of an element when a second one comes, and breaks no rule of the page", async () => {
    const page = await open();
    expect([
      await page.getByText("Version 1").count(),
      await page.getByText("Version 2").count(),
      await page.evaluate("broken"),
    ]).toEqual([1, 0, []]);
    await page.close();
  });

  it("gives up the picture of a cover that has left the page, and loads it when the cover comes back", async () => {
    const page = await open();
    const isFront = (request: Request) => request.url().includes("/front?");
    // Never answered.
    await page.route(/\/front\?/, () => undefined);
    await page.addScriptTag({ url: "/fronts.js", type: "module" });
    const fronts = await page.evaluateHandle(
      () => document.querySelector("shelves-fronts") as Element & { isShown: boolean },
    );
    const asked = () => page.waitForEvent("request", isFront);
    const givenUp = () => page.waitForEvent("requestfailed", isFront);
    await Promise.all([asked(), fronts.evaluate((element) => void (element.isShown = true))]);
    await Promise.all([givenUp(), fronts.evaluate((element) => void (element.isShown = false))]);
    await Promise.all([asked(), fronts.evaluate((element) => void (element.isShown = true))]);
    await Promise.all([givenUp(), fronts.evaluate((element) => element.remove())]);
    await Promise.all([asked(), fronts.evaluate((element) => void document.querySelector("main")?.append(element))]);
    await page.close();
  });

  it("shows the sections that a user may see, and goes from one to the next within one entry of the history", async () => {
    const page = await open();
    await expect
      .poll(() => page.getByRole("navigation", { name: "Shelves" }).getByRole("link").allTextContents())
      .toEqual(["All", "Old"]);
    await page.getByRole("link", { name: "Old" }).click();
    await page.getByText("Emptied 2 hours ago").waitFor();
    expect([
      await page.getByRole("link", { name: "Old" }).getAttribute("aria-current"),
      await page.evaluate("went"),
      await page.evaluate("listening()"),
    ]).toEqual(["page", [["/shelves/old", true]], 0]);
    await page.close();
  });

  it("asks in a dialog, says there what is wrong, closes when it went well and shows what changed", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Add a shelf" }).click();
    const dialog = page.getByRole("dialog", { name: "A new shelf" });
    await dialog.getByLabel("Name").fill("Tall");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByText("There is a shelf of that name.").waitFor();
    expect([
      await dialog.getByLabel("Name").getAttribute("aria-invalid"),
      await dialog.getByLabel("Name").inputValue(),
    ]).toEqual(["true", "Tall"]);
    await dialog.getByLabel("Name").fill("Round");
    await dialog.getByLabel("Name").press("Enter");
    await page.getByRole("rowheader", { name: "Round" }).waitFor();
    await page.getByRole("heading", { name: "3 shelves" }).waitFor();
    expect([await dialog.count(), await page.evaluate("said")]).toEqual([0, [["Round was added.", "success"]]]);
    await page.close();
  });

  it("opens a dialog again after Escape, and returns the focus to its button", async () => {
    const page = await open();
    const button = page.getByRole("button", { name: "Add a shelf" });
    await button.press("Enter");
    await page.getByRole("dialog").getByLabel("Name").fill("half a word");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog form").count()).toBe(0);
    await expect
      .poll(() => button.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element))
      .toBe(true);
    await button.press("Enter");
    await expect.poll(() => page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("");
    await page.close();
  });

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("gives axe nothing to object to in %s, %i pixels wide", async (colorScheme, width) => {
    const page = await open({ colorScheme, viewport: { width, height: 800 } });
    const objections = async () => {
      await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
      return page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: {
            run(
              context: Document,
              options: unknown,
            ): Promise<{ violations: { id: string; nodes: { failureSummary: string }[] }[] }>;
          };
        };
        const { violations } = await axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ failureSummary }) => `${id}: ${failureSummary}`));
      });
    };
    const closed = await objections();
    await page.getByRole("button", { name: "Add a shelf" }).click();
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    expect([...closed, ...(await objections())]).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
    await page.close();
  });
});
