import type { CollectionContract } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { moveWork } from "./keeping/work-moves.js";
import type { ReadingChange } from "./recording.js";
import type { ReadingTables } from "./tables.js";

/** How many works are asked for at once. */
const batch = 500;
const tables = ["progress", "history", "later", "device_place"] as const;

/** Moves the progress of users when works are merged. */
export class FollowingWorks {
  readonly #database: Kysely<ReadingTables>;
  readonly #library: CollectionContract;
  readonly #changed: (change: ReadingChange) => void;

  constructor(database: Kysely<ReadingTables>, library: CollectionContract, changed: (change: ReadingChange) => void) {
    this.#database = database;
    this.#library = library;
    this.#changed = changed;
  }

  async follow({ from, to }: { from: number; to: number }): Promise<void> {
    const [work] = await this.#library.findIssues([to], systemViewer);
    const users = await moveWork(this.#database, { from, to: work?.id ?? to, work });
    for (const userId of users) this.#changed({ userId, issueIds: [from, to] });
  }

  /** Applies merges of works that happened while this plugin was not running. */
  async catchUp(signal: AbortSignal): Promise<void> {
    for (const table of tables) {
      for (let after = 0; !signal.aborted;) {
        const ids = await keptWorks(this.#database, table, after);
        await this.#followGone(ids, signal);
        if (ids.length < batch) break;
        after = ids.at(-1)!;
      }
    }
  }

  async #followGone(ids: readonly number[], signal: AbortSignal): Promise<void> {
    const known = new Set((await this.#library.findIssues(ids, systemViewer)).map((issue) => issue.id));
    for (const from of ids.filter((id) => !known.has(id))) {
      const [issue] = await this.#library.findIssues([from], systemViewer);
      if (issue && issue.id !== from && !signal.aborted) await this.follow({ from, to: issue.id });
    }
  }
}

/** Some of the works that a table knows. Its index by issue answers, so that no thread need be started for it. */
async function keptWorks(
  database: Kysely<ReadingTables>,
  table: (typeof tables)[number],
  after: number,
): Promise<number[]> {
  const rows = await database
    .selectFrom(table)
    .select("issue_id")
    .distinct()
    .where("issue_id", ">", after)
    .orderBy("issue_id")
    .limit(batch)
    .execute();
  return rows.map((row) => row.issue_id);
}
