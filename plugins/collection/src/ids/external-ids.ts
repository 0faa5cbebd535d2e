import { inBatches } from "@longbox/sdk";
import type { CollectionTransaction, ExternalIdTable } from "../tables.js";
import type { CollectionDatabase } from "../tables.js";
import { normaliseId } from "./schemes.js";

export type IdSubject = "issue" | "series";

/** Longer ids, or more of them for one thing, are not believed. */
const most = { schemes: 20, valueLength: 200 };
const schemePattern = /^[a-z][a-z0-9-]{0,31}$/;

/** The ids of some things by scheme: `{ isbn: ["9780306406157"] }`. */
export type IdsByScheme = Readonly<Record<string, readonly string[]>>;

/**
 * What others call issues and series, by scheme. The metadata provider's own ids are columns of the tables themselves;
 * `cv` here holds those of issues that became another.
 */
export class ExternalIds {
  constructor(private readonly database: CollectionDatabase) {}

  /**
   * The issues or series that have one of these ids, each with the id as it was asked by. Spellings of one id are the
   * same; what cannot be an id of the scheme finds nothing.
   */
  async find(
    subject: IdSubject,
    scheme: string,
    values: readonly string[],
  ): Promise<Array<{ value: string; subjectId: number }>> {
    const askedBy = Map.groupBy(new Set(values), (value) => normaliseId(scheme, value));
    askedBy.delete(undefined);
    const found: Array<{ value: string; subjectId: number }> = [];
    for (const some of inBatches([...askedBy.keys()] as string[])) {
      const rows = await this.database
        .selectFrom("external_id")
        .select(["value", "subject_id"])
        .where("subject", "=", subject)
        .where("scheme", "=", scheme)
        .where("value", "in", some)
        .orderBy("value")
        .orderBy("subject_id")
        .execute();
      for (const row of rows)
        for (const value of askedBy.get(row.value) ?? []) found.push({ value, subjectId: row.subject_id });
    }
    return found;
  }

  /** Everything that these issues or series are called. */
  async list(subject: IdSubject, subjectIds: readonly number[]): Promise<Map<number, IdsByScheme>> {
    const found = new Map<number, Record<string, string[]>>();
    for (const some of inBatches([...new Set(subjectIds)])) {
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

/**
 * The rows of the ids in a file's metadata, without invalid ones. The provider's ids (`cv`) are read from
 * fields of their own.
 */
export function idRows(
  subject: IdSubject,
  subjectId: number,
  ids: Readonly<Record<string, string>> | undefined,
): ExternalIdTable[] {
  return Object.entries(ids ?? {})
    .slice(0, most.schemes)
    .flatMap(([scheme, written]) => {
      if (scheme === "cv" || !schemePattern.test(scheme) || written.length > most.valueLength) return [];
      const value = normaliseId(scheme, written);
      return value === undefined ? [] : [{ subject, subject_id: subjectId, scheme, value }];
    });
}

/** Adds ids; those that are known stay. */
export async function writeIds(transaction: CollectionTransaction, rows: readonly ExternalIdTable[]): Promise<void> {
  for (const some of inBatches(rows))
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
