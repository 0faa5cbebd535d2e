import type { Selectable } from "kysely";
import type { CollectionTables, CollectionTransaction } from "../tables.js";

type Row<Name extends keyof CollectionTables> = Selectable<CollectionTables[Name]>;

export interface JoinedPair {
  readonly from: number;
  readonly to: number;
}

/** An issue that becomes one of the other series'. */
export interface IssueBefore {
  readonly issue: Row<"issue">;
  /** The one that it becomes. */
  readonly target: Row<"issue">;
  readonly detail: Row<"issue_detail"> | undefined;
  readonly targetHasDetail: boolean;
  readonly fileIds: readonly number[];
  readonly assignedPaths: readonly string[];
  readonly ids: ReadonlyArray<Row<"external_id">>;
  readonly formerIds: readonly number[];
  readonly works: ReadonlyArray<Row<"work_issue">>;
}

/** What belongs to the series that goes. */
interface Belongings {
  readonly sources: ReadonlyArray<Row<"series_source">>;
  readonly creators: ReadonlyArray<Row<"series_creator">>;
  readonly follows: ReadonlyArray<Row<"follow">>;
  readonly ids: ReadonlyArray<Row<"external_id">>;
  /** Series that were joined with it before. */
  readonly formerIds: readonly number[];
  readonly issueIds: readonly number[];
}

/** What joining changes of the series that stays. */
interface TargetBefore {
  readonly target: Pick<Row<"series">, "id" | "aliases" | "restricted" | "library_id">;
  readonly targetCreators: readonly string[];
  readonly targetFollowers: readonly number[];
}

/** Everything that joining two series takes away or changes. Kept as JSON. */
export interface BeforeJoining extends Belongings, TargetBefore {
  readonly series: Row<"series">;
  readonly issues: readonly IssueBefore[];
}

/** @param pairs - the issues that will become one */
export async function readBefore(
  transaction: CollectionTransaction,
  { from, to }: JoinedPair,
  pairs: readonly JoinedPair[],
): Promise<BeforeJoining> {
  const issues: IssueBefore[] = [];
  for (const pair of pairs) issues.push(await readIssue(transaction, pair));
  return {
    series: await transaction.selectFrom("series").selectAll().where("id", "=", from).executeTakeFirstOrThrow(),
    ...(await readBelongings(transaction, from)),
    ...(await readTarget(transaction, to)),
    issues,
  };
}

async function readBelongings(transaction: CollectionTransaction, seriesId: number): Promise<Belongings> {
  const issues = await transaction.selectFrom("issue").select("id").where("series_id", "=", seriesId).execute();
  const former = await transaction.selectFrom("series_merge").select("from_id").where("to_id", "=", seriesId).execute();
  return {
    sources: await transaction.selectFrom("series_source").selectAll().where("series_id", "=", seriesId).execute(),
    creators: await transaction.selectFrom("series_creator").selectAll().where("series_id", "=", seriesId).execute(),
    follows: await transaction.selectFrom("follow").selectAll().where("series_id", "=", seriesId).execute(),
    ids: await idsOf(transaction, "series", seriesId),
    formerIds: former.map((row) => row.from_id),
    issueIds: issues.map((row) => row.id),
  };
}

async function readTarget(transaction: CollectionTransaction, seriesId: number): Promise<TargetBefore> {
  const target = await transaction
    .selectFrom("series")
    .select(["id", "aliases", "restricted", "library_id"])
    .where("id", "=", seriesId)
    .executeTakeFirstOrThrow();
  const creators = await transaction
    .selectFrom("series_creator")
    .select("name")
    .where("series_id", "=", seriesId)
    .execute();
  const followers = await transaction
    .selectFrom("follow")
    .select("user_id")
    .where("series_id", "=", seriesId)
    .execute();
  return {
    target,
    targetCreators: creators.map((row) => row.name),
    targetFollowers: followers.map((row) => row.user_id),
  };
}

async function readIssue(transaction: CollectionTransaction, { from, to }: JoinedPair): Promise<IssueBefore> {
  const issue = (id: number) => transaction.selectFrom("issue").selectAll().where("id", "=", id);
  const detail = (id: number) => transaction.selectFrom("issue_detail").selectAll().where("issue_id", "=", id);
  const files = await transaction.selectFrom("file").select("id").where("issue_id", "=", from).execute();
  const assigned = await transaction.selectFrom("assignment").select("path").where("issue_id", "=", from).execute();
  const former = await transaction.selectFrom("issue_merge").select("from_id").where("to_id", "=", from).execute();
  return {
    issue: await issue(from).executeTakeFirstOrThrow(),
    target: await issue(to).executeTakeFirstOrThrow(),
    detail: await detail(from).executeTakeFirst(),
    targetHasDetail: (await detail(to).executeTakeFirst()) !== undefined,
    fileIds: files.map((row) => row.id),
    assignedPaths: assigned.map((row) => row.path),
    ids: await idsOf(transaction, "issue", from),
    formerIds: former.map((row) => row.from_id),
    works: await worksOf(transaction, [from, to]),
  };
}

/** Every issue of the works that these issues are. */
async function worksOf(transaction: CollectionTransaction, issueIds: number[]): Promise<Array<Row<"work_issue">>> {
  return await transaction
    .selectFrom("work_issue")
    .selectAll()
    .where("work_id", "in", (of) => of.selectFrom("work_issue").select("work_id").where("issue_id", "in", issueIds))
    .execute();
}

async function idsOf(
  transaction: CollectionTransaction,
  subject: "issue" | "series",
  id: number,
): Promise<Array<Row<"external_id">>> {
  return await transaction
    .selectFrom("external_id")
    .selectAll()
    .where("subject", "=", subject)
    .where("subject_id", "=", id)
    .execute();
}
