import type { Transaction } from "kysely";
import type { ImportedFile } from "../contract.js";
import type { FilesDatabase, FilesTables, PlacementTable } from "../tables.js";

/** The placements of files from other plugins, by key, with what is needed to complete or undo them after a stop. */
export class Placements {
  constructor(private readonly database: FilesDatabase) {}

  find(key: string): Promise<PlacementTable | undefined> {
    return this.database.selectFrom("placement").selectAll().where("key", "=", key).executeTakeFirst();
  }

  /** Placements that a stop interrupted before the file was placed and recorded. */
  listUnfinished(): Promise<PlacementTable[]> {
    return this.database.selectFrom("placement").selectAll().where("state", "<>", "done").orderBy("begun_at").execute();
  }

  async begin(placement: Pick<PlacementTable, "key" | "path" | "mode" | "issue_id">): Promise<void> {
    await this.database
      .insertInto("placement")
      .values({ ...placement, state: "staging", replaced: "[]", begun_at: Date.now() })
      .execute();
  }

  async change(
    key: string,
    values: Partial<Omit<PlacementTable, "key">>,
    database: FilesDatabase | Transaction<FilesTables> = this.database,
  ): Promise<void> {
    await database.updateTable("placement").set(values).where("key", "=", key).execute();
  }

  async drop(key: string): Promise<void> {
    await this.database.deleteFrom("placement").where("key", "=", key).execute();
  }
}

export function replacedOf({ replaced }: Pick<PlacementTable, "replaced">): Array<{ from: string; to: string }> {
  return JSON.parse(replaced) as Array<{ from: string; to: string }>;
}

/** @param placement - in the state `done` */
export function answerOf(placement: PlacementTable): ImportedFile {
  return {
    path: placement.goal!,
    libraryId: placement.library_id!,
    seriesId: placement.series_id!,
    issueId: placement.placed_issue_id!,
    batchId: placement.batch_id!,
    replaced: replacedOf(placement).map(({ to }) => to),
  };
}
