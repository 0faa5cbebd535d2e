import { t } from "@longbox/sdk/ui";
import type { KeptShelf } from "@longbox/shelves/api";

/** Parameters of the page that choose nothing. */
const own: ReadonlySet<string> = new Set(["page", "sort", "q"]);

export const path = "/shelves";

export const sortLabels = [
  ["title", t("address.title")],
  ["added", t("address.newestFirst")],
  ["-date", t("address.latestDate")],
  ["date", t("address.earliestDate")],
  ["length", t("address.shortest")],
  ["-length", t("address.longest")],
  ["rating", t("address.yourRating")],
  ["read", t("address.lastRead")],
] as const;

/** A value that is chosen, as it stands in the address. */
export interface Chosen {
  readonly facet: string;
  readonly value: string;
  readonly isExcluded: boolean;
}

const ownHref = (query: string): string => (query === "" ? path : `${path}?${query}`);

/** What the address of the page says. Every method returns another address. */
export class Address {
  readonly #parameters: URLSearchParams;
  readonly #hrefOf: (query: string) => string;

  /** @param hrefOf - The address of the page that shows a selection; by default the page of this plugin */
  constructor(search: string, hrefOf: (query: string) => string = ownHref) {
    this.#parameters = new URLSearchParams(search);
    this.#hrefOf = hrefOf;
  }

  static of({ selection, sort }: KeptShelf, hrefOf?: (query: string) => string): Address {
    const parameters = new URLSearchParams();
    for (const [facet, values] of Object.entries(selection.values))
      for (const value of values) parameters.append(facet, value);
    if (selection.q !== "") parameters.set("q", selection.q);
    if (sort !== "title") parameters.set("sort", sort);
    return new Address(parameters.toString(), hrefOf);
  }

  get page(): number {
    const page = Number(this.#parameters.get("page") ?? 0);
    return Number.isInteger(page) && page > 0 ? page : 0;
  }

  get sort(): string {
    return this.#parameters.get("sort") ?? "title";
  }

  get text(): string {
    return this.#parameters.get("q") ?? "";
  }

  get chosen(): readonly Chosen[] {
    return [...this.#parameters]
      .filter(([facet]) => !own.has(facet))
      .map(([facet, value]) => ({ facet, value: value.replace(/^-/, ""), isExcluded: value.startsWith("-") }));
  }

  /** The chosen values by facet, as they are kept. */
  get values(): Record<string, string[]> {
    const values: Record<string, string[]> = {};
    for (const [facet, value] of this.#parameters) if (!own.has(facet)) (values[facet] ??= []).push(value);
    return values;
  }

  /** The selection as a query of the API, without page and sort. */
  get selection(): string {
    const parameters = new URLSearchParams(this.#parameters);
    for (const name of ["page", "sort"]) parameters.delete(name);
    return parameters.toString();
  }

  /** The whole query for the list of items. */
  get query(): string {
    return this.#parameters.toString();
  }

  /** The same page with nothing chosen. */
  get cleared(): string {
    return this.#hrefOf("");
  }

  get href(): string {
    return this.#hrefOf(this.query);
  }

  /** The value is chosen, left out, or neither. */
  with(facet: string, value: string, how: "chosen" | "excluded" | "free"): Address {
    return this.#changed((parameters) => {
      parameters.delete(facet, value);
      parameters.delete(facet, `-${value}`);
      if (how !== "free") parameters.append(facet, how === "chosen" ? value : `-${value}`);
    });
  }

  withText(text: string): Address {
    return this.#changed((parameters) => (text === "" ? parameters.delete("q") : parameters.set("q", text)));
  }

  sorted(sort: string): Address {
    return this.#changed((parameters) => (sort === "title" ? parameters.delete("sort") : parameters.set("sort", sort)));
  }

  turned(page: number): Address {
    return this.#changed((parameters) => parameters.set("page", String(page)));
  }

  /** Every change of the selection or the order begins at the first page. */
  #changed(change: (parameters: URLSearchParams) => void): Address {
    const parameters = new URLSearchParams(this.#parameters);
    parameters.delete("page");
    change(parameters);
    return new Address(parameters.toString(), this.#hrefOf);
  }
}
