import { html, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { number } from "../wording/numbers.js";
import { t } from "../language/translate.js";

export interface Progress {
  /** What is being done; the name of the bar. */
  readonly label: string;
  readonly done: number;
  /** 0 while it is not known; the bar then moves to and fro. */
  readonly total: number;
  /** What is counted: `files`. Without it nothing is written beside the bar. */
  readonly unit?: string;
  readonly cancel?: () => void;
}

/** A bar for something long, and how far it is. Looks as `surfaces` says. */
export function progress({ label, done, total, unit, cancel }: Progress): TemplateResult {
  const isKnown = total > 0;
  const figures = isKnown
    ? t(["kit:doneOf", [["done"], " of ", ["total"], " ", ["unit"]]], { done, total, unit })
    : `${number(done)} ${unit}`;
  return html`<div class="progress-line">
    ${
      unit === undefined
        ? nothing
        : html`<div class="row spread">
            <span class="progress-label">${label}</span><span class="label">${figures}</span>
          </div>`
    }
    <div class="row progress-bar">
      <progress
        aria-label=${label}
        max=${isKnown ? total : 1}
        value=${ifDefined(isKnown ? Math.min(done, total) : undefined)}
      ></progress>
      ${cancel ? html`<button type="button" class="quiet" @click=${cancel}>${t(["kit:cancel", "Cancel"])}</button>` : nothing}
    </div>
  </div>`;
}
