// The clipboard, which browsers have in two ways.
import { t } from "./language/translate.js";

/**
 * Copies the text of an element, such as a key that is shown only once. Browsers have no `navigator.clipboard` on pages
 * that came over plain HTTP from another machine; there the text is selected and copied as by hand.
 * @throws {Error} when the browser does not let the page copy; the text stays selected
 */
export async function copyTextOf(shown: Element | null): Promise<void> {
  if (!shown) return;
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard) return await clipboard.writeText(shown.textContent?.trim() ?? "");
  getSelection()?.selectAllChildren(shown);
  if (!document.execCommand("copy"))
    throw new Error(
      t(["kit:cannotCopy", "This browser does not let the page copy. Select the text and copy it yourself."]),
    );
}
