import {
  actionItems,
  Badges,
  CoverWall,
  icon,
  notice,
  number,
  openMenu,
  type Point,
  Resource,
  rule,
  Selection,
  skeleton,
  t,
  trouble,
  type WallLines,
  walls,
} from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { seriesCard } from "@longbox/collection/client";
import { selectionBar, selectionBarStyle } from "../elements/selection-bar.js";
import "../elements/scan-progress.js";
import "../elements/slot.js";
import { addressWith, facetWith, filters, queryOf, readings } from "../shell/library-choices.js";
import { Watch } from "../shell/observable.js";
import { rememberedList } from "./library/remembered-lists.js";
import type { SeriesList } from "./library/series-list.js";
import type { Letters, LibraryList, SeriesRow } from "@longbox/collection/api";
import { page } from "../styles/index.js";
import { letterRail, letterRailStyle } from "./library/letter-rail.js";
import { lineHeights, seriesLine, seriesLineStyle } from "./library/series-line.js";
import { libraryStyle } from "./library/style.js";
import { LibrarySwitches } from "./library/switches.js";
import { Page } from "./page.js";

/** What narrows the list, in the address, as nothing of it is chosen. */
const unfiltered = { search: "", filter: "", reading: "", facet: "" };

/** In shorter lists, letters would lead no further than the eye. */
const leastForLetters = 40;

/** The whole collection as a grid of covers. The address contains the filters, so that it can be saved and shared. */
@customElement("lb-library-page")
export class LibraryPage extends Page {
  @state() private list: SeriesList | undefined;
  /** What plugins add to the filters is there. */
  @state() private hasPluginFilters = false;
  private shown = { first: 0, last: 60 };

  readonly #libraries = new Resource<LibraryList>(this, { path: () => "/api/libraries", domains: ["libraries"] });
  readonly #counts = new Resource<Record<string, number>>(this, {
    path: () => `/api/collection/counts?${this.#query(["search", "library"], this.#reading)}`,
    domains: ["collection", "reading"],
  });
  readonly #letters = new Resource<Letters>(this, {
    path: () =>
      this.#hasLetters()
        ? `/api/collection/letters?${this.#query(["search", "library", "filter"], this.#reading)}`
        : undefined,
    domains: ["collection", "reading"],
    keep: true,
  });
  readonly #badges = new Badges(this, "series");
  readonly #selection: Selection<number> = new Selection<number>(this, {
    keyAt: (index) => this.list?.at(index)?.id,
    total: () => this.list?.total ?? 0,
  });
  readonly #covers = new CoverWall(this, (first, last) => this.#near(first, last), this.#selection);
  readonly #switches = new LibrarySwitches(() => this.longbox);
  /** Whether a list has arrived since the page was opened. */
  #hasShown = false;
  #held: ReadonlyArray<{ release(): void | Promise<void> }> = [];

  constructor() {
    super();
    new Watch(this, () => [this.longbox.router.match, this.longbox.contributions.parts]);
  }

  static override styles = [page, walls, selectionBarStyle, libraryStyle, seriesLineStyle, letterRailStyle];

  override connectedCallback(): void {
    super.connectedCallback();
    const refresh = () => this.list?.refresh(this.shown.first, this.shown.last);
    this.#held = [
      this.longbox.onChanged("collection", refresh),
      this.longbox.onChanged("reading", () => this.#reading !== undefined && refresh()),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const held of this.#held) void held.release();
  }

  override willUpdate(): void {
    this.#hasShown ||= this.list?.total !== undefined;
    const query = this.#query(["search", "library", "filter", "sort"], this.#reading, this.#switches.chosenSort);
    if (this.list?.query === query) return;
    this.#selection.clear();
    this.list = rememberedList(this.longbox, query, this.shown);
    this.list.onChanged = () => this.requestUpdate();
    this.list.need(0, 60);
    const search = this.#parameter("search");
    this.longbox.titled(search ? `“${search}”` : t("library.library"));
  }

  override render() {
    const { list } = this;
    return html`
      <div class="page-head">
        <div>
          <h1>${this.#heading()}</h1>
          <div class="known">
            <p class="label" role="status">
              ${list?.total === undefined ? "…" : t("library.series", { total: list.total })}
            </p>
            <lb-scan-progress .longbox=${this.longbox}></lb-scan-progress>
          </div>
        </div>
        <div class="row">${this.#menus()}</div>
      </div>
      ${this.#filters()} ${this.#wall()}
    `;
  }

  /** Every row that scrolls into sight renders the page: what does not depend on rows is left as it is. */
  #menus() {
    const switches = this.#switches;
    const libraries = this.#libraries.value?.libraries ?? [];
    return guard([this.longbox.router.match.value, libraries, this.#hasReading()], () => [
      switches.library(libraries),
      this.#hasReading() ? switches.reading() : nothing,
      switches.sort(),
      switches.view(),
    ]);
  }

  #wall() {
    const list = this.list;
    if (list?.error !== undefined && list.total === undefined) return trouble(list.error, () => list.need(0, 60));
    if (list?.total === undefined) return skeleton(undefined, "covers");
    if (list.total === 0) return this.#empty();
    const covers = this.#covers.render({
      label: t("library.series2"),
      total: list.total,
      size: this.#switches.chosenSize,
      cardAt: (index) => {
        const series = list.at(index);
        return series && seriesCard(series, this.#badges.of(series.id).badges);
      },
      lines: this.#lines(list),
      isSelected: (index) => this.#selection.has(list.at(index)?.id ?? 0),
      menu: (index, at) => this.#contextMenu(index, at),
    });
    return html`${this.#besideLetters(covers, list.total)} ${this.#selectionBar(list)}`;
  }

  #lines(list: SeriesList): WallLines | undefined {
    const view = this.#switches.chosenView;
    if (view === "grid") return undefined;
    return {
      heightPixels: lineHeights[view],
      draw: (index, options) => {
        const series = list.at(index);
        if (!series) return undefined;
        return seriesLine(
          { series, badges: this.#badges.of(series.id).badges, isCompact: view === "compact" },
          options,
        );
      },
    };
  }

  #besideLetters(covers: unknown, total: number) {
    const letters = this.#letters.value;
    if (!this.#hasLetters()) return covers;
    const isReversed = this.#switches.chosenSort === "-title";
    const goTo = (index: number) => this.#covers.goTo(index);
    return html`<div class="beside-letters">
      <div>${covers}</div>
      ${letterRail({ letters: letters ?? [], total, isReversed, goTo })}
    </div>`;
  }

  /** Letters lead through long lists that are sorted by title. */
  #hasLetters(): boolean {
    return (this.list?.total ?? 0) >= leastForLetters && /^-?title$/.test(this.#switches.chosenSort);
  }

  #contextMenu(index: number, at: Element | Point): void {
    const series = this.list?.at(index);
    if (!series) return;
    const open = {
      label: t("library.open", { title: series.title }),
      icon: "next",
      run: () => this.longbox.navigate(`/series/${series.id}`),
    };
    const select = { label: t("library.select"), icon: "check", run: () => this.#selection.toggle(index) };
    const actions = actionItems(this.longbox.actions({ kind: "series", items: [this.#subject(series)] }));
    openMenu({
      label: series.title,
      at,
      items: [open, select, ...(actions.length > 0 ? [rule, ...actions] : [])],
    });
  }

  #selectionBar(list: SeriesList) {
    const chosen = list.arrived().filter(({ id }) => this.#selection.has(id));
    return selectionBar({
      selected: this.#selection.size,
      one: t("library.oneSeries"),
      many: t("library.manySeries"),
      actions: this.longbox.actions({ kind: "series", items: chosen.map((series) => this.#subject(series)) }),
      all: () => void this.#selectAll(list),
      clear: () => this.#selection.clear(),
    });
  }

  /** Pages that were not shown yet are fetched first. */
  async #selectAll(list: SeriesList): Promise<void> {
    if (await this.attempt(() => list.all())) this.#selection.all();
  }

  #subject(series: SeriesRow) {
    return { ...series, ...this.#badges.of(series.id).facts };
  }

  #empty() {
    if (this.#isNarrowed())
      return notice({
        drawing: "search",
        heading: t("library.noMatchingSeries"),
        text: t("library.noSeriesOfThis"),
        action: { label: t("library.showEverything"), href: this.#address(unfiltered) },
      });
    const isManager = this.longbox.may("library.manage");
    return notice({
      drawing: "box",
      heading: t("library.theLibraryIsEmpty"),
      text: isManager ? t("library.chooseAFolderThat") : t("library.nothingHasBeenAdded"),
      action: isManager ? { label: t("library.addALibrary"), icon: "plus", href: "/libraries" } : undefined,
    });
  }

  #isNarrowed(): boolean {
    return Object.keys(unfiltered).some((name) => this.#parameter(name) !== undefined);
  }

  #filters() {
    const { value: match } = this.longbox.router.match;
    const { value: parts } = this.longbox.contributions.parts;
    const isEmpty = this.list?.total === 0;
    return guard([match, parts, this.#counts.value, this.#hasShown, this.hasPluginFilters, isEmpty], () =>
      this.#filterLine(match.url),
    );
  }

  #filterLine(url: URL) {
    const chosen = this.#parameter("filter") ?? "all";
    const counts = this.#counts.value;
    const isOffered = (id: string) => (counts?.[id] ?? 0) > 0 || (counts && this.list?.total === 0);
    return html`<nav class="filters" aria-label=${t("library.filter")}>
      ${this.#filtersOfPlugins(url)}
      ${this.#parameter("search") ? html`<a class="button" href=${this.#address({ search: "" })}>${icon("close")}${t("library.clearTheSearch")}</a>` : nothing}
      ${filters
        .filter(({ id }) => id === chosen || id === "all" || isOffered(id))
        .map(
          ({ id, label }) =>
            html`<a
              class="button"
              href=${this.#address({ filter: id === "all" ? "" : id })}
              aria-current=${id === chosen ? "true" : nothing}
              @click=${this.#choose}
            >
              ${label} ${counts?.[id] === undefined ? nothing : html`<span class="n">${number(counts[id])}</span>`}
            </a>`,
        )}
    </nav>`;
  }

  /** Their code is loaded once the covers are there, so that it does not keep these waiting. */
  #filtersOfPlugins(url: URL) {
    const subject = { address: url.pathname + url.search };
    const { contributions } = this.longbox;
    const isAwaited = contributions.inSlot("library.filters", (permission) => this.longbox.may(permission)).length > 0;
    return html`${this.#hasShown ? html`<lb-slot name="library.filters" .longbox=${this.longbox} .subject=${subject} @filled=${() => (this.hasPluginFilters = true)}></lb-slot>` : nothing}${isAwaited && !this.hasPluginFilters ? html`<span class="awaited"></span>` : nothing}`;
  }

  #near(first: number, last: number): void {
    this.shown = { first, last };
    this.list?.need(first, last);
  }

  #heading(): string {
    const search = this.#parameter("search");
    if (search) return `“${search}”`;
    const library = this.#parameter("library");
    return this.#libraries.value?.libraries.find((row) => String(row.id) === library)?.name ?? t("library.library");
  }

  /** A changed filter replaces the current entry of the history. */
  #choose(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.longbox.navigate((event.currentTarget as HTMLAnchorElement).href, { replace: true });
  }

  #parameter(name: string): string | undefined {
    return this.longbox.router.match.value.url.searchParams.get(name) ?? undefined;
  }

  get #reading(): string | undefined {
    const given = this.#parameter("reading");
    return readings.find(({ id }) => id === given && id !== "any")?.id;
  }

  /** Whether a plugin says of series what the user has read: it then also narrows lists by it. */
  #hasReading(): boolean {
    const { value: parts } = this.longbox.contributions.parts;
    const tells = ({ subjects, domains }: (typeof parts)[number]["badges"][number]) =>
      subjects.includes("series") && domains.includes("reading");
    return this.#reading !== undefined || parts.some(({ badges }) => badges.some(tells));
  }

  #query(names: readonly string[], reading?: string, sort?: string): string {
    const { url } = this.longbox.router.match.value;
    const query = queryOf(sort === "best" ? new URL(addressWith(url, { sort }), url) : url, names);
    const facet = facetWith(url, reading);
    if (facet === undefined) return query;
    const facets = new URLSearchParams({ facet }).toString();
    return query === "" ? facets : `${query}&${facets}`;
  }

  #address(changes: Record<string, string>): string {
    return addressWith(this.longbox.router.match.value.url, changes);
  }
}
