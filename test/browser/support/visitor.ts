import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

/**
 * Opens a browser window of one's own until the end of the test. The test also fails when something went wrong in it:
 * errors of scripts, refusals by the Content Security Policy, answers of the server with 5xx, fields that the server
 * does not know.
 */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(`script: ${error.stack ?? error.message}`));
  page.on(
    "console",
    (message) => message.type() === "error" && isTrouble(message.text()) && troubles.push(`console: ${message.text()}`),
  );
  page.on(
    "response",
    (response) => response.status() >= 500 && troubles.push(`${response.status()} ${response.url()}`),
  );
  page.on("response", (response) => {
    const fields = response.headers()["x-unknown-fields"];
    if (fields === undefined) return;
    troubles.push(`${response.request().method()} ${response.url()} was sent unknown fields: ${fields}`);
  });
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`),
    ),
  );
  onTestFinished(async () => {
    await context.close();
    expect(troubles).toEqual([]);
  });
  return page;
}

/**
 * The browser itself writes a line for every answer that is not good, and for what is asked while it is offline; tests
 * that want this look at the page.
 */
function isTrouble(text: string): boolean {
  return !/^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)/.test(
    text,
  );
}
