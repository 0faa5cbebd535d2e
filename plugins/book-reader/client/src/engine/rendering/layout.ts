import { word } from "../words.js";
import type { Layout } from "@longbox/book-reader/api";
import { fitFixedPage } from "./fixed-page.js";
import { keepAlignment } from "./kept-alignment.js";
import { bookStyles, themes } from "./styles.js";
import { repairViewport } from "./viewport.js";

/** Pixels above and below the text, and the widest and tallest text of one column. */
const head = 28;
const widest = 720;
const tallest = 1440;

/** Shows the book as the user wants it. Books of fixed layout keep their own. */
export function applyLayout(view: FoliateView, layout: Layout): void {
  const { paper, forced, table } = themes[layout.theme];
  document.documentElement.style.setProperty("background", view.isFixedLayout ? table : paper);
  // A frame whose scheme is another than that of its document gets an opaque background from the browser.
  document.documentElement.style.setProperty("color-scheme", forced && !view.isFixedLayout ? "dark" : "light");
  document.documentElement.style.setProperty("--overlayer-highlight-opacity", forced ? "0.4" : "0.35");
  const { renderer } = view;
  if (view.isFixedLayout) return;
  // A page follows the finger, and then moves on; keys and clicks turn pages at once.
  renderer.toggleAttribute(
    "animated",
    matchMedia("(pointer: coarse) and (prefers-reduced-motion: no-preference)").matches,
  );
  const attributes = {
    flow: isScrolled(view, layout) ? "scrolled" : "paginated",
    margin: `${head}px`,
    // Half of it is beside the text twice: outside of the frame of a section and inside.
    gap: `${Math.max(2, layout.margin)}%`,
    "max-inline-size": `${Math.round((widest * Math.max(100, layout.fontSize)) / 100)}px`,
    "max-block-size": `${tallest}px`,
    "max-column-count": String(layout.columns === 0 ? 2 : layout.columns),
  };
  for (const [name, value] of Object.entries(attributes))
    if (renderer.getAttribute(name) !== value) renderer.setAttribute(name, value);
  renderer.setStyles?.(bookStyles(layout));
}

/** Whether the user, or else the book, wants one long page. */
function isScrolled({ book }: FoliateView, { flow }: Layout): boolean {
  if (flow !== "book") return flow === "scrolled";
  return book.rendition?.flow?.startsWith("scrolled") === true;
}

/**
 * Finishes a section that was just put into its frame: its name for screen readers, and white paper for drawn pages.
 */
export function prepareDocument(section: Document, view: FoliateView, index: number): void {
  const frame = section.defaultView?.frameElement as HTMLElement | null | undefined;
  frame?.setAttribute("title", section.title || (view.isFixedLayout ? word("page", index + 1) : word("text")));
  if (view.book.sections[index]?.isFixedPage) fitFixedPage(section);
  else if (!view.isFixedLayout) keepAlignment(section);
  if (!view.isFixedLayout) return;
  frame?.style.setProperty("background", "#fff");
  repairViewport(section);
}
