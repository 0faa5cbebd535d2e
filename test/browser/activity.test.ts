import { Jobs } from "@longbox/operations/contract";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { objections } from "./support/objections.ts";
import { visit } from "./support/visitor.ts";

describe("activity", () => {
  let browser: Browser;
  let host: TestHost;

  beforeAll(async () => {
    [browser, host] = await Promise.all([
      startChromium(),
      startTestHost({ plugins: ["operations", "collection", "web"] }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await host[Symbol.asyncDispose]();
  });

  it.each([
    { theme: "light", width: 1440 },
    { theme: "dark", width: 390 },
  ] as const)(
    "is in the frame while jobs run and wait, with progress and cancel: $theme, $width pixels wide",
    async ({ theme, width }) => {
      const jobs = host.use(Jobs);
      const untilCancelled = (signal: AbortSignal) =>
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      const page = await visit(browser, host.url, {
        viewport: { width, height: 860 },
        colorScheme: theme,
        extraHTTPHeaders: { "x-api-key": host.as("admin").key as string },
      });
      await page.goto("/operations");
      await page.getByRole("heading", { level: 1 }).waitFor();
      const handles = [];
      for (const title of ["Count the moths", "Count the bells"])
        handles.push(
          await jobs.run("test.count", title, async (control) => {
            control.progress(2, 10);
            await untilCancelled(control.signal);
            control.signal.throwIfAborted();
          }),
        );
      await page.getByRole("button", { name: "Activity – Jobs: 2" }).click();
      await page.getByRole("progressbar", { name: "Progress of Count the moths" }).waitFor();
      expect(await objections(page)).toEqual([]);
      const sideways = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(await sideways()).toBe(0);
      for (const title of ["Count the moths", "Count the bells"])
        await page
          .getByRole("group", { name: "Activity" })
          .getByRole("button", { name: `Cancel ${title}` })
          .click();
      expect((await Promise.all(handles.map(({ ended }) => ended))).map(({ state }) => state)).toEqual([
        "cancelled",
        "cancelled",
      ]);
      await page.getByRole("button", { name: "Activity", exact: true }).waitFor();
      await page.getByText("Nothing is under way, and nothing is new.").waitFor();
    },
  );

  it("says that there is no connection, and where what is saved can be found, until it is back", async () => {
    const page = await visit(browser, host.url, { extraHTTPHeaders: { "x-api-key": host.as("admin").key as string } });
    await page.goto("/libraries");
    await page.getByRole("button", { name: "Activity", exact: true }).waitFor();
    const saved = page.getByRole("group", { name: "Activity" }).getByRole("link", { name: "saved on it" });
    await page.context().setOffline(true);
    // What is behind the indicator was not opened yet, and cannot be fetched now.
    await page.getByRole("button", { name: "No connection" }).click();
    await saved.waitFor();
    await page.context().setOffline(false);
    await page.getByText("Nothing is under way, and nothing is new.").waitFor();
    await page.context().setOffline(true);
    await saved.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("heading", { name: "The page could not be loaded" }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: "Users", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Activity", exact: true }).waitFor();
  });
});
