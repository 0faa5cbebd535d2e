// What holds on every screen, looked at from within the page.
import type { Page } from "playwright-core";

/** Waits until what was changed is laid out. */
const laidOut = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** Does what the setting of browsers for the size of text does, until the page is closed. */
export async function enlargeText(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: (16 * percent) / 100 } });
  await laidOut(page);
}

/** How many pixels the page is wider than its window, with what reaches furthest; undefined when it is not. */
export async function sidewaysExcess(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return undefined;
    const beyond: string[] = [];
    const look = (root: ParentNode, way: string): void => {
      for (const element of root.querySelectorAll("*")) {
        const here = `${way} ${element.localName}${[...element.classList].map((name) => `.${name}`).join("")}`;
        const { left, right } = element.getBoundingClientRect();
        // Of an element that fits, its text may not.
        if (Math.max(right, left + element.scrollWidth) > clientWidth + 1) beyond.push(here);
        if (element.shadowRoot) look(element.shadowRoot, here);
      }
    };
    look(document.body, "");
    return `${scrollWidth - clientWidth}px: ${beyond.slice(-3).join(" | ")}`;
  });
}

/** The visible headings, outermost first; those in shadow roots as well. */
export async function headings(page: Page): Promise<readonly string[]> {
  return page
    .getByRole("heading", { level: 1 })
    .evaluateAll((all) => all.map(({ textContent }) => textContent?.trim() ?? ""));
}

interface Stop {
  readonly name: string;
  readonly isSeen: boolean;
  readonly isMarked: boolean;
}

/**
 * Goes through the page by the tab key until it begins again, at most `most` times. Answers the stops at which a person
 * would not see where they are.
 */
export async function hiddenStops(page: Page, most: number): Promise<readonly string[]> {
  const lost: string[] = [];
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    window.scrollTo(0, 0);
  });
  let stops = 0;
  for (; stops < most; stops++) {
    await page.keyboard.press("Tab");
    await laidOut(page);
    const stop = await page.evaluate(look);
    if (stop === undefined) break;
    if (!stop.isSeen) lost.push(`${stop.name}: not in the window`);
    else if (!stop.isMarked) lost.push(`${stop.name}: not marked`);
  }
  return stops === 0 ? ["nothing takes the focus"] : [...new Set(lost)];
}

/** Runs in the page. */
function look(): Stop | undefined {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === null || at === document.body) return undefined;
  const shown =
    at instanceof HTMLInputElement && getComputedStyle(at).opacity === "0" ? (at.closest("label") ?? at) : at;
  const isRinged = (element: Element | null): boolean => {
    for (let one = element, steps = 0; one && steps < 4; steps++) {
      for (const part of [undefined, "::before", "::after"]) {
        const { outlineStyle, outlineWidth } = getComputedStyle(one, part);
        if (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) return true;
      }
      one = one.parentElement ?? ((one.getRootNode() as ShadowRoot).host as Element | undefined) ?? null;
    }
    return false;
  };
  const { top, bottom, left, right } = shown.getBoundingClientRect();
  const label = at.getAttribute("aria-label") ?? at.textContent?.trim().slice(0, 40) ?? "";
  return {
    name: `${at.localName}${at.id && `#${at.id}`} ${JSON.stringify(label)}`,
    isSeen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    isMarked: isRinged(shown),
  };
}
