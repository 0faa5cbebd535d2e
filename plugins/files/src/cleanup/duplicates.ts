import { createHash } from "node:crypto";
import { BadInput, NotFound, type Content, type Viewer } from "@longbox/sdk";
import type { Holding, Issue } from "@longbox/collection/contract";
import { trashPath } from "../moving/trash.js";
import type { PlannedMove } from "../moving/moves.js";
import type { FilesDatabase } from "../tables.js";
import type { CleaningParts } from "./cleaning.js";

/** An issue with several files that can be read; the first is the one that is read. */
export interface DuplicatedIssue {
  readonly issue: Issue;
  readonly files: readonly Holding[];
}

export interface DuplicatesPage {
  /** The last issue of the page before. */
  readonly after: number;
  readonly limit: number;
}

/** Issues of which the library has several files, for a person who compares them and keeps one or all. */
export class Duplicates {
  readonly #parts: CleaningParts & { readonly database: FilesDatabase };

  constructor(parts: CleaningParts & { readonly database: FilesDatabase }) {
    this.#parts = parts;
  }

  /**
   * By id. Hidden issues, and those of which a person wants all files, are left out.
   * @returns `next`: where the next page begins
   */
  async list({ after, limit }: DuplicatesPage, viewer: Viewer) {
    const { collection } = this.#parts;
    const ids = await collection.listWithCopies({ afterId: after, limit });
    const issues = new Map((await collection.findIssues(ids, viewer)).map((issue) => [issue.id, issue]));
    const files = Map.groupBy(await collection.findHoldings([...issues.keys()]), ({ issueId }) => issueId);
    const settled = await this.#settled(ids);
    const found = [...issues.values()].flatMap((issue): DuplicatedIssue[] => {
      const readable = (files.get(issue.id) ?? []).filter(({ valid }) => valid);
      return readable.length < 2 || settled.get(issue.id) === keyOf(readable) ? [] : [{ issue, files: readable }];
    });
    return { issues: found, next: ids.length < limit ? undefined : ids.at(-1) };
  }

  /**
   * Moves the other files of the issue to the trash. @returns the batch of moves, which can be undone
   * @throws {NotFound} `files/no-such-issue` @throws {BadInput} `files/no-copy` @throws {Conflict} `files/busy`
   */
  async keepOne(
    issueId: number,
    path: string,
    viewer: Viewer,
  ): Promise<{ moved: number; batchId: number | undefined }> {
    const { turns, moves, collection } = this.#parts;
    return turns.take("Files are being cleaned up", async () => {
      const { files } = await this.#find(issueId, viewer);
      if (!files.some((file) => file.path === path))
        throw new BadInput("files/no-copy", "This is not a file of the issue.", {
          path: "must be a file of the issue",
        });
      const libraries = await collection.listLibraries(viewer);
      const rootOf = (file: string) =>
        libraries.find(({ rootFolder }) => file.startsWith(`${rootFolder}/`))?.rootFolder;
      const planned = files.flatMap((file): PlannedMove[] => {
        const root = file.path === path ? undefined : rootOf(file.path);
        return root === undefined ? [] : [{ from: file.path, to: trashPath(root, file.path) }];
      });
      if (planned.length === 0) return { moved: 0, batchId: undefined };
      const { batchId, moved } = await moves.perform("cleanup", planned, { rootOf });
      return { moved: moved.length, batchId: moved.length === 0 ? undefined : batchId };
    });
  }

  /**
   * All files of the issue stay, and it is not listed until it has other ones.
   * @throws {NotFound} `files/no-such-issue`
   */
  async keepAll(issueId: number, viewer: Viewer): Promise<void> {
    const row = { issue_id: issueId, files: keyOf((await this.#find(issueId, viewer)).files) };
    await this.#parts.database
      .insertInto("kept_copies")
      .values(row)
      .onConflict((conflict) => conflict.column("issue_id").doUpdateSet(row))
      .execute();
  }

  /** The cover of one file of an issue. @throws {NotFound} `files/no-such-issue` or `files/no-cover` */
  async readCover(issueId: number, path: string, viewer: Viewer): Promise<Content> {
    const { files } = await this.#find(issueId, viewer);
    const [row] = files.some((file) => file.path === path) ? await this.#parts.index.findByPaths([path]) : [];
    const cover = await this.#parts.formats.find(row?.format)?.cover?.(path);
    if (!cover) throw new NotFound("files/no-cover", "There is no picture of this file.", { issueId });
    return { kind: "bytes", ...cover };
  }

  async #find(issueId: number, viewer: Viewer): Promise<DuplicatedIssue> {
    const [issue] = await this.#parts.collection.findIssues([issueId], viewer);
    if (!issue) throw new NotFound("files/no-such-issue", `There is no item ${issueId}.`, { issueId });
    const files = await this.#parts.collection.listHoldings(issue.id);
    return { issue, files: files.filter(({ valid }) => valid) };
  }

  async #settled(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#parts.database
      .selectFrom("kept_copies")
      .selectAll()
      .where("issue_id", "in", ids)
      .execute();
    return new Map(rows.map((row) => [row.issue_id, row.files]));
  }
}

/** Changes with the files of an issue. */
function keyOf(files: readonly Holding[]): string {
  const paths = files.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`).toSorted();
  return createHash("sha256").update(paths.join("\n")).digest("hex");
}
