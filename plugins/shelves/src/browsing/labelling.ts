import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { valueLabels, type FacetName } from "./facets.js";

const languages = new Intl.DisplayNames(["en"], { type: "language" });

/** Display names of values that are codes or ids. */
export type Labels = (facet: FacetName, value: string) => string;

/** Labels of libraries and types as this viewer knows them. */
export async function labelsFor(library: CollectionContract, viewer: Viewer): Promise<Labels> {
  const [types, libraries] = await Promise.all([library.listLibraryTypes(), library.listLibraries(viewer)]);
  const named: Partial<Record<FacetName, ReadonlyMap<string, string>>> = {
    type: new Map(types.map(({ id, label }) => [id, label])),
    library: new Map(libraries.map(({ id, name }) => [String(id), name])),
  };
  return (facet, value) => {
    if (value === "") return facet === "rating" ? "Not rated" : "Without any";
    return named[facet]?.get(value) ?? valueLabels[facet]?.[value] ?? codeLabel(facet, value);
  };
}

function codeLabel(facet: FacetName, value: string): string {
  if (facet === "format") return value.toUpperCase();
  if (facet === "decade") return `${value}s`;
  return facet === "language" ? languageName(value) : value;
}

function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag;
  } catch {
    // Tags in files are not always language tags.
    return tag;
  }
}
