import {
  addedValue,
  facetNames,
  fixedValues,
  isFixed,
  lengthValue,
  type FacetName,
  type FixedFacet,
} from "../browsing/facets.js";
import { Bits } from "../columns/bits.js";
import { ComputedColumn, without, type Column } from "../columns/columns.js";
import type { Names } from "../names/names.js";
import type { FacetChoice, Question, SeriesChoice } from "../thread/protocol.js";
import type { BaseCounts } from "./base-counts.js";
import { listKinds, type Documents, type ListKind, type SingleKind } from "./documents.js";
import type { UserStates } from "./user-states.js";

export interface IndexParts {
  readonly documents: Documents;
  readonly names: Names;
  readonly users: UserStates;
  readonly bases: BaseCounts;
}

/** The documents that a question selects, as one set for each facet that is chosen from. */
export class Selection {
  readonly #parts: IndexParts;
  readonly #question: Question;
  readonly #visible: Bits;
  readonly #chosen = new Map<string, Bits>();

  constructor(parts: IndexParts, question: Question) {
    this.#parts = parts;
    this.#question = question;
    this.#visible = parts.documents.visible(question.seesRestricted);
    if (question.text !== "") this.#visible.and(this.#withText(question.text));
    for (const choice of question.choices) this.#chosen.set(choice.facet, this.#matching(choice));
    for (const choice of question.series) this.#chosen.set(choice.facet, this.#ofSeries(choice));
  }

  /** What is selected; a copy. @param but - the facet whose choices do not count */
  all(but?: string): Bits {
    const bits = this.#visible.grown(this.#visible.size);
    for (const [facet, matching] of this.#chosen) if (facet !== but) bits.and(matching);
    return bits;
  }

  hasChosen(facet: string): boolean {
    return this.#chosen.has(facet);
  }

  /** The numbers of values that are included or excluded; those that no issue ever had are left out. */
  numbersOf(facet: FacetName, values: readonly string[]): number[] {
    return values.flatMap((value) => numberOf(facet, value, this.#parts.names) ?? []);
  }

  column(facet: FacetName): Column {
    return columnOf(facet, this.#parts, this.#question.userId);
  }

  /** How many documents of a set have each value of a facet. */
  count(facet: FacetName, within: Bits): Uint32Array {
    const { documents, names, bases } = this.#parts;
    const { seesRestricted } = this.#question;
    const counting = { facet, column: this.column(facet), values: valueCount(facet, names), seesRestricted };
    return bases.count(within, counting, documents);
  }

  #matching({ facet, include, exclude }: FacetChoice): Bits {
    const { documents, names } = this.#parts;
    const column = this.column(facet);
    const size = valueCount(facet, names);
    const matching = (values: readonly string[]) => {
      const wanted = new Uint8Array(size);
      for (const number of this.numbersOf(facet, values)) wanted[number] = 1;
      const bits = new Bits(documents.count);
      column.match(wanted, bits);
      return bits;
    };
    const bits = include.length === 0 ? Bits.all(documents.count) : matching(include);
    return exclude.length === 0 ? bits : bits.andNot(matching(exclude));
  }

  #ofSeries({ include, exclude }: SeriesChoice): Bits {
    const { documents } = this.#parts;
    const bits =
      include.length === 0 ? Bits.all(documents.count) : documentsOfSeries(documents, new Set(include.flat()));
    return exclude.length === 0 ? bits : bits.andNot(documentsOfSeries(documents, new Set(exclude.flat())));
  }

  #withText(text: string): Bits {
    const { documents, names } = this.#parts;
    const titles = new Uint8Array(names.size("title"));
    for (const { id } of names.search("title", text)) titles[id] = 1;
    const bits = new Bits(documents.count);
    const all = documents.plain.titles.values;
    for (let document = 0; document < all.length; document++) if (titles[all[document]!] === 1) bits.add(document);
    return bits;
  }
}

export function documentsOfSeries(documents: Documents, series: ReadonlySet<number>): Bits {
  const bits = new Bits(documents.count);
  const all = documents.plain.series.values;
  for (let document = 0; document < all.length; document++) if (series.has(all[document]!)) bits.add(document);
  return bits;
}

/** How many numbers the values of a facet have, {@link without} included. */
export function valueCount(facet: FacetName, names: Names): number {
  return isFixed(facet) ? fixedValues[facet].length : names.size(facet);
}

export function valueName(facet: FacetName, number: number, names: Names): string {
  if (isFixed(facet)) return fixedValues[facet][number] ?? "";
  return number === without ? "" : names.label(facet, number);
}

function numberOf(facet: FacetName, value: string, names: Names): number | undefined {
  if (value === "") return without;
  if (!isFixed(facet)) return names.find(facet, value);
  const place = (fixedValues[facet] as readonly string[]).indexOf(value);
  return place === -1 ? undefined : place;
}

function columnOf(facet: FacetName, parts: IndexParts, userId: number): Column {
  if (isFixed(facet)) return fixedColumn(facet, parts, userId);
  return (listKinds as readonly string[]).includes(facet)
    ? parts.documents.lists[facet as ListKind]
    : parts.documents.single[facet as SingleKind];
}

function fixedColumn(facet: FixedFacet, { documents, users }: IndexParts, userId: number): Column {
  if (facet === "length") return new ComputedColumn(documents.plain.lengths, lengthValue);
  if (facet === "added") {
    const nowMinutes = Math.floor(Date.now() / 60_000);
    return new ComputedColumn(documents.plain.added, (minutes) => addedValue(minutes, nowMinutes));
  }
  return users.columnsOf(userId, documents)[facet];
}

/** Every facet that has values now. */
export const countableFacets = (only: readonly FacetName[] | undefined): readonly FacetName[] => only ?? facetNames;
