import { join } from "node:path";
import { Reading } from "@longbox/reading/contract";
import { KernelUsers } from "@longbox/sdk";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openBrowsingDesk,
  standardFiles,
  type BrowsingDesk,
  type FileSpec,
} from "../../plugins/shelves/test/support/browsing-desk.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];
const words = ["Lantern", "Paper", "Quiet", "Amber", "Winter", "Harbour", "Copper", "Glass"];

/** So many series that a page of covers is full. */
const further: readonly FileSpec[] = Array.from({ length: 70 }, (_, index) => ({
  series: `${words[index % 8]} ${["Row", "Foxes", "Mile", "Engine", "Garden"][index % 5]} ${index + 1}`,
  publisher: ["Lamplight", "Grim Press", "Tidewater"][index % 3] as string,
  year: 1960 + index,
  issue: {
    credits: [{ name: `${["Ida", "Odo", "Uma", "Ren"][index % 4]} ${words[index % 8]}`, role: "Writer" }],
    characters: [`Captain ${words[(index * 3) % 8]}`],
    subjects: [["Mystery", "Romance", "Horror", "Western", "History", "Space", "Comedy", "Crime"][index % 8] as string],
    language: ["en", "de", "fr"][index % 3] as string,
  },
}));

/** Shares a writer and a character with what the viewer has read. */
const twin: FileSpec = {
  series: "Twin Lamps",
  issue: { credits: [{ name: "Ada Quill", role: "Writer" }], characters: ["Night Moth"] },
};

describe("shelves", () => {
  let browser: Browser;
  let desk: BrowsingDesk;

  beforeAll(async () => {
    [browser, desk] = await Promise.all([startChromium(), openBrowsingDesk({ plugins: ["web", "lists"] })]);
    const [first] = await desk.place(...standardFiles, ...further, twin);
    await desk.built();
    const admin = desk.host.as("admin");
    const { id } = (await desk.host.as("viewer").get("/api/auth/me")).body.user;
    const reader = await desk.host.use(KernelUsers).viewerOf(id);
    await desk.host.use(Reading).mark(reader!, [first!.issueId], true);
    await admin.post(`/api/shelves/ratings/-${first!.issueId}`, { rating: 5 });
  });
  afterAll(async () => {
    await browser.close();
    await desk[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await visit(browser, desk.host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": desk.host.as(role).key as string },
    });
    await page.goto(path);
    return page;
  }

  it("narrow what is shown by facets with counts, keep the choice in the address, and go back", async () => {
    const page = await open("viewer", "/shelves");
    await page.getByText("77 items").waitFor();
    const genre = page.getByRole("region", { name: "Genre" });
    await genre.getByRole("checkbox", { name: "Mystery" }).check();
    await page.getByText("13 items").waitFor();
    expect(new URL(page.url()).search).toBe("?genre=Mystery");
    const publisher = page.getByRole("region", { name: "Publisher" });
    await publisher.getByRole("button", { name: "Leave out Grim Press" }).click();
    await page.getByText("9 items").waitFor();
    await page.getByRole("link", { name: "Remove Publisher: not Grim Press" }).waitFor();
    await page.getByRole("link", { name: "Remove Genre: Mystery" }).click();
    await page.getByText("52 items").waitFor();
    await page.goBack();
    await page.getByText("9 items").waitFor();
    await page.getByRole("link", { name: "Clear all" }).click();
    await page.getByText("77 items").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    await page.getByLabel("Find a title").fill("moth");
    await page.getByText("3 items").waitFor();
  });

  const focused = (page: Page) =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.textContent?.replaceAll(/\s+/g, " ").trim();
    });

  it("narrow the library by the same facets and kept shelves, keep them in its address, and are cleared at once", async () => {
    const page = await open("viewer", "/library");
    await page.getByText("75 series", { exact: true }).waitFor();
    const filters = page.getByRole("navigation", { name: "Filter" });
    await filters.getByRole("button", { name: "Filters" }).click();
    const sheet = page.getByRole("dialog", { name: "Filters" });
    await sheet.getByRole("region", { name: "Genre" }).getByRole("checkbox", { name: "Mystery" }).check();
    await page.getByText("11 series", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("facet")).toBe('{"shelves":"genre=Mystery"}');
    await sheet.getByRole("button", { name: "Leave out Grim Press" }).click();
    await page.getByText("7 series", { exact: true }).waitFor();
    expect(await objections(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("Filters 2");
    await page.reload();
    await page.getByText("7 series", { exact: true }).waitFor();
    await filters.getByRole("link", { name: "Remove Publisher: not Grim Press" }).click();
    await page.getByText("11 series", { exact: true }).waitFor();
    await filters.getByRole("button", { name: "Keep as shelf" }).click();
    // The dialog begins in its first field.
    await page.getByRole("dialog").getByLabel("Name").waitFor();
    await page.keyboard.type("Whodunits");
    await page.keyboard.press("Enter");
    await filters.getByRole("link", { name: "Clear all" }).click();
    await page.getByText("75 series", { exact: true }).waitFor();
    await filters.getByRole("button", { name: "Shelves" }).click();
    await page.getByRole("menuitem", { name: "Whodunits" }).click();
    await page.getByText("11 series", { exact: true }).waitFor();
    await filters.getByRole("button", { name: "Remove “Whodunits”" }).click();
    await page.getByRole("button", { name: "Reading: Read or not" }).click();
    await page.getByRole("menuitemradio", { name: "Read", exact: true }).click();
    await page.getByText("No matching series").waitFor();
    await page.getByRole("button", { name: "Reading: Read", exact: true }).waitFor();
    await filters.getByRole("link", { name: /^Complete/ }).waitFor();
    await page.getByRole("link", { name: "Show everything" }).click();
    await page.getByText("75 series", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  it("are named in the language of the user", async () => {
    const page = await open("viewer", "/shelves", { locale: "de" });
    const read = page.getByRole("region", { name: "Gelesen" });
    await read.getByRole("checkbox", { name: "Ungelesen" }).waitFor();
  });

  it("show what else a creator or character of an issue is in", async () => {
    const twins = (await desk.host.as("viewer").get("/api/shelves/items?q=Twin%20Lamps")).body.items;
    const page = await open("viewer", `/issue/${twins[0].cvIssueId}`);
    await page.getByRole("link", { name: "Night Moth" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?character=Night+Moth");
    await page.getByRole("link", { name: "Remove Character: Night Moth" }).waitFor();
    await page.goBack();
    expect(await page.getByRole("link", { name: "Ada Quill" }).getAttribute("href")).toBe("/shelves?author=Ada+Quill");
  });

  it("find values of a facet, keep a selection as a shelf, and show it on the home page", async () => {
    const page = await open("trusted", "/shelves");
    const genre = page.getByRole("region", { name: "Genre" });
    await genre.getByRole("button", { name: "More" }).click();
    await genre.getByLabel("Find in Genre").fill("wes");
    await genre.getByRole("checkbox", { name: "Western" }).check();
    await page.getByRole("button", { name: "Keep as shelf" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Out west");
    await dialog.getByLabel("Share it with everyone").check();
    await dialog.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("button", { name: "Remove “Out west”" }).waitFor();
    await page.goto("/");
    await page.getByRole("region", { name: "Out west" }).getByRole("link", { name: /Amber/ }).first().waitFor();
    const other = await open("viewer", "/shelves");
    await other.getByRole("button", { name: "Shelves" }).click();
    await other.getByText("Out west (shared)").click();
    await other.waitForURL("**/shelves?genre=Western");
  });

  it("surprise, and say why something may please", async () => {
    const page = await open("viewer", "/shelves?author=%C3%89va%20Wave");
    await page.getByText("1 item").waitFor();
    await page.getByRole("button", { name: "Surprise me" }).click();
    await page.waitForURL("**/issue/**");
    await page.getByText("Low Tides").first().waitFor();
    await page.goto("/");
    const strip = page.getByRole("region", { name: "Because you read Moth Patrol" });
    await strip
      .getByRole("link", { name: /Salt Road/ })
      .getByText("Ada Quill, Night Moth")
      .waitFor();
    if (shots) await page.screenshot({ path: join(shots, "shelves-home.png"), fullPage: true });
  });

  it.each([
    { theme: "light", width: 1440, height: 900 },
    { theme: "dark", width: 1440, height: 900 },
    { theme: "light", width: 390, height: 780 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)(
    "give axe nothing to object to, and never scroll sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      const page = await open("admin", "/shelves?genre=Mystery&publisher=-Grim%20Press", {
        viewport: { width, height },
        colorScheme: theme,
      });
      await page.getByText("items").first().waitFor();
      await page
        .getByRole("link", { name: /Moth Patrol/ })
        .first()
        .waitFor();
      await page.waitForLoadState("networkidle");
      if (shots) await page.screenshot({ path: join(shots, `shelves-${theme}-${width}.png`), fullPage: width > 400 });
      expect(await objections(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
      if (width > 400) return;
      await page.getByRole("button", { name: /^Filters/ }).click();
      await page.getByRole("dialog").getByRole("checkbox", { name: "Mystery" }).waitFor();
      if (shots) await page.screenshot({ path: join(shots, `shelves-sheet-${theme}.png`) });
      expect(await objections(page)).toEqual([]);
    },
  );
});
