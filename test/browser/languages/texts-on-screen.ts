// Texts of the shown page in the pseudo-language: those that are not marked as messages, and messages that do not fit.
import type { Page } from "playwright-core";

/** Names and figures: the seeded comics, the account, folders, dates as `Intl` writes them, sizes, keys, products. */
const unmarked = [
  /Moth Patrol(?:, part \d)?|Ada Quill|Bo Fern|writer|CBZ|\.cbz|Lamplight|longbox|ada\b|administrator|comics?\b|\/[\w./-]+|https?:\S+|@[\w/-]+/gi,
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|\b(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)[a-z]*\b/g,
  /\b(?:in )?\d+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b|\b(?:now|today|tomorrow|yesterday|AM|PM)\b/g,
  /\b\d+(?:\.\d+)? ?[kMGT]?B\b|\b(?:English|Deutsch|LB|Ctrl|Esc|UTC|OPDS|KOReader|Kobo|Open Library)\b/g,
];

/** Texts and names for screen readers that stand in no message, in the order of the page. */
export async function rawTexts(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate(textsWithoutMark);
  const raw = texts.filter((text) =>
    /\p{L}{2,}/u.test(unmarked.reduce((rest, known) => rest.replaceAll(known, ""), text)),
  );
  return [...new Set(raw)];
}

/** Messages that their element cuts off, and the page where it is wider than the window. */
export async function clippedTexts(page: Page): Promise<readonly string[]> {
  return [...new Set(await page.evaluate(textsThatDoNotFit))];
}

/** Runs in the page. */
function textsWithoutMark(): string[] {
  const found: string[] = [];
  const isSaid = (node: Node): boolean => {
    let holder: Node | null = node;
    for (let level = 0; holder && level < 4; level++) {
      if (/\[[^]*\]/.test(holder.textContent ?? "")) return true;
      holder = holder.parentNode;
    }
    return false;
  };
  const look = (root: Node): void => {
    for (const node of root.childNodes) {
      if (node instanceof Text) {
        const text = node.data.trim();
        if (text !== "" && node.parentElement?.checkVisibility() !== false && !isSaid(node)) found.push(text);
      } else if (node instanceof Element) {
        if (node.matches("style, script, code, kbd, pre, samp, svg, time, [lang]:not(html)")) continue;
        for (const name of ["aria-label", "title", "placeholder"]) {
          const text = node.getAttribute(name);
          if (text && node.checkVisibility() && !/\[[^]*\]/.test(text)) found.push(`${name}: ${text}`);
        }
        if (node.shadowRoot) look(node.shadowRoot);
        look(node);
      }
    }
  };
  look(document.body);
  return found;
}

/** Runs in the page. */
function textsThatDoNotFit(): string[] {
  const found: string[] = [];
  const look = (root: ParentNode): void => {
    for (const element of root.querySelectorAll<HTMLElement>("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      const text = [...element.childNodes].map((node) => (node instanceof Text ? node.data : "")).join("");
      if (!text.includes("~") || !element.checkVisibility()) continue;
      const { overflowX, textOverflow } = getComputedStyle(element);
      // Shortened with dots on purpose, as placeholders and names in rows are.
      if (textOverflow === "ellipsis") continue;
      // Texts for screen readers alone are one pixel wide.
      const isHidden = element.classList.contains("hidden") || element.clientWidth <= 1;
      if (!isHidden && overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1)
        found.push(`${element.localName}.${element.className}: ${text.trim()}`);
    }
  };
  look(document);
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth + 1) found.push(`The page is ${scrollWidth} px wide.`);
  return found;
}
