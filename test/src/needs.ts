declare module "vitest" {
  interface TaskMeta {
    /** Why a test is skipped; the reporter shows it and counts by it. */
    skipReason?: string;
  }
}

export interface Needs {
  readonly skip?: boolean;
  readonly meta?: { readonly skipReason: string };
}

/** Whether the tests run that take minutes: before a release, not at every change. */
export const runsLongTests = process.env["LONGBOX_LONG_TESTS"] === "1";

/**
 * Options of `it`, `it.each` and `describe`: skips what cannot run here, and says why. The reporter fails a run that
 * skips a test without a reason.
 * @param reason - What is missing, as the end of a sentence: "jing is not installed"
 */
export function needs(available: unknown, reason: string): Needs {
  return available ? {} : { skip: true, meta: { skipReason: reason } };
}

/** Options of a test about the files of SQLite, which a run on a database server has none of. */
export const needsSqliteFiles: Needs = needs(
  !process.env["LONGBOX_TEST_DATABASE"],
  "it is about SQLite's files, and this run keeps tables in PostgreSQL",
);

/** Options of a test that takes minutes. */
export const needsLongRun: Needs = needs(runsLongTests, "it takes minutes; LONGBOX_LONG_TESTS=1 runs it");
