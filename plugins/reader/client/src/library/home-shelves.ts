import {
  cards,
  covers,
  element,
  LongboxElement,
  percent,
  Resource,
  shelf,
  shelfSkeleton,
  standard,
  walls,
  type Card,
  type ClientBadge,
} from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import type { Progress, ShelfItem } from "@longbox/reader/api";
import { UnsavedPlaces } from "../unsaved-places.js";

const shelves = [
  { name: "continue", title: "Continue reading" },
  { name: "next-up", title: "Next up" },
  { name: "later", title: "Read later" },
  { name: "new-in-library", title: "New in the library" },
  { name: "start-new", title: "Start something new" },
  { name: "recently-finished", title: "Recently finished" },
] as const;
type ShelfName = (typeof shelves)[number]["name"];
type Items = Partial<Record<ShelfName, readonly ShelfItem[]>>;

const perShelf = 20;
const countKey = "longbox.reading-shelves";

/** The reading shelves on the home page; empty ones are not shown. */
@element("reader-home-shelves")
export class ReaderHomeShelves extends LongboxElement {
  readonly #items = new Resource<Items>(this, {
    path: "/api/reader",
    domains: ["reader", "collection"],
    fetch: (path, signal) => this.#load(path, signal),
  });

  static override styles = [
    standard,
    walls,
    cards,
    covers,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-6);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // Positions that were saved offline are sent first, because the shelves depend on them.
    void new UnsavedPlaces(this.longbox).send();
  }

  override render(): unknown {
    return this.#items.render((items) => this.#shelves(items), {
      // As many placeholders as there were shelves last time, so that nothing below moves when they are loaded.
      waiting: Array.from({ length: shownLastTime() }, () => shelfSkeleton()),
      failed: (message) => html`<p class="soft" role="status">The reading shelves could not be loaded. ${message}</p>`,
    });
  }

  #shelves(items: Items): TemplateResult[] {
    const filled = shelves.filter(({ name }) => (items[name] ?? []).length > 0);
    localStorage.setItem(countKey, String(filled.length));
    return filled.map(({ name, title }) =>
      shelf({ heading: title, cards: (items[name] ?? []).map((item) => this.#card(item)) }),
    );
  }

  /** A cover links to the plugin that opens the issue, or to the issue's page when there is none. */
  #card(item: ShelfItem): Card {
    const { progress, label } = item;
    const reading = progress === null ? "unread" : progress.completed ? "read" : "reading";
    const offered = this.longbox.actions({ kind: "issue", items: [{ ...item, reading }] });
    const reads = offered.find(({ isPrimary, href }) => isPrimary && href !== undefined);
    return {
      href: reads?.href ?? `/issue/${item.cvIssueId}`,
      ...(reads && { verb: reads.label }),
      cover: item.cover,
      title: item.series,
      note: label.short,
      number: label.short,
      badges: reading === "reading" && progress ? [placeIn(item, progress)] : [],
    };
  }

  async #load(path: string, signal: AbortSignal): Promise<Items> {
    const answers = await Promise.all(
      shelves.map(
        async ({ name }) =>
          [
            name,
            (await this.longbox.api<{ items: ShelfItem[] }>(`${path}/${name}?limit=${perShelf}`, { signal })).items,
          ] as const,
      ),
    );
    return withoutRepeats(Object.fromEntries(answers));
  }
}

function shownLastTime(): number {
  return Number(localStorage.getItem(countKey) ?? 1);
}

function placeIn({ pages }: ShelfItem, { page, fraction }: Progress): ClientBadge {
  const label = pages > 0 ? `from page ${page + 1} of ${pages}` : `${percent(fraction, 1)} read`;
  return { kind: "progress", value: fraction, label };
}

/** An issue is shown only on the first shelf that contains it. */
function withoutRepeats(items: Items): Items {
  const shown = new Set<number>();
  return Object.fromEntries(
    shelves.map(({ name }) => {
      const kept = (items[name] ?? []).filter((item) => name === "recently-finished" || !shown.has(item.cvIssueId));
      for (const item of kept) shown.add(item.cvIssueId);
      return [name, kept];
    }),
  );
}
