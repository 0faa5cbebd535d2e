import { excluded } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { BookTables, RemoteBookTable } from "../tables.js";

const atOnce = 200;

/** Where a source is: the plugin that adds it, and its id there. */
export interface SourceKey {
  readonly plugin: string;
  readonly source: string;
}

/** The books of sources by the paths under which the collection has them. */
export class RemoteRecords {
  readonly #database: Kysely<BookTables>;

  constructor(database: Kysely<BookTables>) {
    this.#database = database;
  }

  find(path: string): Promise<RemoteBookTable | undefined> {
    return this.#database.selectFrom("remote_book").selectAll().where("path", "=", path).executeTakeFirst();
  }

  async keep(rows: readonly RemoteBookTable[]): Promise<void> {
    for (let start = 0; start < rows.length; start += atOnce)
      await this.#database
        .insertInto("remote_book")
        .values(rows.slice(start, start + atOnce))
        .onConflict((conflict) => conflict.column("path").doUpdateSet(excluded(["version", "size", "cover"])))
        .execute();
  }

  /** The sources of all books. */
  async listSources(): Promise<SourceKey[]> {
    return this.#database.selectFrom("remote_book").select(["plugin", "source"]).distinct().execute();
  }

  /** All paths of a source. */
  async listPaths({ plugin, source }: SourceKey): Promise<string[]> {
    const rows = await this.#database
      .selectFrom("remote_book")
      .select("path")
      .where("plugin", "=", plugin)
      .where("source", "=", source)
      .execute();
    return rows.map(({ path }) => path);
  }

  async remove(paths: readonly string[]): Promise<void> {
    for (let start = 0; start < paths.length; start += atOnce)
      await this.#database
        .deleteFrom("remote_book")
        .where("path", "in", paths.slice(start, start + atOnce))
        .execute();
  }
}
