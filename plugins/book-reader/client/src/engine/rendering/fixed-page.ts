const fallback = { width: 1000, height: 1400 };

/**
 * Fits a page of fixed layout into a page of flowing text, and again whenever the renderer lays the section out. The
 * styles of the user do not apply to it.
 */
export function fitFixedPage(section: Document): void {
  const { documentElement: root, body } = section;
  // The renderer has put its two style sheets first and last.
  const sheets = [...section.head.querySelectorAll(":scope > style")];
  for (const sheet of [sheets[0], sheets.at(-1)]) sheet?.setAttribute("media", "not all");
  const { width, height } = sizeOf(section);
  const fit = () => {
    const space = spaceIn(root);
    const styles = {
      // Contained, so that its paper is not that of the whole section.
      ...{ position: "relative", contain: "paint", background: "#fff", color: "#000", "max-width": "none" },
      ...{ width: `${width}px`, height: `${height}px`, "break-inside": "avoid" },
      zoom: String(Math.min(space.width / width, space.height / height)),
    };
    for (const [name, value] of Object.entries(styles)) body.style.setProperty(name, value, "important");
  };
  // What the renderer changes at the root element is the size of a page.
  new MutationObserver(fit).observe(root, { attributes: true, attributeFilter: ["style"] });
}

function sizeOf(section: Document): { readonly width: number; readonly height: number } {
  const content = section.querySelector('meta[name="viewport"]')?.getAttribute("content") ?? "";
  const [width, height] = ["width", "height"].map((side) => {
    const [, value] = new RegExp(`(?:^|[\\s,;])${side}\\s*=\\s*([\\d.]+)`).exec(content) ?? [];
    return Number(value);
  });
  return width && height ? { width, height } : fallback;
}

/** The space of one page: a column, or in a scrolled section the width of the frame. */
function spaceIn(root: HTMLElement): { readonly width: number; readonly height: number } {
  const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(root);
  const column = Number.parseFloat(root.style.columnWidth);
  if (Number.isNaN(column))
    return {
      width: root.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
      height: Number.POSITIVE_INFINITY,
    };
  return {
    width: column,
    height: Number.parseFloat(root.style.height) - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom),
  };
}
