import type { MetadataContract } from "@longbox/metadata/contract";
import type { ViewedItem } from "../keeping/library-view.js";

export interface WantedVolume {
  readonly volumeId: number;
  readonly items: readonly ViewedItem[];
}

/** The current id of the issue for clients. */
export const idOf = ({ record, issue }: ViewedItem): number => issue?.cvIssueId ?? record.cv_issue_id;

/**
 * Looks up the volumes of issues. Those without one in the file are requested from the provider, a hundred at a time.
 */
export async function volumesOf(
  metadata: MetadataContract,
  items: readonly ViewedItem[],
  signal: AbortSignal,
): Promise<{ volumes: WantedVolume[]; lost: ViewedItem[] }> {
  const unknown = items.filter(({ record }) => record.volume_id === null).map(idOf);
  const told = unknown.length === 0 ? [] : await metadata.listIssues(unknown, { urgency: "person", signal });
  const volumeOf = new Map(
    told.filter((issue) => issue.volumeId > 0).map((issue) => [issue.cvIssueId, issue.volumeId]),
  );
  const grouped = Map.groupBy(items, (item) => item.record.volume_id ?? volumeOf.get(idOf(item)));
  const lost = grouped.get(undefined) ?? [];
  grouped.delete(undefined);
  return { volumes: [...grouped].map(([volumeId, some]) => ({ volumeId: volumeId as number, items: some })), lost };
}
