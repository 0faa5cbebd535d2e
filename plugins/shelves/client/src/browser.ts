import {
  pathOf,
  Action,
  Badges,
  choice,
  CoverWall,
  Dialog,
  element,
  icon,
  LongboxElement,
  notice,
  pager,
  progress,
  Resource,
  skeleton,
  t,
  trouble,
  valueOf,
} from "@longbox/sdk/ui";
import type { FacetList, ItemPage, KeptShelf, RebuildStatus, ShelfItem, ShelvesStatus } from "@longbox/shelves/api";
import { html, nothing, type TemplateResult } from "lit";
import { Address, path, sortLabels } from "./address.js";
import { itemCard } from "./cards.js";
import { chips } from "./chips.js";
import { isUseful } from "./useful.js";
import { SavedShelves } from "./saved-shelves.js";
import { style } from "./style.js";

const pageSize = 60;

/** `/shelves`: everything, narrowed by facets with counts. The address holds the selection. */
@element("shelves-page")
export class ShelvesPage extends LongboxElement {
  static override styles = style;
  private address = new Address(location.search);
  readonly #items = new Resource<ItemPage>(this, {
    path: () => `/api/shelves/items?${this.address.query}`,
    domains: ["shelves", "collection", "reading", "reader"],
    keep: true,
    delayMs: 300,
  });
  readonly #facets = new Resource<FacetList>(this, {
    path: () => `/api/shelves/facet-list?${this.address.selection}`,
    domains: ["shelves"],
    keep: true,
  });
  readonly #shelves = new Resource<readonly KeptShelf[]>(this, { path: "/api/shelves/saved", domains: ["shelves"] });
  readonly #status = new Resource<ShelvesStatus>(this, { path: "/api/shelves/status", domains: ["shelves"] });
  readonly #building = new Resource<RebuildStatus>(this, {
    path: () => (this.#status.value?.building ? "/api/shelves/rebuild/status" : undefined),
    domains: ["shelves"],
  });
  readonly #badges = new Badges(this, "issue");
  readonly #wall = new CoverWall(this, () => {});
  readonly #sheet = new Dialog(this);
  readonly #saved = new SavedShelves(this, () => this.#shelves.refresh());
  readonly #surprising = new Action(this, { notify: true });

  override willUpdate(): void {
    this.address = new Address(pathOf(location.href) === path ? location.search : this.address.query);
  }

  override render(): TemplateResult {
    return html`<div class="page-head">
        <div>
          <h1>${t("browser.browse")}</h1>
          <p class="label" role="status">${this.#total()}</p>
        </div>
        <div class="row">${this.#buttons()}</div>
      </div>
      ${chips(this.address, this.#facets.value)}
      <div class="columns">
        <aside class="facets" aria-label=${t("browser.filters")}>${this.#facetList()}</aside>
        <div class="found">${this.#found()}</div>
      </div>`;
  }

  #total(): string {
    const total = this.#items.value?.total;
    return total === undefined ? "…" : t("browser.items", { total });
  }

  #buttons(): TemplateResult {
    const chosen = this.address.chosen.length;
    return html`<input
        type="search"
        aria-label=${t("browser.findATitle")}
        placeholder=${t("browser.findATitle")}
        maxlength="200"
        autocomplete="off"
        .value=${this.address.text}
        @input=${(event: Event) => this.longbox.navigate(this.address.withText(valueOf(event)).href, { replace: true })}
      />
      <button type="button" class="sheet-button" aria-haspopup="dialog" @click=${() => void this.#sheet.open()}>
        ${icon("list")} ${t("browser.filters")}${chosen > 0 ? html` <span class="n">${chosen}</span>` : nothing}
      </button>
      ${this.#sheet.render(t("browser.filters"), () => html`<div class="sheet-facets">${this.#facetList()}</div>`)}
      ${choice({ label: t("browser.sort"), choices: sortLabels }, sortOf(this.address.sort), (sort) =>
        this.longbox.navigate(this.address.sorted(sort).href),
      )}
      <button type="button" ?disabled=${this.#surprising.busy} @click=${this.#surprise}>
        ${t("browser.surpriseMe")}
      </button>
      ${this.#saved.menu(this.#shelves.value ?? [])} ${this.#saved.keeping(this.address, this.#shelves.value ?? [])}`;
  }

  #facetList(): TemplateResult {
    const facets = this.#facets.value?.filter(isUseful);
    if (!facets) return html`${this.#facets.error === undefined ? skeleton() : nothing}`;
    return html`${facets.map(
      (facet) =>
        html`<shelves-facet .longbox=${this.longbox} .facet=${facet} .address=${this.address}></shelves-facet>`,
    )}`;
  }

  #found(): TemplateResult {
    const { value, error } = this.#items;
    if (value === undefined && error !== undefined) return html`${trouble(error, () => void this.#items.refresh())}`;
    if (value === undefined) return html`${skeleton(undefined, "covers")}`;
    if (value.items.length === 0) return this.#empty();
    const { page } = this.address;
    const pages = Math.ceil(value.total / pageSize);
    return html`${this.#wall.render({
      label: t("browser.items2"),
      total: value.items.length,
      cardAt: (index) => this.#card(value.items[index]),
    })}
    ${pager({
      page,
      hasNext: page + 1 < pages,
      turn: (to) => this.#turn(to),
      text: t("browser.pageOf", { page: page + 1, pages }),
    })}`;
  }

  #card(item: ShelfItem | undefined) {
    return item && itemCard(item, this.#badges.of(item.id).badges);
  }

  #empty(): TemplateResult {
    const building = this.#building.value;
    if (this.#status.value?.building && building)
      return html`<h2>${t("browser.theLibraryIsBeing")}</h2>
        ${progress({ label: t("browser.theLibraryIsBeing"), done: building.done, total: building.total })}`;
    const isNarrowed = this.address.selection !== "";
    return html`${notice({
      drawing: isNarrowed ? "search" : "box",
      heading: isNarrowed ? t("browser.nothingFits") : t("browser.nothingToBrowseYet"),
      text: isNarrowed ? t("browser.removeAFilterOr") : t("browser.whatIsAddedTo"),
      action: isNarrowed ? { label: t("browser.clearAll"), href: path } : undefined,
    })}`;
  }

  #turn(page: number): void {
    this.longbox.navigate(this.address.turned(page).href);
    this.scrollIntoView({ block: "start" });
  }

  readonly #surprise = (): void => {
    void this.#surprising.run(async () => {
      const { item } = await this.longbox.api<{ item: ShelfItem | null }>(
        `/api/shelves/surprise?${this.address.selection}`,
      );
      if (item) this.longbox.navigate(`/issue/${item.cvIssueId}`);
      else this.longbox.notify(t("browser.nothingFitsThisSelection"));
    });
  };
}

function sortOf(sort: string): (typeof sortLabels)[number][0] {
  return sortLabels.find(([id]) => id === sort)?.[0] ?? "title";
}
