import { inBatches } from "@longbox/sdk";
import { ownIssue } from "../issues/assigning.js";
import { lockedIn } from "./lockable-fields.js";
import { settle } from "./departing.js";
import type { CollectionTransaction } from "../tables.js";

/**
 * Removes the volume's metadata and manual assignments from a series; files are assigned by their own metadata again.
 */
export async function detachVolume(transaction: CollectionTransaction, seriesId: number): Promise<void> {
  await transaction.deleteFrom("assignment").where("series_id", "=", seriesId).execute();
  const issues = await transaction.selectFrom("issue").select("id").where("series_id", "=", seriesId).execute();
  const holders = issues.map((issue) => ({ issue_id: issue.id, series_id: seriesId }));
  for (const ids of inBatches(issues.map((issue) => issue.id))) {
    await transaction.deleteFrom("issue_detail").where("issue_id", "in", ids).execute();
    await transaction
      .updateTable("issue")
      .set({ cv_issue_id: null, listed: 0, described: 0, pick: null, pick_why: null, pick_reason: null })
      .where("id", "in", ids)
      .execute();
  }
  const description = await ownDescription(transaction, seriesId);
  await transaction
    .updateTable("series")
    .set({ cv_id: null, description, url: null, status: "unknown", pointed_by_hand: 1 })
    .where("id", "=", seriesId)
    .execute();
  for (const file of await transaction
    .selectFrom("file")
    .selectAll()
    .where("series_id", "=", seriesId)
    .where("assigned", "=", 1)
    .execute()) {
    const home = await ownIssue(transaction, file);
    await transaction.updateTable("file").set({ issue_id: home, assigned: 0 }).where("id", "=", file.id).execute();
    holders.push({ issue_id: home, series_id: seriesId });
  }
  await settle(transaction, holders);
  await transaction
    .updateTable("series")
    .set({ state: "tracked" })
    .where("id", "=", seriesId)
    .where("state", "=", "vanished")
    .execute();
}

/** A description that a person wrote stays. */
async function ownDescription(transaction: CollectionTransaction, seriesId: number): Promise<string | null> {
  const series = await transaction
    .selectFrom("series")
    .select(["description", "locked"])
    .where("id", "=", seriesId)
    .executeTakeFirstOrThrow();
  return lockedIn(series).has("description") ? series.description : null;
}
