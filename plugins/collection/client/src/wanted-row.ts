import { actionBar, cover, covers, day, element, LongboxElement, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { WantedRow } from "@longbox/collection/api";
import { controls } from "./wanted-style.js";
import { issueNames } from "@longbox/collection/client";
import { released, why } from "./wording.js";

/** Wants the issue, refuses it, or leaves it to the monitoring of its series. */
export type Choice = { readonly want: boolean } | { readonly clear: true };

/** One issue that is not owned. Sends `choose` with what the user chose for it. */
@element("collection-wanted-row")
export class WantedRowElement extends LongboxElement {
  @property({ attribute: false }) row!: WantedRow;
  /** The series is not in the heading above, so it is named here. */
  @property({ type: Boolean }) named = false;

  static override styles = [
    controls,
    covers,
    css`
      :host {
        display: grid;
        grid-template-columns: 2.75rem minmax(0, 1fr) auto;
        gap: var(--lb-space-3);
        align-items: center;
        padding: var(--lb-space-2) 0;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: var(--lb-space-2);
        justify-content: end;
      }
      @media (width < 40rem) {
        .actions {
          grid-column: 1 / -1;
        }
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

  override render(): TemplateResult {
    const { row } = this;
    const when = released(row);
    return html`${cover({ path: row.cover, title: row.label.short, sizes: "44px", isMissing: true })}
      <div class="what">
        <strong
          >${this.named ? html`<a href="/series/${row.seriesId}">${row.series}</a> ` : nothing}<a
            href="/issue/${row.cvIssueId}"
            >${issueNames(row, row.series).heading}</a
          ></strong
        >
        <span class="note">
          <span class=${row.wanted ? "why" : ""}>${why(row)}</span>
          ${when === null ? nothing : html`<time datetime=${when}>${day(when)}</time>`}
          ${row.reason ? html`<span>${this.longbox.said(row.reason)}</span>` : nothing}
          ${row.queueStatus ? html`<span>${t("wantedRow.download", { state: row.queueStatus })}</span>` : nothing}
        </span>
      </div>
      <div class="actions">
        ${actionBar(this.#offered(), { label: t("wantedRow.moreFor", { short: row.label.short }), mostButtons: 1, isPlain: true })}
        ${this.longbox.may("downloads.grab") ? this.#action() : nothing}
      </div>`;
  }

  /** Moves the focus to what can be chosen for the issue, or else to the issue. */
  override focus(): void {
    const { renderRoot } = this;
    (renderRoot.querySelector<HTMLElement>("button.choice") ?? renderRoot.querySelector("a"))?.focus();
  }

  #offered() {
    return this.longbox.actions({ kind: "issue", items: [{ ...this.row, owned: false }] });
  }

  /** One button for all choices, so that it keeps the focus when its text changes. */
  #action(): TemplateResult {
    const { row } = this;
    const [label, choice]: [string, Choice] = !row.wanted
      ? [t("wantedRow.pick"), { want: true }]
      : row.pick
        ? [t("wantedRow.unpick"), { clear: true }]
        : [t("wantedRow.refuse"), { want: false }];
    return html`<button
      class="choice"
      aria-label="${label} ${row.label.full}"
      @click=${() => this.dispatchEvent(new CustomEvent("choose", { detail: choice }))}
    >
      ${label}
    </button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "collection-wanted-row": WantedRowElement;
  }
}
