export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** The filters of `GET /api/collection`. */
export const filters: readonly Choice[] = [
  { id: "all", label: "All" },
  { id: "followed", label: "Followed" },
  { id: "incomplete", label: "With gaps" },
  { id: "complete", label: "Complete" },
  { id: "ongoing", label: "Ongoing" },
  { id: "ended", label: "Ended" },
  { id: "monitored", label: "Monitored" },
  { id: "unmatched", label: "Unmatched" },
  { id: "problems", label: "Problems" },
];

/** What the user has read, of series and of issues; the first is no filter. */
export const readings = [
  { id: "any", label: "Read or not" },
  { id: "unread", label: "Unread" },
  { id: "reading", label: "Reading" },
  { id: "read", label: "Read" },
] as const satisfies readonly Choice[];

/** The sort orders of `GET /api/collection`. */
export const sorts: readonly Choice[] = [
  { id: "title", label: "Title, A to Z" },
  { id: "-title", label: "Title, Z to A" },
  { id: "added", label: "Newest in the library" },
  { id: "latest", label: "Latest release" },
  { id: "-year", label: "Youngest first" },
  { id: "year", label: "Oldest first" },
  { id: "missing", label: "Most missing" },
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

/** The same page with changed parameters; empty ones are removed. */
export function addressWith(address: URL, changes: Readonly<Record<string, string>>): string {
  const next = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next.pathname + next.search;
}
