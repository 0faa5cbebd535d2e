import { html, type TemplateResult } from "lit";
import { icon } from "../icons/icon.js";
import { card, type Card } from "./card.js";

export interface Shelf {
  readonly heading: string;
  /** Where all of it is. */
  readonly href?: string;
  readonly cards: readonly Card[];
}

/**
 * A row of covers that runs out of the window, under a heading; left and right arrows walk along it. Styled by `walls`,
 * `cards` and `covers`.
 */
export function shelf({ heading, href, cards }: Shelf): TemplateResult {
  return html`<section class="shelf" aria-label=${heading}>
    <h2>${href === undefined ? heading : html`<a href=${href}>${heading}${icon("next")}</a>`}</h2>
    <ul class="shelf-row" @keydown=${walk}>
      ${cards.map((shown) => html`<li>${card(shown, { sizes: "176px" })}</li>`)}
    </ul>
  </section>`;
}

/** Holds the place of a shelf, of the same height. */
export function shelfSkeleton(): TemplateResult {
  return html`<div class="shelf waiting" role="status">
    <h2><span class="hidden">One moment …</span>&nbsp;</h2>
    <div class="shelf-row" aria-hidden="true">${Array.from({ length: 6 }, () => html`<i class="blank"></i>`)}</div>
  </div>`;
}

function walk(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const links = [...(event.currentTarget as Element).querySelectorAll("a")];
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step];
  if (step === 0 || !next || !links.includes(event.target as HTMLAnchorElement)) return;
  event.preventDefault();
  next.focus();
}
