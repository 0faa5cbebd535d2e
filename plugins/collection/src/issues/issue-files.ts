import { inBatches } from "@longbox/sdk";
import type { SelectQueryBuilder } from "kysely";
import { Remembered } from "../answers/remembered.js";
import type { Holding } from "../contract.js";
import type { CollectionTables, FileTable } from "../tables.js";
import { findMerges, type IssueDatabases } from "./visible-issues.js";

/** How many issues are kept that are being read, each by its pages. */
const mostRemembered = 500;
/** Pages of lists that are being looked through, and how long they are at most. */
const mostPagesRemembered = 40;
const longestPage = 100;

type HoldingOfIssue = Holding & { readonly issueId: number };

/**
 * The files that hold issues; of each the one to read first comes first: valid, assigned by hand, tagged, the longest.
 */
export class IssueFiles {
  readonly #databases: IssueDatabases;
  readonly #files: Remembered<readonly FileTable[]>;
  readonly #pages: Remembered<readonly HoldingOfIssue[]>;

  constructor(databases: IssueDatabases) {
    this.#databases = databases;
    this.#files = new Remembered(() => databases.dataVersion(), mostRemembered);
    this.#pages = new Remembered(() => databases.dataVersion(), mostPagesRemembered);
  }

  listOf(issueId: number): Promise<readonly FileTable[]> {
    return this.#files.get(String(issueId), async () => {
      const merges = await findMerges(this.#databases.database, [issueId]);
      return await arranged(
        this.#databases.database
          .selectFrom("file")
          .selectAll()
          .where("issue_id", "=", merges.get(issueId) ?? issueId),
      ).execute();
    });
  }

  /** The same for many; what became another issue is found under the id asked for. */
  findHoldings(issueIds: readonly number[]): Promise<readonly HoldingOfIssue[]> {
    const read = () => this.#readAll(issueIds);
    return issueIds.length > longestPage ? read() : this.#pages.get(issueIds.join(), read);
  }

  async #readAll(issueIds: readonly number[]): Promise<HoldingOfIssue[]> {
    const wanted = [...new Set(issueIds)];
    const filesOf = await this.#filesById(wanted);
    const merges = await findMerges(
      this.#databases.database,
      wanted.filter((id) => !filesOf.has(id)),
    );
    for (const [id, files] of await this.#filesById([...new Set(merges.values())])) filesOf.set(id, files);
    return wanted.flatMap((issueId) =>
      (filesOf.get(merges.get(issueId) ?? issueId) ?? []).map((file) => ({ issueId, ...toHolding(file) })),
    );
  }

  async #filesById(issueIds: readonly number[]): Promise<Map<number, FileTable[]>> {
    const files: FileTable[] = [];
    for (const ids of inBatches(issueIds)) {
      const some = this.#databases.database.selectFrom("file").selectAll().where("issue_id", "in", ids);
      files.push(...(await arranged(some).execute()));
    }
    return Map.groupBy(files, (file) => file.issue_id);
  }

  /** Issues that have several readable files, by id. */
  async listWithCopies({ afterId, limit }: { readonly afterId: number; readonly limit: number }): Promise<number[]> {
    const rows = await this.#databases.reader
      .selectFrom("file")
      .select("issue_id")
      .where("issue_id", ">", afterId)
      .where("valid", "=", 1)
      .groupBy("issue_id")
      .having(({ fn }) => fn.countAll<number>(), ">", 1)
      .orderBy("issue_id")
      .limit(limit)
      .execute();
    return rows.map((row) => row.issue_id);
  }

  /** The formats in which these issues can be read, each once, by issue. */
  async formatsOf(issueIds: readonly number[]): Promise<Map<number, string[]>> {
    const found = new Map<number, string[]>();
    for (const ids of inBatches(issueIds)) {
      const rows = await this.#databases.database
        .selectFrom("file")
        .select(["issue_id", "format"])
        .where("issue_id", "in", ids)
        .where("valid", "=", 1)
        .where("format", "is not", null)
        .distinct()
        .execute();
      for (const { issue_id, format } of rows)
        found.set(issue_id, [...(found.get(issue_id) ?? []), format as string].sort());
    }
    return found;
  }

  async listOfSeries(seriesId: number): Promise<Map<number, FileTable[]>> {
    const files = await this.#databases.database
      .selectFrom("file")
      .selectAll()
      .where("series_id", "=", seriesId)
      .orderBy("valid", "desc")
      .orderBy("assigned", "desc")
      .orderBy("path")
      .execute();
    return Map.groupBy(files, (file) => file.issue_id);
  }
}

function arranged(
  files: SelectQueryBuilder<CollectionTables, "file", FileTable>,
): SelectQueryBuilder<CollectionTables, "file", FileTable> {
  return files
    .orderBy("valid", "desc")
    .orderBy("assigned", "desc")
    .orderBy("tagged", "desc")
    .orderBy("pages", "desc")
    .orderBy("path");
}

export function toHolding(file: FileTable): Holding {
  return {
    path: file.path,
    name: file.name,
    sizeBytes: file.size,
    format: file.format ?? undefined,
    pages: file.pages - file.hidden_pages,
    seconds: file.seconds ?? undefined,
    valid: file.valid === 1,
    tagged: file.tagged === 1,
    error: file.error ?? undefined,
    assigned: file.assigned === 1,
  };
}
