import { reserveIds, type CollectionTransaction } from "../tables.js";
import type { Work } from "./works-contract.js";

interface Merge {
  readonly from: number;
  readonly to: number;
}

/** All of these issues, and every issue that one of them was linked with, become one work: the oldest of theirs. */
export async function joinWorks(transaction: CollectionTransaction, issueIds: readonly number[]): Promise<Work> {
  const present = await transaction
    .selectFrom("work_issue")
    .select("work_id")
    .distinct()
    .where("issue_id", "in", [...issueIds])
    .orderBy("work_id")
    .execute();
  const id = present[0]?.work_id ?? (await reserveIds(transaction, "work", 1));
  const others = present.slice(1).map((row) => row.work_id);
  if (others.length > 0)
    await transaction.updateTable("work_issue").set({ work_id: id }).where("work_id", "in", others).execute();
  await transaction
    .insertInto("work_issue")
    .values(issueIds.map((issue_id) => ({ issue_id, work_id: id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await transaction
    .deleteFrom("work_refusal")
    .where("issue_id", "in", [...issueIds])
    .where("other_id", "in", [...issueIds])
    .execute();
  return { id, issueIds: await issuesOf(transaction, id) };
}

async function issuesOf(transaction: CollectionTransaction, workId: number): Promise<number[]> {
  const rows = await transaction
    .selectFrom("work_issue")
    .select("issue_id")
    .where("work_id", "=", workId)
    .orderBy("issue_id")
    .execute();
  return rows.map((row) => row.issue_id);
}

/** An issue became another: works that they belonged to become one, and what was refused for one is for the other. */
export async function moveWork(transaction: CollectionTransaction, { from, to }: Merge): Promise<void> {
  await moveRefusals(transaction, { from, to });
  const rows = await transaction.selectFrom("work_issue").selectAll().where("issue_id", "in", [from, to]).execute();
  const former = rows.find((row) => row.issue_id === from);
  if (!former) return;
  await transaction.deleteFrom("work_issue").where("issue_id", "=", from).execute();
  const own = rows.find((row) => row.issue_id === to);
  if (!own) {
    await transaction.insertInto("work_issue").values({ issue_id: to, work_id: former.work_id }).execute();
    return;
  }
  await transaction
    .updateTable("work_issue")
    .set({ work_id: own.work_id })
    .where("work_id", "=", former.work_id)
    .execute();
}

async function moveRefusals(transaction: CollectionTransaction, { from, to }: Merge): Promise<void> {
  const rows = await transaction
    .deleteFrom("work_refusal")
    .where((eb) => eb.or([eb("issue_id", "=", from), eb("other_id", "=", from)]))
    .returningAll()
    .execute();
  const moved = (id: number) => (id === from ? to : id);
  const kept = rows
    .map((row) => ({ issue_id: moved(row.issue_id), other_id: moved(row.other_id) }))
    .filter((row) => row.issue_id !== row.other_id);
  if (kept.length === 0) return;
  await transaction
    .insertInto("work_refusal")
    .values(kept)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
