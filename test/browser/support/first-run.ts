import type { Page } from "playwright-core";
import { expect } from "vitest";
import { account } from "./account.ts";
import { soon } from "./soon.ts";

/** The first page of an empty server: an account. */
export async function makeAccount(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  await page.getByLabel("Name").fill(account.username);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByRole("heading", { name: "Your library" }).waitFor();
}

/** Walks to the folder in the folder browser: types where its parent is, then opens it. */
export async function nameLibrary(page: Page, folder: string): Promise<void> {
  const parent = folder.slice(0, folder.lastIndexOf("/"));
  const path = page.getByLabel("Folder on the server");
  await path.fill(parent);
  await path.press("Enter");
  await page.getByRole("button", { name: folder.slice(parent.length + 1), exact: true }).click();
  await soon(() => path.inputValue()).toBe(folder);
  await page.getByRole("button", { name: "Add the library" }).click();
}

/** Signs in through the API, so that the next page is that user's. */
export async function signIn(page: Page, url: string): Promise<void> {
  const answer = await page.request.post("/api/auth/login", {
    data: account,
    headers: { Origin: new URL(url).origin },
  });
  expect(answer.status()).toBe(200);
}
