import { day, element, LongboxElement } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { WantedRow } from "./shapes.js";
import { controls } from "./wanted-style.js";
import { issueNumber, released, why } from "./wording.js";

/** Wants the issue, refuses it, or leaves it to the monitoring of its series. */
export type Wish = { readonly want: boolean } | { readonly clear: true };

/** One issue that nobody has. Sends `choose` with what the user wishes for it. */
@element("collection-wanted-row")
export class WantedRowElement extends LongboxElement {
  @property({ attribute: false }) row!: WantedRow;
  /** The series is not in the heading above, so it is named here. */
  @property({ type: Boolean }) named = false;
  @state() private uncovered = false;

  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: 2.75rem minmax(0, 1fr) auto;
        gap: var(--lb-space-3);
        align-items: center;
        padding: var(--lb-space-2) 0;
      }
      .cover {
        display: grid;
        place-items: center;
        aspect-ratio: 2 / 3;
        overflow: hidden;
        border: 1px dashed color-mix(in oklab, var(--lb-ink-soft) 60%, var(--lb-line));
        border-radius: var(--lb-radius-s);
        color: var(--lb-ink-soft);
        font: 600 var(--lb-text-xs) / 1 var(--lb-font-mono);
      }
      .cover img {
        width: 100%;
        height: 100%;
        object-fit: cover;
        filter: grayscale(1);
        opacity: 0.6;
      }
      .what {
        display: grid;
        min-width: 0;
      }
      .what strong {
        font: 700 1.125rem / 1.3 var(--lb-font-display);
        overflow-wrap: anywhere;
      }
      .note {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--lb-space-3);
        color: var(--lb-ink-soft);
        font-size: var(--lb-text-s);
      }
      .why {
        color: var(--lb-accent);
        font-weight: 600;
      }
    `,
  ];

  override willUpdate(changed: Map<string, unknown>): void {
    const before = changed.get("row") as WantedRow | undefined;
    if (before && before.cover !== this.row.cover) this.uncovered = false;
  }

  override render(): TemplateResult {
    const { row } = this;
    const when = released(row);
    return html`${this.#cover()}
      <div class="what">
        <strong>${this.named ? html`<a href="/series/${row.seriesId}">${row.series}</a> ` : nothing}<a href="/issue/${row.cvIssueId}">${issueNumber(row.number)}${row.title ? ` ${row.title}` : ""}</a></strong>
        <span class="note">
          <span class=${row.wanted ? "why" : ""}>${why(row)}</span>
          ${when === null ? nothing : html`<time datetime=${when}>${day(when)}</time>`}
          ${row.reason ? html`<span>${row.reason}</span>` : nothing}
          ${row.queueStatus ? html`<span>Download: ${row.queueStatus}</span>` : nothing}
        </span>
      </div>
      ${this.longbox.may("downloads.grab") ? this.#action() : nothing}`;
  }

  #cover(): TemplateResult {
    const { row } = this;
    if (this.uncovered) return html`<span class="cover" aria-hidden="true">${issueNumber(row.number)}</span>`;
    return html`<span class="cover"><img alt="" loading="lazy" decoding="async" src="${row.cover}?w=160" @error=${() => (this.uncovered = true)} /></span>`;
  }

  /** Moves the focus to what can be done with the issue, or else to the issue. */
  override focus(): void {
    const { renderRoot } = this;
    (renderRoot.querySelector("button") ?? renderRoot.querySelector("a"))?.focus();
  }

  /** One button whatever it says, so that it keeps the focus when it says something else. */
  #action(): TemplateResult {
    const { row } = this;
    const [label, wish]: [string, Wish] = !row.wanted ? ["Pick", { want: true }] : row.pick ? ["Unpick", { clear: true }] : ["Refuse", { want: false }];
    return html`<button aria-label="${label} ${row.series} ${issueNumber(row.number)}" @click=${() => this.dispatchEvent(new CustomEvent("choose", { detail: wish }))}>${label}</button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "collection-wanted-row": WantedRowElement;
  }
}
