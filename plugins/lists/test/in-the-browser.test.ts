import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Catalog, Collection, type ReadFile } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import { Reading } from "@longbox/reading/contract";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseAction } from "../../../test/browser/support/choose-action.ts";
import { startChromium } from "../../../test/browser/support/chromium.ts";
import { soon } from "../../../test/browser/support/soon.ts";
import { visit } from "../../../test/browser/support/visitor.ts";
import { Community } from "./support/community.js";
import { listFile } from "./support/list-files.js";

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

describe("reading lists in the browser", () => {
  let browser: Browser;
  let host: TestHost;
  let community: Community;

  beforeAll(async () => {
    [browser, community] = await Promise.all([startChromium(), Community.start()]);
    community.files.set(
      "Lamplight/The Big Night.cbl",
      listFile(
        [
          { series: "Moth Patrol", number: "2", issue: 1002 },
          { series: "Far Away", number: "1", issue: 99 },
        ],
        "The Big Night",
      ),
    );
    community.files.set("Brass/Quiet.cbl", listFile([{ series: "Quiet", number: "1", issue: 98 }], "Quiet"));
    host = await startTestHost({
      plugins: ["operations", "collection", "reading", "lists", "web"],
      settings: { lists: community.settings },
    });
    const issues = [1, 2, 3, 4, 5].map((number) => ({
      cvIssueId: 1000 + number,
      number: String(number),
      title: `Part ${number}`,
    }));
    await host
      .use(Catalog)
      .addVolume({ cvId: 1, title: "Moth Patrol", aliases: [], status: "ongoing", issues }, { viewer: systemViewer });
    const files = issues.slice(0, 4).map(({ cvIssueId, number }): ReadFile => ({
      libraryId: 1,
      path: `/comics/${number}.cbz`,
      name: `${number}.cbz`,
      sizeBytes: 1,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 20,
      valid: true,
      tagged: true,
      series: { name: "Moth Patrol", folder: "/comics", cvId: 1 },
      issue: { number, kind: "issue", cvIssueId },
    }));
    const placed = await host.use(Collection).placeFiles(files);
    const even = placed.map(({ issueId }) => issueId).filter((id) => id % 2 === 0);
    for (const role of ["viewer", "trusted", "admin"]) {
      const { user } = (await host.as(role).get("/api/auth/me")).body;
      await host.use(Reading).mark({ ...systemViewer, user }, even, true);
    }
  });
  afterAll(async () => {
    await browser.close();
    await host[Symbol.asyncDispose]();
    await community[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const client = host.as(role);
    await client.get("/healthz");
    const page = await visit(browser, host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": client.key as string },
    });
    await page.goto(path);
    return page;
  }
  const makeList = async (role: string, name: string, cvIssueIds: readonly number[]): Promise<number> =>
    (await host.as(role).post("/api/lists", { name, cvIssueIds })).body.id;
  const orderOf = async (role: string, id: number): Promise<number[]> =>
    (await host.as(role).get(`/api/lists/${id}`)).body.items.map((item: { cvIssueId: number }) => item.cvIssueId);
  const focused = (page: Page) =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim();
    });

  it("makes a list, fills it from a series, and says how far one has come", async () => {
    const page = await open("trusted", "/");
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Lists" }).click();
    await page.getByRole("heading", { name: "No lists yet" }).waitFor();
    await page.getByLabel("New list").fill("Night shift");
    await page.getByRole("button", { name: "Make", exact: true }).click();
    await page.getByRole("heading", { name: "Night shift", level: 1 }).waitFor();
    await page.getByText("This list is empty.").waitFor();
    const { id } = (await host.as("trusted").get("/api/collection")).body[0];
    await page.goto(`/series/${id}`);
    await chooseAction(page, "More for this series", "Add to a list");
    await page.getByRole("button", { name: "Night shift" }).click();
    await page.getByText("5 items were added to Night shift.").waitFor();
    await page.goto("/lists");
    await page.getByText(/4 of 5 items owned · 2 read/).waitFor();
  });

  it("puts a list in order by the keyboard, keeps the focus, and takes issues out", async () => {
    const id = await makeList("trusted", "Keys", [1001, 1002, 1003, 1004]);
    const page = await open("trusted", `/lists/${id}`);
    await page.getByRole("button", { name: "Move Moth Patrol #1, place 1" }).press("ArrowDown");
    await soon(() => focused(page)).toBe("Move Moth Patrol #1, place 2");
    await page.keyboard.press("ArrowDown");
    await soon(() => focused(page)).toBe("Move Moth Patrol #1, place 3");
    await soon(() => orderOf("trusted", id)).toEqual([1002, 1003, 1001, 1004]);
    await page.keyboard.press("End");
    await soon(() => orderOf("trusted", id)).toEqual([1002, 1003, 1004, 1001]);
    await page.getByText("Moth Patrol #1 is now number 4 of 4.").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Take Moth Patrol #3 out" }).press("Enter");
    await soon(() => orderOf("trusted", id)).toEqual([1002, 1004, 1001]);
    await soon(() => focused(page)).toBe("Move Moth Patrol #4, place 2");
  });

  it("puts a list in order by dragging, and leaves it when Escape is pressed", async () => {
    const id = await makeList("trusted", "Drags", [1001, 1002, 1003, 1004]);
    const page = await open("trusted", `/lists/${id}`);
    const handle = page.getByRole("button", { name: "Move Moth Patrol #4, place 4" });
    const grab = async () => {
      const from = await handle.boundingBox();
      const to = await page.getByRole("button", { name: "Move Moth Patrol #1, place 1" }).boundingBox();
      if (!from || !to) throw new Error("The handles are not there.");
      await page.mouse.move(from.x + 10, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(to.x + 10, to.y + 4, { steps: 6 });
    };
    await grab();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await handle.waitFor();
    await grab();
    await page.mouse.up();
    await soon(() => orderOf("trusted", id)).toEqual([1004, 1001, 1002, 1003]);
    await page.getByRole("button", { name: "Move Moth Patrol #4, place 1" }).waitFor();
  });

  it("shows a file before it keeps it, and what was not found", async () => {
    const page = await open("trusted", "/lists");
    await page.getByRole("button", { name: "Import" }).click();
    const text = listFile(
      [
        { series: "Moth Patrol", number: "3" },
        { series: "Nobody", number: "1", volume: "1999" },
        { series: "Far", number: "7", issue: 77 },
      ],
      "From a file",
    );
    const input = page.getByLabel("Reading-list file");
    await input.setInputFiles({ name: "wrong.cbl", mimeType: "", buffer: Buffer.from("<html/>") });
    await page.getByText("This file cannot be imported: it is not a reading list").waitFor();
    await input.setInputFiles({
      name: "right.cbl",
      mimeType: "",
      buffer: Buffer.from(`\uFEFF${text.replace("utf-8", "utf-16")}`, "utf16le"),
    });
    await page.getByRole("heading", { name: "Save this list?" }).waitFor();
    expect(
      (await page.getByRole("list", { name: "Items of the list" }).getByRole("listitem").allInnerTexts()).map((row) =>
        row.split("\n").at(-1),
      ),
    ).toEqual(["here", "to be looked up", "not in the library"]);
    await page.getByLabel("Name").fill("Kept");
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("heading", { name: "Kept", level: 1 }).waitFor();
    await page.getByRole("heading", { name: "1 item was not found" }).waitFor();
    await page.getByText("No series of this name is in the library.").waitFor();
    await page.getByRole("button", { name: "Forget them" }).click();
    await soon(() => page.getByRole("heading", { name: "1 item was not found" }).count()).toBe(0);
  });

  it("opens the preview of a file that is dropped on the page", async () => {
    const page = await open("trusted", "/lists");
    await page.getByRole("heading", { name: "Reading lists" }).waitFor();
    const data = await page.evaluateHandle(
      (text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "dropped.cbl"));
        return transfer;
      },
      listFile([{ series: "Moth Patrol", number: "1" }], ""),
    );
    await page.locator("lists-page").dispatchEvent("drop", { dataTransfer: data });
    await page.getByRole("heading", { name: "Save this list?" }).waitFor();
    await soon(() => page.getByLabel("Name").inputValue()).toBe("dropped");
  });

  it("takes a list over from the community", async () => {
    const page = await open("trusted", "/lists");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("button", { name: "The community" }).click();
    await page.getByText("2 lists.").waitFor();
    await page.getByLabel("Search", { exact: true }).fill("night lamp");
    await page.getByText("1 list.").waitFor();
    await page.getByRole("button", { name: "Look at The Big Night" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("heading", { name: "The Big Night", level: 1 }).waitFor();
    await page.getByText(/1 of 2 items owned/).waitFor();
  });

  it("is published, renamed and deleted by its owner; others can only read it", async () => {
    const id = await makeList("trusted", "Public one", [1001, 1002]);
    const page = await open("trusted", `/lists/${id}`);
    await page.getByRole("button", { name: "Make it public" }).click();
    await page.getByRole("button", { name: "Public", exact: true }).waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Name").fill("Renamed");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Renamed", level: 1 }).waitFor();
    const other = await open("viewer", "/lists");
    await other.getByRole("heading", { name: "Shared by others" }).waitFor();
    await other.getByRole("link", { name: "Renamed" }).click();
    await other.getByText("shared by another user").waitFor();
    for (const name of ["Rename", "Delete", "Public", "Get what is missing"])
      expect(await other.getByRole("button", { name }).count(), name).toBe(0);
    expect(await other.getByRole("button", { name: /^(Move|Take)/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete the list" }).click();
    await page.getByRole("heading", { name: "Reading lists" }).waitFor();
    expect((await host.as("trusted").get(`/api/lists/${id}`)).status).toBe(404);
  });

  it("leaves nothing to be desired by those who cannot see or have no mouse, in both themes and on a phone", async () => {
    const axe = await readFile(axePath, "utf8");
    const file = listFile(
      [
        { series: "Moth Patrol", number: "1" },
        { series: "Nobody", number: "1" },
        { series: "Far", number: "7", issue: 77 },
      ],
      "Looked at",
    );
    const { id } = (await host.as("admin").post("/api/lists/import-cbl", file)).body;
    for (const colorScheme of ["light", "dark"] as const) {
      for (const path of ["/lists", `/lists/${id}`]) {
        const page = await open("admin", path, { colorScheme, viewport: { width: 390, height: 844 } });
        await page
          .getByText(/of 2 items owned/)
          .first()
          .waitFor();
        expect(await objections(page, axe), `${path} ${colorScheme}`).toEqual([]);
        for (const width of [320, 360, 768, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await widthOfSpacedText(page), `${path} at ${width}`).toBeLessThanOrEqual(width);
        }
      }
    }
  });
});

async function objections(page: Page, axe: string): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: loaded } = window as unknown as {
      axe: {
        run(
          context: Document,
          options: unknown,
        ): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await loaded.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} ${JSON.stringify(node.target)} ${node.failureSummary}`),
    );
  });
}

/** How wide the page is with the space between letters and words that readers may ask for (WCAG 1.4.12). */
async function widthOfSpacedText(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      ":root { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }",
    );
    document.adoptedStyleSheets.push(sheet);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return document.documentElement.scrollWidth;
  });
}
