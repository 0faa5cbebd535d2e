import { cover, covers, element, LongboxElement, month, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Item } from "@longbox/lists/api";
import { style } from "./style.js";
import { nameOf, readingOf } from "./wording.js";

/** Keys of the handle, and how far each moves the issue. */
const steps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

const icon = (path: string): TemplateResult =>
  html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d=${path} /></svg>`;

/**
 * One item of a list. Dispatches `step` with how far to move it, `grab` when a pointer drags it, and `take` to remove
 * it.
 */
@element("lists-item")
export class ListsItem extends LongboxElement {
  @property({ attribute: false }) item!: Item;
  @property({ type: Number }) position = 0;
  @property({ type: Boolean }) mine = false;

  static override styles = [
    style,
    covers,
    css`
      :host {
        display: grid;
        grid-template-columns: 2.75rem 2.5rem 2.75rem minmax(0, 1fr) auto;
        gap: var(--lb-space-3);
        align-items: center;
        padding: var(--lb-space-2) 0;
      }
      :host(:not([mine])) {
        grid-template-columns: 2.5rem 2.75rem minmax(0, 1fr) auto;
      }
      .handle {
        width: 2.75rem;
        padding: 0;
        border-color: transparent;
        background: none;
        color: var(--lb-ink-soft);
        cursor: grab;
        touch-action: none;
      }
      .handle:active {
        cursor: grabbing;
      }
      .handle svg {
        width: 1.25rem;
        height: 1.25rem;
        fill: currentColor;
      }
      .position {
        color: var(--lb-ink-soft);
        font-family: var(--lb-font-mono);
        font-size: var(--lb-text-s);
        text-align: end;
      }
      .what {
        display: grid;
        min-width: 0;
      }
      .name {
        overflow-wrap: anywhere;
        color: inherit;
        font: 700 1.125rem / 1.2 var(--lb-font-display);
        text-decoration: none;
      }
      a.name:hover {
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.2em;
      }
      .read {
        color: var(--lb-success);
      }
      .row svg {
        display: none;
        width: 1.25rem;
        height: 1.25rem;
        fill: none;
        stroke: currentColor;
        stroke-linecap: round;
        stroke-linejoin: round;
        stroke-width: 1.75;
      }
      /* On touch screens, the handle takes the room of the position and the facts. */
      @media (max-width: 639px) {
        :host {
          grid-template-columns: 2.25rem 2.5rem minmax(0, 1fr) auto;
          gap: var(--lb-space-2);
        }
        :host(:not([mine])) {
          grid-template-columns: 1.75rem 2.5rem minmax(0, 1fr) auto;
        }
        :host([mine]) .position,
        .row span {
          display: none;
        }
        .handle {
          width: 2.25rem;
        }
        .row {
          flex-wrap: nowrap;
          gap: var(--lb-space-1);
        }
        .row > .button,
        .row > button {
          width: 2.75rem;
          padding: 0;
        }
        .row svg {
          display: block;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    const { item, mine } = this;
    const name = nameOf(item);
    const reading = readingOf(this.longbox, item);
    return html`${mine ? this.#handle(name) : nothing}
      <span class="position" aria-hidden="true">${this.position}</span>
      ${cover({ path: item.cover, title: item.label?.short ?? item.number ?? "", sizes: "44px", isMissing: !item.owned })}
      <div class="what">
        ${item.inLibrary ? html`<a class="name" href="/issue/${item.cvIssueId}">${name}</a>` : html`<span class="name">${name}</span>`}
        <span class="facts">${this.#facts()}</span>
      </div>
      <div class="row">
        ${reading ? html`<a class="button" href=${reading.href ?? ""} aria-label="${reading.label} ${name}" title=${reading.label}>${icon("M10 5C8.300 3.800 5.500 3.400 3 3.900v11.600c2.500-.5 5.300 0 7 1.200 1.700-1.200 4.500-1.700 7-1.200V3.900C14.500 3.400 11.700 3.800 10 5zm0 0v11.500")}<span>${reading.label}</span></a>` : nothing}
        ${mine ? html`<button aria-label=${t("itemRow.takeOut", { name })} title=${t("itemRow.remove")} @click=${() => this.dispatchEvent(new CustomEvent("take"))}>${icon("m5 5 10 10M15 5 5 15")}<span>${t("itemRow.remove")}</span></button>` : nothing}
      </div>`;
  }

  /** Moves the focus to the handle. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".handle")?.focus();
  }

  #handle(name: string): TemplateResult {
    return html`<button
      class="handle"
      aria-label=${t("itemRow.movePlace", { name, position: this.position })}
      title=${t("itemRow.dragOrPressThe")}
      @keydown=${this.#key}
      @pointerdown=${(event: PointerEvent) => event.button === 0 && this.dispatchEvent(new CustomEvent("grab", { detail: event }))}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M6 4h2v2H6zm6 0h2v2h-2zM6 9h2v2H6zm6 0h2v2h-2zM6 14h2v2H6zm6 0h2v2h-2z" />
      </svg>
    </button>`;
  }

  #facts(): TemplateResult {
    const { item } = this;
    const parts = [
      item.label ? item.label.within : item.title,
      item.coverDate === null ? null : month(item.coverDate),
      item.owned ? null : item.inLibrary ? t("itemRow.notOwned") : t("itemRow.notInTheLibrary"),
    ].filter((part) => part !== null && part !== "");
    return html`${parts.join(" · ")}${item.read ? html`${parts.length > 0 ? " · " : ""}<span class="read">${t("itemRow.read")}</span>` : nothing}`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("step", { detail: step }));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "lists-item": ListsItem;
  }
}
