import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comic, openDownloadDesk, type DownloadDesk } from "../../plugins/downloads/test/support/download-desk.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { chooseAction } from "./support/choose-action.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];

describe("downloads", () => {
  let browser: Browser;
  let desk: DownloadDesk;

  beforeAll(async () => {
    [browser, desk] = await Promise.all([startChromium(), openDownloadDesk({ plugins: ["web"] })]);
  });
  afterAll(async () => {
    await browser.close();
    await desk[Symbol.asyncDispose]();
  });

  async function open(role: string, path: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    await desk.host.as(role).get("/api/auth/me");
    const page = await visit(browser, desk.host.url, {
      ...options,
      extraHTTPHeaders: { "x-api-key": desk.host.as(role).key as string },
    });
    await page.goto(path);
    return page;
  }

  it("go from a search with its reasons into the queue, and end in the history, without a reload", async () => {
    desk.offer("3", await comic("3"));
    desk.offer("4", await comic("4"), { guid: "another", title: "Night Bell 003 (1999).cbz" });
    const page = await open("trusted", "/issue/50013");
    await chooseAction(page, "More for this issue", "Search sources");
    const results = page.getByRole("region", { name: "Results" });
    await results.getByRole("button", { name: "Get Night Bell 003 (1999).cbz" }).waitFor();
    await results.getByRole("button", { name: "Get Moth Patrol 003 (2019) (Digital).cbz" }).click();
    await desk.owns("3");
    await page.goto("/downloads/history");
    await page.getByRole("link", { name: "Moth Patrol #3" }).waitFor();
  });

  it("are paused, held, put first and cancelled in the queue, as every user who looks at it sees", async () => {
    const page = await open("trusted", "/downloads");
    const other = await open("admin", "/downloads/queue");
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await other.getByRole("button", { name: "Resume", exact: true }).waitFor();
    const issueIds = await Promise.all(["5", "6"].map(desk.issueId));
    await desk.host.as("trusted").post("/api/download", { issueIds });
    await page.getByRole("button", { name: "Move to top: Moth Patrol #6" }).click();
    const names = (of: Page) => of.locator("tbody tr td:first-child").allInnerTexts();
    await expect.poll(() => names(other)).toEqual(["Moth Patrol #6", "Moth Patrol #5"]);
    await page.getByRole("button", { name: "Hold: Moth Patrol #5" }).click();
    await other.getByText("On hold", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Cancel: Moth Patrol #5" }).click();
    await expect.poll(() => names(other)).toEqual(["Moth Patrol #6"]);
  });

  it("are queued from the wanted list: one, or all of them after a preview", async () => {
    await desk.host.as("admin").post("/api/queue/pause");
    await desk.host.as("admin").post("/api/queue/clear");
    const page = await open("trusted", "/wanted");
    if (shots) await page.screenshot({ path: join(shots, "wanted.png") });
    const row = page.getByRole("listitem").filter({ hasText: "#8" });
    await row.getByRole("button", { name: "Get", exact: true }).click();
    await expect.poll(async () => (await desk.item("8"))?.status).toBe("queued");
    await page.getByRole("button", { name: "Get all" }).click();
    const dialog = page.getByRole("dialog", { name: "Get what is wanted" });
    const total = Number((await desk.host.as("admin").get("/api/wanted?limit=1")).headers.get("x-total-count"));
    await dialog.getByText(`1 of ${total} would not`).waitFor();
    await dialog.getByText("Asked for each: Fake.").waitFor();
    if (shots) await page.screenshot({ path: join(shots, "get-all.png") });
    await dialog.getByRole("button", { name: `Get ${total - 1} items` }).click();
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(async () => (await desk.queue()).total).toBe(total);
    expect(await objections(page)).toEqual([]);
  });

  it("are not shown to users who may not get anything", async () => {
    const page = await open("viewer", "/downloads");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("button", { name: "Pause" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Downloads" }).count()).toBe(0);
  });

  it.each([
    { theme: "light", width: 1280, height: 860 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)(
    "give axe nothing to object to, and never scroll sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      await desk.host.as("trusted").post("/api/queue/pause");
      await desk.host.as("trusted").post("/api/download", { issueIds: [await desk.issueId("7")] });
      const page = await open("admin", "/downloads", { viewport: { width, height }, colorScheme: theme });
      await page.getByRole("link", { name: "Moth Patrol #7" }).waitFor();
      for (const [section, shown] of [
        ["queue", "Moth Patrol #7"],
        ["history", "Moth Patrol #3"],
        ["failed", "Nothing yet"],
        ["blocklist", "Nothing is blocked"],
        ["sources", "Fake"],
      ] as const) {
        await page.goto(`/downloads/${section}`);
        await page.getByText(shown, { exact: true }).first().waitFor();
        if (shots) await page.screenshot({ path: join(shots, `downloads-${section}-${theme}.png`), fullPage: true });
        expect(await objections(page), section).toEqual([]);
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(sideways, section).toBe(0);
      }
    },
  );
});
