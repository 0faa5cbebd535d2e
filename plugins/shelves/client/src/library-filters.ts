import {
  Dialog,
  dialogs,
  element,
  icon,
  LongboxElement,
  menus,
  Resource,
  skeleton,
  standard,
  t,
  trouble,
} from "@longbox/sdk/ui";
import type { FacetList, KeptShelf } from "@longbox/shelves/api";
import { css, html, nothing, type TemplateResult } from "lit";
import type { Address } from "./address.js";
import { chips } from "./chips.js";
import { libraryAddress, libraryOf, shelfInLibrary } from "./library-address.js";
import { SavedShelves } from "./saved-shelves.js";
import { chipStyle } from "./style.js";
import { isUseful } from "./useful.js";

/** The page of the library has menus for these. */
const chosenByPage: ReadonlySet<string> = new Set(["library", "read", "reading"]);

/**
 * In the library: series are narrowed to those with an item that fits facets, or a kept shelf. The address of the
 * library holds the selection. Counts are left out, since the index counts items and the page counts series.
 */
@element("shelves-library-filters")
export class LibraryFilters extends LongboxElement<{ readonly address?: string }> {
  static override styles = [
    standard,
    dialogs,
    menus,
    chipStyle,
    css`
      :host,
      .chips {
        display: flex;
        flex: none;
        align-items: center;
        gap: var(--lb-space-2);
        margin: 0;
      }
      .chips {
        flex-wrap: nowrap;
      }
      button:not(dialog *),
      .chip {
        flex: none;
        min-height: 2.25rem;
        border-radius: 999px;
        white-space: nowrap;
      }
      .chips .quiet {
        white-space: nowrap;
      }
      @media (width >= 45rem) {
        dialog {
          width: 28rem;
        }
      }
    `,
  ];
  readonly #sheet = new Dialog(this);
  /** Without a choice, its names are needed only in the sheet. */
  readonly #facets = new Resource<FacetList>(this, {
    path: () =>
      this.#sheet.isOpen || this.#address.chosen.length > 0 ? `/api/shelves/facet-list?${this.#query}` : undefined,
    domains: ["shelves"],
    keep: true,
  });
  readonly #shelves = new Resource<readonly KeptShelf[]>(this, { path: "/api/shelves/saved", domains: ["shelves"] });
  readonly #saved = new SavedShelves(
    this,
    () => this.#shelves.refresh(),
    (shelf) => shelfInLibrary(shelf, this.#href),
  );

  override render(): TemplateResult {
    const address = this.#address;
    const { length } = address.chosen;
    return html`<button type="button" aria-haspopup="dialog" @click=${this.#open}>
        ${icon("list")} ${t("browser.filters")}${length > 0 ? html` <span class="n">${length}</span>` : nothing}
      </button>
      ${this.#sheet.render(t("browser.filters"), () => this.#content(address))}
      ${this.#saved.menu(this.#shelves.value ?? [])} ${chips(address, this.#facets.value)}
      ${this.#saved.keeping(address, this.#shelves.value ?? [])}`;
  }

  readonly #open = (): void => {
    void import("./facet.js");
    void this.#sheet.open();
  };

  #content(address: Address): TemplateResult {
    const { value, error } = this.#facets;
    if (value === undefined && error !== undefined) return html`${trouble(error, () => void this.#facets.refresh())}`;
    if (value === undefined) return html`${skeleton()}`;
    const shown = value.filter((facet) => isUseful(facet) && !chosenByPage.has(facet.name));
    if (shown.length === 0) return html`<p class="soft">${t("browser.nothingToBrowseYet")}</p>`;
    return html`<div class="sheet-facets">
      ${shown.map(
        (facet) =>
          html`<shelves-facet
            .longbox=${this.longbox}
            .facet=${facet}
            .address=${address}
            .isCounted=${false}
          ></shelves-facet>`,
      )}
    </div>`;
  }

  get #href(): string {
    return this.subject.address ?? "/library";
  }

  get #address(): Address {
    return libraryAddress(this.#href);
  }

  /** Only values of the chosen library are offered. */
  get #query(): string {
    const parameters = new URLSearchParams(this.#address.selection);
    const library = libraryOf(this.#href);
    if (library !== undefined) parameters.set("library", library);
    return parameters.toString();
  }
}
