import { element, LongboxElement, Resource } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { issueLabel, type ShelfItem } from "../shapes.js";
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

/** What to read now, on the home page: each shelf that holds anything. */
@element("reader-home-shelves")
export class ReaderHomeShelves extends LongboxElement {
  readonly #items = new Resource<Items>(this, { path: "/api/reader", domains: ["reader", "collection"], fetch: (path, signal) => this.#load(path, signal) });

  static override styles = css`
    /* Shelves that hold little share a row. */
    :host {
      display: flex;
      flex-wrap: wrap;
      gap: var(--lb-space-6);
      font: 400 var(--lb-text-m) / 1.4 var(--lb-font-text);
      color: var(--lb-ink);
    }
    section {
      min-width: 0;
      max-width: 100%;
    }
    h2 {
      margin: 0 0 var(--lb-space-3);
      font: 700 var(--lb-text-l) / 1.2 var(--lb-font-display);
    }
    ul {
      display: grid;
      grid-auto-flow: column;
      grid-auto-columns: clamp(112px, 28vw, 152px);
      gap: var(--lb-space-4);
      margin: calc(-1 * var(--lb-space-2));
      padding: var(--lb-space-2);
      overflow-x: auto;
      list-style: none;
      scroll-snap-type: x proximity;
      scroll-padding-inline: var(--lb-space-2);
      scrollbar-width: thin;
    }
    li {
      min-width: 0;
      scroll-snap-align: start;
    }
    a {
      display: block;
      position: relative;
      border-radius: var(--lb-radius-s);
      color: inherit;
      text-decoration: none;
    }
    a:focus-visible {
      outline: var(--lb-focus);
      outline-offset: 4px;
    }
    .cover {
      position: relative;
      aspect-ratio: 2 / 3;
      overflow: hidden;
      border-radius: var(--lb-radius-s);
      background: var(--lb-line);
      box-shadow: var(--lb-shadow-1);
      transition:
        transform var(--lb-fast),
        box-shadow var(--lb-fast);
    }
    @media (hover: hover) {
      a:hover .cover {
        transform: translateY(-5px);
        box-shadow: var(--lb-shadow-2);
      }
    }
    .cover img {
      display: block;
      width: 100%;
      height: 100%;
      object-fit: cover;
    }
    progress {
      display: block;
      width: 100%;
      height: 3px;
      margin-top: 5px;
      border: 0;
      appearance: none;
      background: var(--lb-line);
      border-radius: 2px;
      overflow: hidden;
    }
    progress.none {
      visibility: hidden;
    }
    progress::-webkit-progress-bar {
      background: var(--lb-line);
    }
    progress::-webkit-progress-value {
      background: var(--lb-accent);
    }
    progress::-moz-progress-bar {
      background: var(--lb-accent);
    }
    .title,
    .note {
      display: block;
      overflow: hidden;
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    .title {
      margin-top: 3px;
      font: 700 1.0625rem / 1.2 var(--lb-font-display);
    }
    .note {
      font: 400 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
      color: var(--lb-ink-soft);
    }
    .unseen {
      position: absolute;
      width: 1px;
      height: 1px;
      margin: -1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: pre;
    }
    .problem {
      margin: 0;
      color: var(--lb-ink-soft);
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    // What was read without a connection belongs to what is shown here.
    void new UnsavedPlaces(this.longbox).send();
  }

  override render(): unknown {
    return this.#items.render((items) => shelves.map(({ name, title }) => this.#shelf(title, items[name] ?? [], name)), {
      waiting: nothing,
      failed: (message) => html`<p class="problem" role="status">The reading shelves could not be loaded. ${message}</p>`,
    });
  }

  #shelf(title: string, items: readonly ShelfItem[], name: ShelfName): TemplateResult | typeof nothing {
    if (items.length === 0) return nothing;
    return html`<section aria-labelledby=${name}>
      <h2 id=${name}>${title}</h2>
      <ul>${items.map((item) => html`<li>${this.#card(item)}</li>`)}</ul>
    </section>`;
  }

  #card(item: ShelfItem): TemplateResult {
    const { progress } = item;
    const open = progress && !progress.completed ? progress : undefined;
    const isReadable = item.owned && item.pages > 0;
    return html`<a href="/${isReadable ? "read" : "issue"}/${item.cvIssueId}">
      <div class="cover"><img alt="" loading="lazy" decoding="async" src="${item.cover}?w=320" srcset="${item.cover}?w=160 160w, ${item.cover}?w=320 320w, ${item.cover}?w=480 480w" sizes="152px" @error=${hide} /></div>
      <progress class=${open ? "" : "none"} max="1" .value=${open ? (open.page + 1) / open.pages : 0} aria-hidden="true"></progress>
      ${isReadable ? html`<span class="unseen">Read </span>` : nothing}
      <span class="title">${item.series}</span>
      ${open ? place(item, open.page + 1, open.pages) : html`<span class="note">${issueLabel(item.number)}</span>`}
    </a>`;
  }

  async #load(path: string, signal: AbortSignal): Promise<Items> {
    const answers = await Promise.all(shelves.map(async ({ name }) => [name, (await this.longbox.api<{ items: ShelfItem[] }>(`${path}/${name}?limit=${perShelf}`, { signal })).items] as const));
    return withoutRepeats(Object.fromEntries(answers));
  }
}

/** In short to look at, in whole words to be read out. */
function place(item: ShelfItem, page: number, pages: number): TemplateResult {
  const label = issueLabel(item.number);
  return html`<span class="note" aria-hidden="true">${label} · ${page}/${pages}</span><span class="unseen">${label}, from page ${page} of ${pages}</span>`;
}

/** An issue stands on the first shelf that has it; what is new may be next up as well. */
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

function hide(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
