import { join } from "node:path";
import { writeComic } from "@longbox/test/fixtures";
import { expect, it } from "vitest";
import { startChromium } from "../../../../test/browser/support/chromium.ts";
import { visit } from "../../../../test/browser/support/visitor.ts";
import { startLibrary } from "../support/library.js";

it("joins a series that was split, and undoes it, in the browser", async () => {
  await using library = await startLibrary({
    plugins: ["web"],
    async fill(root) {
      for (const [series, number] of [
        ["Moth Patrol", "1"],
        ["Moth-Patrol", "2"],
      ] as const)
        await writeComic(join(root, series, `${series} 00${number}.cbz`), { series, number, pages: 1 });
    },
  });
  const browser = await startChromium();
  try {
    const admin = library.host.as("admin");
    const seriesNow = async () => (await admin.get("/api/collection")).body.length;
    expect(await seriesNow()).toBe(2);
    const page = await visit(browser, library.host.url, { extraHTTPHeaders: { "x-api-key": admin.key as string } });
    await page.goto("/files/split");
    await page.getByText(/No number is in both/).waitFor();
    await page.getByRole("button", { name: "Join them" }).click();
    await page.getByRole("heading", { name: "Joined", exact: true }).waitFor();
    expect(await seriesNow()).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Join them" }).waitFor();
    expect(await seriesNow()).toBe(2);
  } finally {
    await browser.close();
  }
});
