import { numberLabel, type CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { NamedColumns } from "../tables.js";

export type NameOf = (row: NamedColumns) => string;

/**
 * Names rows as users of their type of library do: `Moth Patrol #3`, `The Salt Road`. A row whose issue is gone is
 * named by what it kept, and a pack by its series.
 */
export async function namesFor(
  library: Pick<CollectionContract, "findIssues">,
  rows: readonly NamedColumns[],
  viewer: Viewer,
): Promise<NameOf> {
  const ids = new Set(rows.flatMap(({ issue_id: id }) => id ?? []));
  const issues = ids.size === 0 ? [] : await library.findIssues([...ids], viewer);
  const labels = new Map(issues.map(({ id, label }) => [id, label.full]));
  return (row) => (row.issue_id === null ? undefined : labels.get(row.issue_id)) ?? keptName(row);
}

function keptName({ series_title: series, number }: NamedColumns): string {
  return [series, numberLabel(number)].filter(Boolean).join(" ");
}
