import type { Locator } from "playwright-core";

/**
 * Everything that a part of a page says, what is in shadow roots included, which `innerText` leaves out; without
 * addresses.
 */
export async function saidBy(part: Locator): Promise<string> {
  return (await part.ariaSnapshot()).replaceAll(/^\s*- \/url:.*$/gm, "");
}
