import type { CollectionTransaction, ExternalIdTable } from "../tables.js";
import { slices, type CollectionDatabase } from "../tables.js";

export type IdSubject = "issue" | "series";

/** Longer ids, or more of them for one thing, are not believed. */
const most = { schemes: 20, valueLength: 200 };
const schemePattern = /^[a-z][a-z0-9-]{0,31}$/;

/** The ids of some things by scheme: `{ isbn: ["9780306406157"] }`. */
export type IdsByScheme = Readonly<Record<string, readonly string[]>>;

/** What others call issues and series, by scheme. The metadata provider's own ids (`cv`) stand in the tables themselves. */
export class ExternalIds {
  constructor(private readonly database: CollectionDatabase) {}

  /** The issues or series that have one of these ids, each with the id it was found by. */
  async find(
    subject: IdSubject,
    scheme: string,
    values: readonly string[],
  ): Promise<Array<{ value: string; subjectId: number }>> {
    const found: Array<{ value: string; subjectId: number }> = [];
    for (const some of slices([...new Set(values)])) {
      const rows = await this.database
        .selectFrom("external_id")
        .select(["value", "subject_id"])
        .where("subject", "=", subject)
        .where("scheme", "=", scheme)
        .where("value", "in", some)
        .orderBy("value")
        .orderBy("subject_id")
        .execute();
      found.push(...rows.map((row) => ({ value: row.value, subjectId: row.subject_id })));
    }
    return found;
  }

  /** Everything that these issues or series are called. */
  async list(subject: IdSubject, subjectIds: readonly number[]): Promise<Map<number, IdsByScheme>> {
    const found = new Map<number, Record<string, string[]>>();
    for (const some of slices([...new Set(subjectIds)])) {
      const rows = await this.database
        .selectFrom("external_id")
        .selectAll()
        .where("subject", "=", subject)
        .where("subject_id", "in", some)
        .orderBy("scheme")
        .orderBy("value")
        .execute();
      for (const row of rows) {
        const ids = found.get(row.subject_id) ?? {};
        found.set(row.subject_id, ids);
        (ids[row.scheme] ??= []).push(row.value);
      }
    }
    return found;
  }
}

/** The rows of what a file says of one thing, without what cannot be an id. */
export function idRows(
  subject: IdSubject,
  subjectId: number,
  ids: Readonly<Record<string, string>> | undefined,
): ExternalIdTable[] {
  return Object.entries(ids ?? {})
    .slice(0, most.schemes)
    .map(([scheme, value]) => ({ subject, subject_id: subjectId, scheme, value: value.trim() }))
    .filter(({ scheme, value }) => schemePattern.test(scheme) && value !== "" && value.length <= most.valueLength);
}

/** Adds ids; those that are known stay. */
export async function writeIds(transaction: CollectionTransaction, rows: readonly ExternalIdTable[]): Promise<void> {
  for (const some of slices(rows))
    await transaction
      .insertInto("external_id")
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** What one thing was called belongs to the other now. */
export async function moveIds(
  transaction: CollectionTransaction,
  subject: IdSubject,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const rows = await transaction
    .deleteFrom("external_id")
    .where("subject", "=", subject)
    .where("subject_id", "=", from)
    .returningAll()
    .execute();
  await writeIds(
    transaction,
    rows.map((row) => ({ ...row, subject_id: to })),
  );
}
