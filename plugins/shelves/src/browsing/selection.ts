import { z } from "zod";
import { BadSelection } from "../errors.js";

/** What is chosen, as it stands in an address: values by facet, those that are left out with `-` before them. */
export interface ChosenValues {
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Part of a title; empty for all. */
  readonly q: string;
}

/** Bounds of a selection, so that no address can ask for endless work. */
const most = { values: 200, facets: 30, length: 300 };
const controlCharacters = /[\u0000-\u001f\u007f]/;

/** Parameters that are no facets. */
const reserved: ReadonlySet<string> = new Set(["page", "limit", "sort", "q", "facet", "find", "letter", "offset"]);

/** How a selection is stored. */
export const keptSelectionSchema = z.object({
  values: z.record(z.string().min(1).max(60), z.array(z.string().max(most.length)).max(most.values)),
  q: z.string().trim().max(200).default(""),
});

/** The selection of a query: every parameter that is not one of the list's own. @throws {BadSelection} */
export function readSelection(query: Readonly<Record<string, unknown>>): ChosenValues {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, given] of Object.entries(query)) {
    if (reserved.has(name) || given === undefined) continue;
    values[name] = (Array.isArray(given) ? given : [given]).map(String);
  }
  return checkSelection({ values, q: typeof query["q"] === "string" ? query["q"] : "" });
}

/** @throws {BadSelection} */
export function checkSelection(chosen: ChosenValues): ChosenValues {
  const facets = Object.entries(chosen.values);
  const count = facets.reduce((sum, [, values]) => sum + values.length, 0);
  if (facets.length > most.facets) throw new BadSelection("query", `at most ${most.facets} facets can be chosen from`);
  if (count > most.values) throw new BadSelection("query", `at most ${most.values} values can be chosen`);
  for (const [name, values] of facets)
    for (const value of values) {
      if (value.length > most.length) throw new BadSelection(name, `values have at most ${most.length} characters`);
      if (controlCharacters.test(value)) throw new BadSelection(name, "values have no control characters");
    }
  if (controlCharacters.test(chosen.q)) throw new BadSelection("q", "must have no control characters");
  return chosen;
}

/** The values to include and to leave out. `\-` is a value that begins with a hyphen. */
export function signed(values: readonly string[]): { include: string[]; exclude: string[] } {
  const [include, exclude]: [string[], string[]] = [[], []];
  for (const value of new Set(values)) {
    if (value.startsWith("-")) exclude.push(unescaped(value.slice(1)));
    else include.push(unescaped(value));
  }
  return { include, exclude };
}

const unescaped = (value: string): string => (/^\\[-\\]/.test(value) ? value.slice(1) : value);

/** A value as it stands in an address. */
export const escaped = (value: string): string => (/^[-\\]/.test(value) ? `\\${value}` : value);
