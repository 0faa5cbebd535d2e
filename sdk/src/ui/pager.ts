import { html, nothing, type TemplateResult } from "lit";
import { t } from "./language/translate.js";

export interface Pager {
  /** Counts from 0. */
  readonly page: number;
  readonly hasNext: boolean;
  readonly turn: (page: number) => void;
  /** Stands between the buttons: `Page 2 of 7`. */
  readonly text?: string;
  readonly previous?: string;
  readonly next?: string;
}

/** Buttons to turn the pages of a list; nothing where there is only one. Looks as `layout` says. */
export function pager({
  page,
  hasNext,
  turn,
  text,
  previous = t(["kit:previous", "Previous"]),
  next = t(["kit:next", "Next"]),
}: Pager): TemplateResult | typeof nothing {
  if (page === 0 && !hasNext) return nothing;
  return html`<nav class="row pager" aria-label=${t(["kit:pages", "Pages"])}>
    <button type="button" ?disabled=${page === 0} @click=${() => turn(page - 1)}>${previous}</button>
    ${text === undefined ? nothing : html`<span class="soft">${text}</span>`}
    <button type="button" ?disabled=${!hasNext} @click=${() => turn(page + 1)}>${next}</button>
  </nav>`;
}
