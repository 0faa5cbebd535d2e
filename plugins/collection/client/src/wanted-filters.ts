import { check, choice, element, t, valueOf } from "@longbox/sdk/ui";
import { css, html, LitElement, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Order, Question, Scope } from "./question.js";
import { controls } from "./wanted-style.js";

const scopes: ReadonlyArray<readonly [Scope, string]> = [
  ["wanted", t("wantedFilters.wanted")],
  ["gaps", t("wantedFilters.everyGap")],
];
const orders: ReadonlyArray<readonly [Order, string]> = [
  ["series", t("wantedFilters.series")],
  ["newest", t("wantedFilters.newestFirst")],
  ["oldest", t("wantedFilters.oldestFirst")],
  ["most", t("wantedFilters.mostMissing")],
  ["fewest", t("wantedFilters.fewestMissing")],
];
const pauseMs = 250;

/** What is to be shown, and in which order. Sends `ask` with what has changed. */
@element("collection-wanted-filters")
export class WantedFilters extends LitElement {
  static override shadowRootOptions: ShadowRootInit = { ...LitElement.shadowRootOptions, delegatesFocus: true };
  @property({ attribute: false }) question!: Question;
  #typing: number | undefined;

  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--lb-space-3) var(--lb-space-4);
        margin: var(--lb-space-4) 0 var(--lb-space-5);
      }
      .scopes {
        display: inline-flex;
      }
      .scopes button:first-child {
        border-start-end-radius: 0;
        border-end-end-radius: 0;
      }
      .scopes button:last-child {
        margin-inline-start: -1.5px;
        border-start-start-radius: 0;
        border-end-start-radius: 0;
      }
      input[type="search"] {
        flex: 1 1 12rem;
        min-width: 0;
        max-width: 22rem;
      }
      @media (width < 40rem) {
        input[type="search"] {
          flex-basis: 100%;
          max-width: none;
        }
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.#typing);
  }

  override render(): TemplateResult {
    const { scope, sort, followed, hideUnreleased, q } = this.question;
    return html`
      <span class="scopes" role="group" aria-label=${t("wantedFilters.whatToShow")}
        >${scopes.map(([name, label]) => html`<button aria-pressed=${name === scope} @click=${() => this.#ask({ scope: name })}>${label}</button>`)}</span
      >
      <input
        type="search"
        aria-label=${t("wantedFilters.searchThisList")}
        placeholder=${t("wantedFilters.seriesTitleOrNumber")}
        autocomplete="off"
        .value=${q}
        @input=${(event: Event) => this.#type(valueOf(event))}
      />
      ${choice({ label: t("wantedFilters.order"), choices: orders }, sort, (order) => this.#ask({ sort: order }))}
      ${check(t("wantedFilters.onlyFollowed"), followed, (on) => this.#ask({ followed: on }))}
      ${check(t("wantedFilters.hideUnreleased"), hideUnreleased, (on) => this.#ask({ hideUnreleased: on }))}
    `;
  }

  /** Asks once the typing pauses. */
  #type(q: string): void {
    window.clearTimeout(this.#typing);
    this.#typing = window.setTimeout(() => this.#ask({ q }), pauseMs);
  }

  #ask(detail: Partial<Question>): void {
    this.dispatchEvent(new CustomEvent("ask", { detail }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "collection-wanted-filters": WantedFilters;
  }
}
