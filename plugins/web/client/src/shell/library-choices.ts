import { t } from "@longbox/sdk/ui";

export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** The filters of `GET /api/collection`. */
export const filters: readonly Choice[] = [
  { id: "all", label: t("libraryChoices.all") },
  { id: "followed", label: t("libraryChoices.followed") },
  { id: "incomplete", label: t("libraryChoices.withGaps") },
  { id: "complete", label: t("libraryChoices.complete") },
  { id: "ongoing", label: t("libraryChoices.ongoing") },
  { id: "ended", label: t("libraryChoices.ended") },
  { id: "monitored", label: t("libraryChoices.monitored") },
  { id: "unmatched", label: t("libraryChoices.unmatched") },
  { id: "problems", label: t("libraryChoices.problems") },
];

/** What the user has read, of series and of issues; the first is no filter. */
export const readings = [
  { id: "any", label: t("libraryChoices.readOrNot") },
  { id: "unread", label: t("libraryChoices.unread") },
  { id: "reading", label: t("libraryChoices.reading") },
  { id: "read", label: t("libraryChoices.read") },
] as const satisfies readonly Choice[];

/** The sort orders of `GET /api/collection`. */
export const sorts: readonly Choice[] = [
  { id: "title", label: t("libraryChoices.titleAToZ") },
  { id: "-title", label: t("libraryChoices.titleZToA") },
  { id: "added", label: t("libraryChoices.newestInTheLibrary") },
  { id: "latest", label: t("libraryChoices.latestRelease") },
  { id: "-year", label: t("libraryChoices.youngestFirst") },
  { id: "year", label: t("libraryChoices.oldestFirst") },
  { id: "missing", label: t("libraryChoices.mostMissing") },
];

/** The named parameters of an address as a query of the API; absent ones are left out. */
export function queryOf(address: URL, names: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = address.searchParams.get(name);
    if (value) query.set(name, value);
  }
  return query.toString();
}

/**
 * The value of the API's parameter `facet`: the facets of plugins that the address names, and what the user has read of
 * them. The server says what is wrong with an address that was typed.
 */
export function facetWith(address: URL, reading: string | undefined): string | undefined {
  const given = address.searchParams.get("facet") || undefined;
  if (reading === undefined) return given;
  if (given === undefined) return JSON.stringify({ reading });
  try {
    return JSON.stringify({ ...(JSON.parse(given) as object), reading });
  } catch {
    return given;
  }
}

/** The same page with changed parameters; empty ones are removed. */
export function addressWith(address: URL, changes: Readonly<Record<string, string>>): string {
  const next = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next.pathname + next.search;
}
