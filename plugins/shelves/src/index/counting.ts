import { fixedValues, isFixed, type FacetName } from "../browsing/facets.js";
import type { Names } from "../names/names.js";
import { without } from "../columns/columns.js";
import type { CountedName, CountedValue, Question } from "../thread/protocol.js";
import { countableFacets, valueName, type IndexParts, type Selection } from "./matching.js";

export interface CountedFacets {
  readonly question: Question;
  /** How many values of each facet, those that are chosen not counted. */
  readonly limit: number;
  readonly only: readonly FacetName[] | undefined;
  /** Part of a value's name; empty for all. */
  readonly find: string;
}

/** Facets whose values have an order of their own; the others are shown by their counts. */
const inOrder: ReadonlySet<FacetName> = new Set(["decade", "age"]);

/** Counts the values of facets within a selection. A facet's own choices do not count for it. */
export function countFacets(parts: IndexParts, selection: Selection, asked: CountedFacets) {
  const found: Partial<Record<FacetName, readonly CountedValue[]>> = {};
  const all = selection.all();
  for (const facet of countableFacets(asked.only)) {
    const within = selection.hasChosen(facet) ? selection.all(facet) : all;
    const counts = selection.count(facet, within);
    found[facet] = countedValues(facet, { counts, selection, names: parts.names, asked });
  }
  return found;
}

interface Counted {
  readonly counts: Uint32Array;
  readonly selection: Selection;
  readonly names: Names;
  readonly asked: CountedFacets;
}

function countedValues(facet: FacetName, { counts, selection, names, asked }: Counted): CountedValue[] {
  const choice = asked.question.choices.find((candidate) => candidate.facet === facet);
  const chosen = new Map<number, { readonly value: string; readonly excluded: boolean }>();
  const unknown: CountedValue[] = [];
  const note = (values: readonly string[], excluded: boolean) => {
    for (const value of values) {
      const [number] = selection.numbersOf(facet, [value]);
      // What nothing visible has is named as it was asked for: the index must not correct a name that is hidden.
      if (number === undefined || counts[number] === 0)
        unknown.push(counted({ value, label: value, count: 0 }, excluded));
      else chosen.set(number, { value, excluded });
    }
  };
  note(choice?.include ?? [], false);
  note(choice?.exclude ?? [], true);
  const sought = asked.find === "" ? undefined : soughtNumbers(facet, asked.find, names);
  const shown = [...highest(counts, asked.limit, (number) => !chosen.has(number) && (sought?.has(number) ?? true))];
  const values = [...chosen.keys(), ...shown].map((number) => {
    const name = valueName(facet, number, names);
    const picked = chosen.get(number);
    const value = { value: name, label: name, count: counts[number]! };
    return picked ? counted(value, picked.excluded) : { ...value, selected: false, excluded: false };
  });
  return [...arranged(facet, values), ...unknown];
}

const counted = (value: Pick<CountedValue, "value" | "label" | "count">, excluded: boolean): CountedValue => ({
  ...value,
  selected: !excluded,
  excluded,
});

function soughtNumbers(facet: FacetName, text: string, names: Names): ReadonlySet<number> {
  return isFixed(facet) ? new Set() : new Set(names.search(facet, text).map(({ id }) => id));
}

/** The numbers with the highest counts above 0, the highest first. */
function highest(counts: Uint32Array, limit: number, isWanted: (number: number) => boolean): number[] {
  const best: number[] = [];
  for (let number = 0; number < counts.length; number++) {
    const count = counts[number]!;
    if (count === 0 || (best.length === limit && counts[best.at(-1)!]! >= count) || !isWanted(number)) continue;
    let place = best.length;
    while (place > 0 && counts[best[place - 1]!]! < count) place--;
    best.splice(place, 0, number);
    if (best.length > limit) best.pop();
  }
  return best;
}

function arranged(facet: FacetName, values: readonly CountedValue[]): CountedValue[] {
  if (isFixed(facet)) {
    const order: readonly string[] = fixedValues[facet];
    return values.toSorted((one, other) => order.indexOf(one.value) - order.indexOf(other.value));
  }
  const byName = (one: CountedValue, other: CountedValue) => (one.label < other.label ? -1 : 1);
  const lacking = (value: CountedValue) => (value.value === "" ? 1 : 0);
  return values.toSorted(
    (one, other) =>
      lacking(one) - lacking(other) ||
      (facet === "decade" ? byName(other, one) : inOrder.has(facet) ? byName(one, other) : other.count - one.count) ||
      byName(one, other),
  );
}

/** Names of authors with how many issues each has within the selection, by name; those without any are left out. */
export function countAuthors(
  { names }: IndexParts,
  selection: Selection,
  { text, letter }: { readonly text: string; readonly letter: string | undefined },
): CountedName[] {
  const counts = selection.count("author", selection.all("author"));
  return names
    .search("author", text, letter)
    .filter(({ id }) => id !== without && counts[id]! > 0)
    .map(({ id, label }) => ({ name: label, count: counts[id]! }));
}
