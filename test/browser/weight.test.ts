import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChromium } from "./support/chromium.ts";
import { pluginsWithClients } from "./support/contributed-pages.ts";
import { signIn } from "./support/first-run.ts";
import { startLongbox, type RunningLongbox } from "./support/longbox.ts";
import { comicsFolder, seed } from "./support/seeding.ts";
import { visit } from "./support/visitor.ts";

const plans = Array.from({ length: 8 }, (_, index) => ({
  title: `Moth ${index + 1}`,
  year: 2019,
  issues: ["1", "2"],
  pages: 2,
  tagged: false,
}));
const mostScriptBytes = 120_000;
const mostRequests = 45;
const mostShift = 0.05;

let longbox: RunningLongbox;
let browser: Browser;
let comics: Awaited<ReturnType<typeof comicsFolder>>;
beforeAll(async () => {
  [longbox, browser, comics] = await Promise.all([
    startLongbox({}, pluginsWithClients()),
    startChromium(),
    comicsFolder(plans),
  ]);
  await seed(longbox.url, comics.folder, plans.length);
});
afterAll(async () => {
  await browser.close();
  await longbox[Symbol.asyncDispose]();
  await comics[Symbol.asyncDispose]();
});

/** What comes over the line until nothing more does, as it is encoded there: what plugins add to the page included. */
async function measured(page: Page, path: string): Promise<{ scriptBytes: number; requests: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const scripts = new Set<string>();
  const sizes = new Map<string, number>();
  session.on("Network.responseReceived", ({ requestId, type }) => void (type === "Script" && scripts.add(requestId)));
  session.on(
    "Network.loadingFinished",
    ({ requestId, encodedDataLength }) => void sizes.set(requestId, encodedDataLength),
  );
  await page.goto(path, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: /^Moth 8/ }).waitFor();
  await page.getByRole("button", { name: "Filters" }).waitFor();
  const scriptBytes = [...sizes].reduce((sum, [id, bytes]) => sum + (scripts.has(id) ? bytes : 0), 0);
  return { scriptBytes, requests: sizes.size };
}

it("sends the library page with little code, compressed, in few requests", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  const { scriptBytes, requests } = await measured(page, "/library");
  expect(scriptBytes).toBeGreaterThan(10_000);
  expect(scriptBytes).toBeLessThan(mostScriptBytes);
  expect(requests).toBeLessThanOrEqual(mostRequests);
});

it("moves nothing on the home page while its shelves arrive, at the first visit and the next", async () => {
  const page = await visit(browser, longbox.url);
  await signIn(page, longbox.url);
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      const moved = list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0);
      Object.assign(window, { shift: (window as unknown as { shift: number }).shift + moved });
    }).observe({ type: "layout-shift", buffered: true });
  });
  const shifts: number[] = [];
  for (let visits = 0; visits < 2; visits++) {
    await page.goto("/");
    await page.getByRole("region", { name: "New in the library" }).waitFor();
    await page.getByRole("region", { name: "Recently added series" }).waitFor();
    // Until the held height is given back.
    await page.waitForFunction(() => {
      const home = document.querySelector("lb-home-page")?.shadowRoot;
      return home?.querySelector<HTMLElement>("lb-slot[name=home]")?.style.minHeight === "";
    });
    shifts.push(await page.evaluate(() => (window as unknown as { shift: number }).shift));
  }
  expect(shifts.filter((shift) => shift >= mostShift)).toEqual([]);
});
