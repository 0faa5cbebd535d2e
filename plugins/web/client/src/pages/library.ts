import "@awesome.me/webawesome/dist/components/dropdown/dropdown.js";
import "@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js";
import { count, messageOf, number, Resource } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/cover-grid.js";
import { seriesCard } from "../elements/cover-card.js";
import "../elements/icon.js";
import "../elements/scan-progress.js";
import { skeleton } from "../elements/states.js";
import { addressWith, filters, queryOf, sorts, type Choice } from "../shell/library-choices.js";
import { Watch } from "../shell/observable.js";
import { SeriesList } from "../shell/series-list.js";
import type { LibraryList } from "../shell/shapes.js";
import { base, buttons, pages, skeletons, type } from "../styles/index.js";
import { Page } from "./page.js";

/** Lists that were looked at, so that going back shows them at once: by whom, since others may see less, and by their query. */
const remembered = new WeakMap<object, Map<string, SeriesList>>();

/** The whole collection as a wall of covers. The address holds what is chosen, so it can be kept and shared. */
@customElement("lb-library-page")
export class LibraryPage extends Page {
  @state() private list: SeriesList | undefined;
  private shown = { first: 0, last: 60 };

  readonly #libraries = new Resource<LibraryList>(this, { path: () => "/api/libraries", domains: ["libraries"] });
  readonly #counts = new Resource<Record<string, number>>(this, { path: () => `/api/collection/counts?${this.#query(["search", "library"])}`, domains: ["collection"] });
  #held: { release(): void | Promise<void> } | undefined;

  constructor() {
    super();
    new Watch(this, () => [this.longbox.router.match]);
  }

  static override styles = [
    base,
    type,
    buttons,
    pages,
    skeletons,
    css`
      .page-head {
        margin-bottom: var(--lb-space-3);
      }
      .filters {
        display: flex;
        gap: var(--lb-space-2);
        margin: 0 calc(-1 * var(--lb-gutter)) var(--lb-space-5);
        padding: var(--lb-space-1) var(--lb-gutter);
        overflow-x: auto;
        scrollbar-width: none;
      }
      .filters a {
        flex: none;
        min-height: 2.25rem;
        border-radius: 999px;
      }
      .filters .n {
        font: 400 var(--lb-text-xs) var(--lb-font-mono);
        color: var(--lb-ink-soft);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#held = this.longbox.onChanged("collection", () => this.list?.refresh(this.shown.first, this.shown.last));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#held?.release();
  }

  override willUpdate(): void {
    const query = this.#query(["search", "library", "filter", "sort"]);
    if (this.list?.query === query) return;
    this.list = this.#remembered(query);
    this.list.need(0, 60);
    const search = this.#parameter("search");
    this.longbox.titled(search ? `“${search}”` : "Library");
  }

  override render() {
    const list = this.list;
    return html`
      <div class="page-head">
        <div>
          <h1>${this.#heading()}</h1>
          <p class="label" role="status">${list?.total === undefined ? "…" : count(list.total, "series", "series")}</p>
        </div>
        <div class="row">${this.#librarySwitch()} ${this.#sortSwitch()}</div>
      </div>
      <lb-scan-progress .longbox=${this.longbox}></lb-scan-progress>
      ${this.#filters()} ${this.#wall()}
    `;
  }

  #wall() {
    const list = this.list;
    if (list?.error !== undefined && list.total === undefined) return html`<lb-failure message=${messageOf(list.error)} @retry=${() => list.need(0, 60)}></lb-failure>`;
    if (list?.total === undefined) return skeleton("wall");
    if (list.total === 0) return this.#empty();
    return html`<lb-cover-grid
      label="Series"
      .total=${list.total}
      .cardAt=${(index: number) => {
        const series = list.at(index);
        return series ? seriesCard(series) : undefined;
      }}
      @range=${this.#ranged}
    ></lb-cover-grid>`;
  }

  #empty() {
    if (this.#parameter("search") || this.#parameter("filter")) {
      return html`<lb-empty heading="Nothing fits"><p>No series of this library fits what you asked for.</p><a slot="action" class="button" href=${this.#address({ search: "", filter: "" })}>Show everything</a></lb-empty>`;
    }
    const manage = this.longbox.may("library.manage");
    return html`<lb-empty heading="The box is empty">
      <p>${manage ? "Name a folder that holds comics; Longbox reads what is there and changes nothing." : "Nothing has been put in here yet."}</p>
      ${manage ? html`<a slot="action" class="button primary" href="/libraries"><lb-icon name="plus"></lb-icon>Add a library</a>` : nothing}
    </lb-empty>`;
  }

  #filters() {
    const chosen = this.#parameter("filter") ?? "all";
    const counts = this.#counts.value;
    return html`<nav class="filters" aria-label="Filter">
      ${filters
        .filter(({ id }) => id === chosen || id === "all" || counts === undefined || (counts[id] ?? 0) > 0)
        .map(
          ({ id, label }) => html`<a class="button" href=${this.#address({ filter: id === "all" ? "" : id })} aria-current=${id === chosen ? "true" : nothing} @click=${this.#choose}>
            ${label} ${counts?.[id] === undefined ? nothing : html`<span class="n">${number(counts[id])}</span>`}
          </a>`,
        )}
    </nav>`;
  }

  #librarySwitch() {
    const libraries = this.#libraries.value?.libraries ?? [];
    if (libraries.length < 2) return nothing;
    const chosen = this.#parameter("library") ?? "";
    const name = libraries.find((library) => String(library.id) === chosen)?.name ?? "All libraries";
    return this.#menu("Library", "library", name, [{ id: "", label: "All libraries" }, ...libraries.map((library) => ({ id: String(library.id), label: library.name }))], chosen, "library");
  }

  #sortSwitch() {
    const chosen = this.#parameter("sort") ?? "title";
    return this.#menu("Sort", "list", sorts.find(({ id }) => id === chosen)?.label ?? "Sort", sorts, chosen, "sort");
  }

  #menu(label: string, icon: string, shown: string, choices: readonly Choice[], chosen: string, parameter: string) {
    const select = (event: CustomEvent<{ item: { value: string } }>): void => this.longbox.navigate(this.#address({ [parameter]: event.detail.item.value }), { replace: true });
    return html`<wa-dropdown placement="bottom-end" @wa-select=${select}>
      <button slot="trigger" aria-label="${label}: ${shown}"><lb-icon name=${icon}></lb-icon>${shown}<lb-icon name="down"></lb-icon></button>
      ${choices.map((choice) => html`<wa-dropdown-item type="checkbox" value=${choice.id} ?checked=${choice.id === chosen}>${choice.label}</wa-dropdown-item>`)}
    </wa-dropdown>`;
  }

  #heading(): string {
    const search = this.#parameter("search");
    if (search) return `“${search}”`;
    const library = this.#parameter("library");
    return this.#libraries.value?.libraries.find((row) => String(row.id) === library)?.name ?? "Library";
  }

  #ranged(event: CustomEvent<{ first: number; last: number }>): void {
    this.shown = event.detail;
    this.list?.need(event.detail.first, event.detail.last);
  }

  /** Another filter is no other page: it takes the place of this one in the history. */
  #choose(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.longbox.navigate((event.currentTarget as HTMLAnchorElement).href, { replace: true });
  }

  #remembered(query: string): SeriesList {
    const { user } = this.longbox.session;
    const lists = remembered.get(user) ?? new Map<string, SeriesList>();
    remembered.set(user, lists);
    const kept = lists.get(query);
    kept?.refresh(this.shown.first, this.shown.last);
    const list = kept ?? new SeriesList(this.longbox, query);
    list.onChanged = () => this.requestUpdate();
    lists.delete(query);
    lists.set(query, list);
    for (const oldest of [...lists.keys()].slice(0, -5)) lists.delete(oldest);
    return list;
  }

  #parameter(name: string): string | undefined {
    return this.longbox.router.match.value.url.searchParams.get(name) ?? undefined;
  }

  #query(names: readonly string[]): string {
    return queryOf(this.longbox.router.match.value.url, names);
  }

  #address(changes: Record<string, string>): string {
    return addressWith(this.longbox.router.match.value.url, changes);
  }
}
