import type { FilesDatabase } from "../tables.js";

/** A requested scan. It is stored until it has ended, so that it is resumed after a restart. */
export interface ScanRequest {
  readonly id: number;
  readonly libraryId: number;
  /** Empty for the whole library. */
  readonly scope: readonly string[];
  readonly everything: boolean;
  /** A person said that the library has really become empty. */
  readonly acceptsEmpty: boolean;
}

/** The scans that are still to be done, oldest first. */
export class ScanRequests {
  /** The one that is being carried out. It may have passed what has changed since, so that another like it is not the same. */
  #begun: number | undefined;

  constructor(private readonly database: FilesDatabase) {}

  /** One that waits already is not asked for twice. */
  async add(request: Omit<ScanRequest, "id">): Promise<ScanRequest> {
    const row = {
      library_id: request.libraryId,
      scope: JSON.stringify(request.scope),
      everything: request.everything ? (1 as const) : (0 as const),
      accepts_empty: request.acceptsEmpty ? (1 as const) : (0 as const),
    };
    const same = await this.database
      .selectFrom("scan_request")
      .select("id")
      .where("library_id", "=", row.library_id)
      .where("scope", "=", row.scope)
      .where("everything", "=", row.everything)
      .where("accepts_empty", "=", row.accepts_empty)
      .where("id", "!=", this.#begun ?? 0)
      .executeTakeFirst();
    if (same) return { ...request, id: same.id };
    const { id } = await this.database
      .insertInto("scan_request")
      .values({ ...row, asked_at: new Date().toISOString() })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { ...request, id };
  }

  async list(): Promise<ScanRequest[]> {
    const rows = await this.database.selectFrom("scan_request").selectAll().orderBy("id").execute();
    return rows.map((row) => ({
      id: row.id,
      libraryId: row.library_id,
      scope: JSON.parse(row.scope) as string[],
      everything: row.everything === 1,
      acceptsEmpty: row.accepts_empty === 1,
    }));
  }

  begin(id: number): void {
    this.#begun = id;
  }

  /** The one that was begun cannot be carried out now; it waits. */
  leave(): void {
    this.#begun = undefined;
  }

  async finish(id: number): Promise<void> {
    await this.database.deleteFrom("scan_request").where("id", "=", id).execute();
  }

  async clear(): Promise<void> {
    await this.database.deleteFrom("scan_request").execute();
  }
}
