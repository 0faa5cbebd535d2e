import type { Layout } from "@longbox/book-reader/api";
import { bookStyles, themes } from "./styles.js";

/** Pixels above and below the text, and the widest and tallest text of one column. */
const head = 28;
const widest = 720;
const tallest = 1440;

/** Shows the book as the user wants it. Books of fixed layout keep their own. */
export function applyLayout(view: FoliateView, layout: Layout): void {
  document.documentElement.style.setProperty("background", view.isFixedLayout ? "#5a5a5a" : themes[layout.theme].paper);
  // A frame whose scheme is another than that of its document gets an opaque background from the browser.
  document.documentElement.style.setProperty(
    "color-scheme",
    themes[layout.theme].forced && !view.isFixedLayout ? "dark" : "light",
  );
  document.documentElement.style.setProperty(
    "--overlayer-highlight-opacity",
    themes[layout.theme].forced ? "0.4" : "0.35",
  );
  const { renderer } = view;
  if (view.isFixedLayout) return;
  const attributes = {
    flow: layout.flow === "scrolled" ? "scrolled" : "paginated",
    margin: `${head}px`,
    gap: `${Math.max(2, layout.margin * 2)}%`,
    "max-inline-size": `${Math.round((widest * Math.max(100, layout.fontSize)) / 100)}px`,
    "max-block-size": `${tallest}px`,
    "max-column-count": String(layout.columns === 0 ? 2 : layout.columns),
  };
  for (const [name, value] of Object.entries(attributes))
    if (renderer.getAttribute(name) !== value) renderer.setAttribute(name, value);
  renderer.setStyles?.(bookStyles(layout));
}

/** Finishes a section that was just put into its frame: its name for screen readers, and white paper for drawn pages. */
export function prepareDocument(section: Document, view: FoliateView): void {
  const frame = section.defaultView?.frameElement as HTMLElement | null | undefined;
  frame?.setAttribute("title", section.title || "Text of the book");
  if (view.isFixedLayout) frame?.style.setProperty("background", "#fff");
}
