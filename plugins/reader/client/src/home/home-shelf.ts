import {
  type Card,
  cards,
  type ClientBadge,
  covers,
  element,
  LongboxElement,
  type OfferedAction,
  percent,
  Resource,
  shelf,
  standard,
  styled,
  t,
  walls,
} from "@longbox/sdk/ui";
import type { Progress, ShelfItem } from "@longbox/reader/api";
import { css, html, nothing, type CSSResultGroup, type TemplateResult } from "lit";
import { loadItems, shelves, type Items, type ShelfName } from "./items.js";

export const homeShelfStyle = [
  standard,
  walls,
  cards,
  covers,
  css`
    :host([empty]) {
      display: none;
    }
  `,
];

/** A shelf of the home page; an empty one takes no place. */
export abstract class HomeShelf extends LongboxElement {
  static override styles: CSSResultGroup = homeShelfStyle;
  protected abstract readonly name: ShelfName;
  readonly #items = new Resource<Items>(this, {
    path: "/api/reader",
    domains: ["reader", "collection"],
    fetch: () => loadItems(this.longbox),
    arrived: (items) => this.toggleAttribute("empty", items[this.name].length === 0),
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.toggleAttribute("empty", this.#lastHeight === 0);
  }

  override render(): unknown {
    return this.#items.render((items) => (items[this.name].length === 0 ? nothing : this.shown(items[this.name])), {
      // As high as it was last time, so that nothing below moves.
      waiting: html`<div ${styled({ "min-height": `${this.#lastHeight}px` })}></div>`,
      failed: (message) =>
        this.name === "continue"
          ? html`<p class="soft" role="status">${t("homeShelf.theReadingShelvesCould", { message })}</p>`
          : nothing,
    });
  }

  protected shown(items: readonly ShelfItem[]): TemplateResult {
    const { title: heading, ...rest } = shelves[this.name];
    return shelf({ heading, ...rest, cards: items.map((item) => this.card(item)) });
  }

  /** A cover leads to the plugin that opens the item, or to its page; a group leads to its series. */
  protected card(item: ShelfItem): Card {
    const reads = this.readingOf(item);
    const more = item.more ?? 0;
    const { series, label, cover, cvIssueId, seriesId, progress } = item;
    const group: Partial<Card> = {
      href: `/series/${seriesId}`,
      note: t("homeShelf.andMore", { short: label.short, more }),
    };
    return {
      href: reads?.href ?? `/issue/${cvIssueId}`,
      ...(reads && more === 0 && { verb: reads.label }),
      cover,
      title: series,
      note: label.short,
      number: label.short,
      badges: progress && !progress.completed ? [placeIn(item, progress)] : [],
      ...(more > 0 && group),
    };
  }

  /** What opens the item. */
  protected readingOf(item: ShelfItem): OfferedAction | undefined {
    const { progress } = item;
    const reading = progress === null ? "unread" : progress.completed ? "read" : "reading";
    const offered = this.longbox.actions({ kind: "issue", items: [{ ...item, reading }] });
    return offered.find(({ isPrimary, href }) => isPrimary && href !== undefined);
  }

  protected override updated(): void {
    if (this.#items.value) localStorage.setItem(this.#key, String(Math.round(this.getBoundingClientRect().height)));
  }

  /** Pixels; 0 where it was empty, or never shown in a window of this width. */
  get #lastHeight(): number {
    return Number(localStorage.getItem(this.#key) ?? 0);
  }

  get #key(): string {
    return `longbox.reading-shelf ${this.name} ${Math.round(window.innerWidth / 40)}`;
  }
}

export function placeIn({ pages }: ShelfItem, { page, fraction }: Progress): ClientBadge {
  const label =
    pages > 0
      ? t("homeShelf.fromPageOf", { page: page + 1, pages })
      : t("homeShelf.read", { fraction: percent(fraction, 1) });
  return { kind: "progress", value: fraction, label };
}

@element("reader-home-next-up")
export class NextUpShelf extends HomeShelf {
  protected readonly name = "next-up";
}

@element("reader-home-later")
export class LaterShelf extends HomeShelf {
  protected readonly name = "later";
}

@element("reader-home-new")
export class NewShelf extends HomeShelf {
  protected readonly name = "new-in-library";
}

@element("reader-home-start")
export class StartShelf extends HomeShelf {
  protected readonly name = "start-new";
}

@element("reader-home-finished")
export class FinishedShelf extends HomeShelf {
  protected readonly name = "recently-finished";
}
