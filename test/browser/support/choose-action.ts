import type { Locator, Page } from "playwright-core";

const mostMs = 30_000;

/** Chooses an entry of the menu behind ⋯, such as "More for this series". */
export function chooseAction(page: Page, menu: string, entry: string): Promise<void> {
  return chooseFrom(page.getByRole("button", { name: menu }), page.getByRole("menuitem", { name: entry, exact: true }));
}

/**
 * Opens a menu and chooses an entry. What arrives late on the page may add the entry, or move the page and so close the
 * menu: then it is opened again.
 */
export async function chooseFrom(button: Locator, entry: Locator): Promise<void> {
  for (const begun = performance.now(); ;) {
    if (!(await entry.isVisible())) await button.click();
    try {
      return await entry.click({ timeout: 3_000 });
    } catch (failure) {
      if (performance.now() - begun > mostMs) throw failure;
    }
  }
}
