export interface Choice {
  readonly id: string;
  readonly label: string;
}

/** What `GET /api/collection` can filter by. */
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

/** What it can sort by. */
export const sorts: readonly Choice[] = [
  { id: "title", label: "Title, A to Z" },
  { id: "-title", label: "Title, Z to A" },
  { id: "added", label: "Newest in the library" },
  { id: "latest", label: "Latest issue" },
  { id: "-year", label: "Youngest first" },
  { id: "year", label: "Oldest first" },
  { id: "missing", label: "Most missing" },
];

/** Some of an address's parameters as a query of the API; those that are not there are left out. */
export function queryOf(address: URL, names: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = address.searchParams.get(name);
    if (value) query.set(name, value);
  }
  return query.toString();
}

/** The same page with other parameters; an empty one is taken out. */
export function addressWith(address: URL, changes: Readonly<Record<string, string>>): string {
  const next = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next.pathname + next.search;
}
