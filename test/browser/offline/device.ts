import type { Browser, BrowserContext, Page } from "playwright-core";
import { chooseFrom } from "../support/choose-action.ts";

/** A device with a browser of its own. */
export interface Device extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
}

export async function openDevice(browser: Browser, baseURL: string): Promise<Device> {
  const context = await browser.newContext({
    baseURL,
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 860 },
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  return { context, page, [Symbol.asyncDispose]: () => context.close() };
}

export const password = "longbox123";

export async function signIn(page: Page, username: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Name").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

/** Opens the dialog on the page of an issue, book or audiobook. @param id - the one in the page's address */
export async function openSaving(page: Page, id: number): Promise<void> {
  await page.goto(`/issue/${id}`);
  // The navigation of narrow windows has a menu of that name, too.
  const more = page.locator("lb-issue-page").getByRole("button", { name: /^More/ }).first();
  await chooseFrom(more, page.getByRole("menuitem", { name: "Save on this device" }));
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).waitFor();
}

export async function save(page: Page, id: number): Promise<void> {
  await openSaving(page, id);
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved on this device.").waitFor();
}

/** The names of the caches that hold what is saved. */
export const savedCaches = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await globalThis.caches.keys()).filter((name) => name.startsWith("longbox-offline-")));
