import { join } from "node:path";
import { drawCover } from "@longbox/test/fixtures";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { coming, openReleaseDesk, today, type ReleaseDesk } from "../../plugins/releases/test/support/release-desk.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];
const names = ["Moth Patrol", "Night Bell", "Salt Road", "Low Tides", "Lantern Row", "The Quiet Mile", "Paper Foxes"];
const publishers = ["Lamplight", "Grim Press", null];

describe("releases", () => {
  let browser: Browser;
  let desk: ReleaseDesk;

  beforeAll(async () => {
    const volumes = names.map((name, index) =>
      coming(index + 1, name, { number: index === 2 ? 1 : index + 2, publisher: publishers[index % 3] ?? null }),
    );
    [browser, desk] = await Promise.all([startChromium(), openReleaseDesk({ plugins: ["web"], volumes })]);
    for (const { name, issues } of volumes) {
      const { id, issue_number } = issues.at(-1)!;
      const picture = await drawCover(name, issue_number, { width: 200, height: 300, format: "png" });
      desk.provider.images.set(`/images/i${id}.png`, picture);
    }
    await desk.check();
    const followed = await desk.add(1);
    await desk.host.as("admin").post(`/api/collection/${followed}/follow`, { follow: true });
    await desk.host.as("viewer").get("/api/auth/me");
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

  it("show what is yours first, then by publisher, and get what is not owned", async () => {
    const page = await open("admin", "/releases");
    await page.getByRole("region", { name: "Yours" }).getByRole("link", { name: "Moth Patrol #2" }).waitFor();
    const headings = await page.getByRole("heading", { level: 3 }).allInnerTexts();
    expect(headings.map((text) => text.replace(/ \d+ releases?$/i, ""))).toEqual([
      "Yours",
      "Grim Press",
      "Lamplight",
      "Other publishers",
    ]);
    await page.getByRole("button", { name: "Get Night Bell #3" }).click();
    await page.getByText("It is wanted now.").waitFor();
    await page.getByRole("region", { name: "Grim Press" }).getByText("Wanted", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Follow Lamplight" }).click();
    await page.getByRole("button", { name: "Follow Lamplight", pressed: true }).waitFor();
    await page.getByLabel("Show").selectOption("mine");
    await page.getByRole("button", { name: "Get Night Bell #3" }).waitFor({ state: "detached" });
    // A viewer gets nothing and asks the provider nothing.
    const reading = await open("viewer", "/releases");
    await reading.getByRole("link", { name: "Moth Patrol #2" }).waitFor();
    expect(await reading.getByRole("button", { name: /^(Get|Refresh)/ }).count()).toBe(0);
  });

  it("lead from week to week, to the month as a calendar, and back", async () => {
    const page = await open("viewer", "/releases");
    await page.getByRole("link", { name: "Moth Patrol #2" }).waitFor();
    await page.getByRole("link", { name: "The week after" }).click();
    await page.getByRole("heading", { name: "Nothing is known of this week" }).waitFor();
    await page.getByRole("link", { name: "This week" }).click();
    await page.getByRole("link", { name: "Moth Patrol #2" }).waitFor();
    await page.goto(`/releases/${today.slice(0, 7)}`);
    await page.getByRole("link", { name: "Moth Patrol #2" }).waitFor();
    await page.getByRole("link", { name: "1 more" }).click();
    await page.getByRole("heading", { name: /^Lamplight/ }).waitFor();
  });

  it("give an address for a calendar once, and revoke it", async () => {
    const page = await open("viewer", "/releases");
    await page.getByRole("button", { name: "Calendar and feed" }).click();
    await page.getByRole("button", { name: "Make an address" }).click();
    const address = await page.getByLabel("Calendar", { exact: true }).inputValue();
    expect((await fetch(address)).status).toBe(200);
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByRole("button", { name: "Make an address" }).waitFor();
    expect((await fetch(address)).status).toBe(401);
  });

  it.each([
    { theme: "light", width: 1280, height: 860 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)(
    "give axe nothing to object to, and never scroll sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      for (const [name, path, text] of [
        ["week", "/releases", "Moth Patrol #2"],
        ["month", `/releases/${today.slice(0, 7)}`, "Moth Patrol #2"],
      ] as const) {
        const page = await open("admin", path, { viewport: { width, height }, colorScheme: theme });
        await page.getByText(text).first().waitFor();
        await page.waitForLoadState("networkidle");
        if (shots)
          await page.screenshot({ path: join(shots, `releases-${name}-${theme}-${width}.png`), fullPage: true });
        expect(await objections(page)).toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ).toBe(0);
      }
    },
  );
});
