import { element, LongboxElement, t } from "@longbox/sdk/ui";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { drag, type Drop } from "./dragging.js";
import "./item-row.js";
import type { Item } from "@longbox/lists/api";
import { style } from "./style.js";
import { nameOf } from "./wording.js";

/** Rows that are rendered at first; more are added when the end comes near. */
const portion = 150;
/** Repeated moves by a held key are saved as one change. */
const restMs = 500;

/**
 * The items of a list, which can be moved by dragging and by keyboard. Dispatches `order` with all items, and `take`
 * with one.
 */
@element("lists-items")
export class ListsItems extends LongboxElement {
  @property({ attribute: false }) items: readonly Item[] = [];
  @property({ type: Boolean }) mine = false;
  /** The order while it is being changed. */
  @state() private moved: readonly Item[] | undefined;
  @state() private hovering: Drop | undefined;
  @state() private said = "";
  @state() private shown = portion;
  #timer: number | undefined;
  /** The order was changed and is not saved. */
  #unsaved = false;
  #observer: IntersectionObserver | undefined;

  static override styles = [
    style,
    css`
      li {
        border-bottom: 1px solid var(--lb-line);
      }
      li.lifted {
        opacity: 0.5;
      }
      li.before {
        box-shadow: 0 -3px 0 var(--lb-accent);
      }
      li.after {
        box-shadow: 0 3px 0 var(--lb-accent);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#save();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("items") && !this.#unsaved) this.moved = undefined;
  }

  override updated(): void {
    const end = this.renderRoot.querySelector("#end");
    this.#observer?.disconnect();
    if (!end) return;
    this.#observer = new IntersectionObserver(
      (entries) => void (entries.some((entry) => entry.isIntersecting) && (this.shown += portion)),
      { rootMargin: "1200px" },
    );
    this.#observer.observe(end);
  }

  override render(): TemplateResult {
    const items = this.#current;
    const seen = new Map<number, number>();
    const keyed = items.slice(0, this.shown).map((item) => {
      const before = seen.get(item.cvIssueId) ?? 0;
      seen.set(item.cvIssueId, before + 1);
      return { item, key: `${item.cvIssueId} ${before}` };
    });
    return html`<ol aria-label=${t("listItems.itemsInReadingOrder")}>
        ${repeat(
          keyed,
          ({ key }) => key,
          ({ item }, index) => this.#row(item, index),
        )}
      </ol>
      ${items.length > this.shown ? html`<div id="end"></div>` : nothing}
      <p class="hidden" role="status" aria-live="polite">${this.said}</p>`;
  }

  #row(item: Item, index: number): TemplateResult {
    return html`<li class=${this.#mark(index)}>
      <lists-item
        .longbox=${this.longbox}
        .item=${item}
        position=${index + 1}
        ?mine=${this.mine}
        @step=${(event: CustomEvent<number>) => this.#step(index, event.detail)}
        @grab=${(event: CustomEvent<PointerEvent>) => this.#grab(event.detail, index)}
        @take=${() => this.#take(item, index)}
      ></lists-item>
    </li>`;
  }

  get #current(): readonly Item[] {
    return this.moved ?? this.items;
  }

  #mark(index: number): string {
    const { hovering } = this;
    if (!hovering) return "";
    if (index === hovering.from) return "lifted";
    if (index !== hovering.to) return "";
    return hovering.to < hovering.from ? "before" : "after";
  }

  #grab(event: PointerEvent, index: number): void {
    drag(event, index, {
      rows: () => [...this.renderRoot.querySelectorAll<HTMLElement>("li")],
      hover: (drop) => (this.hovering = drop),
      drop: ({ from, to }) => {
        this.#move(from, to);
        this.#save();
      },
    });
  }

  async #step(from: number, by: number): Promise<void> {
    const to = Math.max(0, Math.min(this.#current.length - 1, from + by));
    if (to === from) return;
    this.#move(from, to);
    this.shown = Math.max(this.shown, to + 1);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#save(), restMs);
    await this.#focus(to);
  }

  #move(from: number, to: number): void {
    const items = [...this.#current];
    const [item] = items.splice(from, 1);
    if (!item) return;
    items.splice(to, 0, item);
    this.moved = items;
    this.#unsaved = true;
    this.said = t("listItems.isNowNumberOf", { item: nameOf(item), to: to + 1, items: items.length });
  }

  #save(): void {
    window.clearTimeout(this.#timer);
    if (!this.#unsaved) return;
    this.#unsaved = false;
    this.dispatchEvent(new CustomEvent("order", { detail: this.moved }));
  }

  /** After an item was removed by keyboard, the focus moves to the next one. */
  async #take(item: Item, index: number): Promise<void> {
    this.#save();
    this.moved = this.#current.filter((other) => other !== item);
    this.dispatchEvent(new CustomEvent("take", { detail: item }));
    await this.#focus(Math.min(index, this.#current.length - 1));
  }

  async #focus(index: number): Promise<void> {
    await this.updateComplete;
    const row = this.renderRoot.querySelectorAll("lists-item")[index];
    await row?.updateComplete;
    row?.focus();
    row?.scrollIntoView({ block: "nearest" });
  }
}
