import { join } from "node:path";
import { drawCover } from "@longbox/test/fixtures";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRequestsDesk, volumes, type RequestsDesk } from "../../plugins/requests/test/support/requests-desk.ts";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

const shots = process.env["LONGBOX_SHOTS"];

describe("requests", () => {
  let browser: Browser;
  let desk: RequestsDesk;

  beforeAll(async () => {
    [browser, desk] = await Promise.all([startChromium(), openRequestsDesk({ plugins: ["web"] })]);
    for (const { id, name } of volumes)
      desk.provider.images.set(
        `/images/v${id}.png`,
        await drawCover(name, "1", { width: 120, height: 180, format: "png" }),
      );
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

  it("are made in two clicks from the search, voted for by others, and decided on by keyboard", async () => {
    const asking = await open("viewer", "/requests");
    await asking.getByRole("heading", { name: "No requests" }).waitFor();
    await asking.getByLabel("What are you looking for?").fill("moth");
    await asking.getByLabel("What are you looking for?").press("Enter");
    await asking.getByRole("button", { name: "Request: Moth Alley" }).click();
    await asking.getByRole("button", { name: "Withdraw Moth Alley" }).waitFor();
    // A user's own request is not voted for.
    await asking.getByText("You requested this").waitFor();
    expect(await asking.getByRole("button", { name: "Vote for it: Moth Alley" }).count()).toBe(0);

    // The key of a user with a role of its own is made at the first call.
    await desk.host.as("member").get("/api/auth/me");
    const voting = await open("member", "/requests");
    await voting.getByRole("button", { name: "Vote for Moth Alley, 0 votes" }).click();
    await voting.getByRole("button", { name: "Remove your vote for Moth Alley, 1 vote" }).waitFor();
    expect(await voting.getByRole("button", { name: /^(Approve|Decline|Withdraw) / }).count()).toBe(0);

    const deciding = await open("admin", "/requests");
    await deciding.getByRole("button", { name: "Decline Moth Alley" }).press("Enter");
    await deciding.getByRole("dialog").getByLabel("Why").fill("Out of print.");
    await deciding.getByRole("dialog").getByLabel("Why").press("Enter");
    await deciding.getByRole("heading", { name: "Decided" }).waitFor();
    // The asker's page follows by itself.
    await asking.getByText("Out of print.").waitFor();
  });

  it.each([
    { theme: "light", width: 1280, height: 860 },
    { theme: "dark", width: 390, height: 780 },
  ] as const)(
    "give axe nothing to object to, and never scroll sideways: $theme, $width pixels wide",
    async ({ theme, width, height }) => {
      await desk.ask("viewer", 101, "The second volume is said to be the better one.");
      const page = await open("admin", "/requests", { viewport: { width, height }, colorScheme: theme });
      await page.getByRole("button", { name: "Approve Moth Patrol" }).waitFor();
      await page.getByLabel("What are you looking for?").fill("moth");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByRole("button", { name: "Vote for it: Moth Patrol", exact: true }).waitFor();
      if (shots) await page.screenshot({ path: join(shots, `requests-${theme}-${width}.png`), fullPage: true });
      expect(await objections(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    },
  );
});
