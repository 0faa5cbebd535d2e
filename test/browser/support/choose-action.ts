import type { Page } from "playwright-core";

/** Chooses an entry of the menu behind ⋯, such as "More for this series". */
export async function chooseAction(page: Page, menu: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}
