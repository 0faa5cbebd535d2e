import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../icons/icon.js";
import { alongText } from "../lists/along-text.js";
import { card, type Card } from "./card.js";
import { t } from "../language/translate.js";

export interface Shelf {
  readonly heading: string;
  /** Where all of it is. */
  readonly href?: string;
  readonly cards: readonly Card[];
}

/**
 * A row of covers that runs out of the window, under a heading, with arrows for the mouse and a link to all of it; left
 * and right arrow keys walk along it. Styled by `walls`, `cards` and `covers`.
 */
export function shelf({ heading, href, cards }: Shelf): TemplateResult {
  return html`<section class="shelf" aria-label=${heading} @pointerenter=${entered}>
    <div class="shelf-head">
      <h2>${heading}</h2>
      ${href === undefined ? nothing : html`<a class="see-all" href=${href} aria-label=${t(["kit:seeAllOf", ["See all: ", ["heading"]]], { heading })}>${t(["kit:seeAll", "See all"])}</a>`}
      <span class="arrows" aria-hidden="true">
        <button type="button" class="quiet round before" tabindex="-1" @click=${(event: Event) => turn(event, -1)}>
          ${icon("next")}
        </button>
        <button type="button" class="quiet round after" tabindex="-1" @click=${(event: Event) => turn(event, 1)}>
          ${icon("next")}
        </button>
      </span>
    </div>
    <ul class="shelf-row" @keydown=${walk} @scroll=${scrolled}>
      ${cards.map((shown) => html`<li>${card(shown, { sizes: "176px" })}</li>`)}
    </ul>
  </section>`;
}

/** Holds the place of a shelf, of the same height. */
export function shelfSkeleton(): TemplateResult {
  return html`<div class="shelf waiting" role="status">
    <div class="shelf-head">
      <h2><span class="hidden">${t(["kit:oneMoment", "One moment …"])}</span>&nbsp;</h2>
    </div>
    <div class="shelf-row" aria-hidden="true">${Array.from({ length: 6 }, () => html`<i class="blank"></i>`)}</div>
  </div>`;
}

function walk(event: KeyboardEvent): void {
  const key = alongText(event.key);
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  const links = [...(event.currentTarget as Element).querySelectorAll("a")];
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step];
  if (step === 0 || !next || !links.includes(event.target as HTMLAnchorElement)) return;
  event.preventDefault();
  next.focus();
}

/** The arrows say in which directions the row goes on. */
function entered(event: Event): void {
  const row = (event.currentTarget as Element).querySelector(".shelf-row");
  if (row) mark(row);
}

function scrolled(event: Event): void {
  mark(event.currentTarget as Element);
}

function mark(row: Element): void {
  const end = row.scrollWidth - row.clientWidth;
  // In right-to-left text, positions are negative.
  const at = Math.abs(row.scrollLeft);
  row.parentElement?.toggleAttribute("data-before", at > 4);
  row.parentElement?.toggleAttribute("data-after", at < end - 4);
}

/** Scrolls by what fits into the window, so that the cover at the edge comes into view whole. */
function turn(event: Event, direction: 1 | -1): void {
  const row = (event.currentTarget as Element).closest(".shelf")?.querySelector(".shelf-row");
  if (!row) return;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const forward = getComputedStyle(row).direction === "rtl" ? -direction : direction;
  row.scrollBy({ left: forward * row.clientWidth * 0.85, behavior: isCalm ? "auto" : "smooth" });
}
