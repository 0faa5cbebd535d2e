import { inBatches, type Contributions, type Viewer } from "@longbox/sdk";
import type { IssueGetter } from "../contract.js";
import { NoDownloader } from "../errors.js";
import type { CollectionDatabase } from "../tables.js";

/** Passes missing issues to the plugin that downloads them. */
export class Getting {
  readonly #database: CollectionDatabase;
  readonly #getters: Contributions<IssueGetter>;

  constructor(database: CollectionDatabase, getters: Contributions<IssueGetter>) {
    this.#database = database;
    this.#getters = getters;
  }

  available(): boolean {
    return this.#getters.all().length > 0;
  }

  /** Queues every missing issue of these series. @throws {NoDownloader} */
  async queueMissing(seriesIds: readonly number[], viewer: Viewer): Promise<number> {
    const [getter] = this.#getters.all();
    if (!getter) throw new NoDownloader();
    const missing: number[] = [];
    for (const ids of inBatches(seriesIds)) {
      const rows = await this.#database
        .selectFrom("issue")
        .select("id")
        .where("series_id", "in", ids)
        .where("present", "=", 1)
        .where("owned", "=", 0)
        .orderBy("series_id")
        .orderBy("sort_key")
        .execute();
      missing.push(...rows.map((row) => row.id));
    }
    return missing.length === 0 ? 0 : await getter.queue(missing, viewer);
  }

  /** @throws {NoDownloader} */
  async queueIssues(issueIds: readonly number[], viewer: Viewer): Promise<number> {
    const [getter] = this.#getters.all();
    if (!getter) throw new NoDownloader();
    const missing = await this.#database
      .selectFrom("issue")
      .select("id")
      .where("id", "in", [...issueIds])
      .where("owned", "=", 0)
      .execute();
    return missing.length === 0
      ? 0
      : await getter.queue(
          missing.map((row) => row.id),
          viewer,
        );
  }
}
