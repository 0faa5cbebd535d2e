import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { NotFound, systemViewer, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Holding, Library } from "@longbox/collection/contract";
import type { JobsContract } from "@longbox/operations/contract";
import { answerWithJob } from "../answered-work.js";
import type { FolderTurns } from "../folder-turns.js";
import type { Formats } from "../formats/formats.js";
import { hashOf } from "../moving/verified-copy.js";
import { trashName, trashPath } from "../moving/trash.js";
import type { Moves, PlannedMove } from "../moving/moves.js";
import type { ScanIndex } from "../scan/scan-index.js";

export interface Redundant {
  readonly path: string;
  /** The file that holds the same. */
  readonly kept: string;
  readonly reason: "same-bytes" | "same-pages";
}

export interface Cleaned {
  readonly removed: readonly Redundant[];
  /** The batch of moves that can be undone; undefined when no file moved. */
  readonly batchId: number | undefined;
}

export interface CleaningParts {
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly index: ScanIndex;
  readonly moves: Moves;
  readonly turns: FolderTurns;
  readonly jobs: JobsContract;
  readonly signal: AbortSignal;
}

/** Moves copies that are proven to be redundant to the trash, which a user may empty. */
export class Cleaning {
  constructor(private readonly parts: CleaningParts) {}

  /** The files whose content is completely in a better file of the same issue. @throws {NotFound} */
  async findRedundant(seriesId: number, viewer: Viewer): Promise<Redundant[]> {
    if (!(await this.parts.collection.findSeries(seriesId, viewer)))
      throw new NotFound("files/series-not-found", `There is no series ${seriesId}.`);
    const found: Redundant[] = [];
    for (const issue of await this.parts.collection.listIssues(seriesId, viewer)) {
      const holdings = await this.parts.collection.listHoldings(issue.id);
      if (holdings.length > 1) found.push(...(await this.#compare(holdings)));
    }
    return found;
  }

  /** The same as a job whose end a request waits for. @throws {Conflict} `files/busy` */
  async cleanAsJob(seriesId: number, viewer: Viewer): Promise<Cleaned> {
    const perform = () => this.clean(seriesId, viewer);
    const work = { kind: "files.cleanup", title: "Remove copies from a series", perform };
    return answerWithJob(this.parts.jobs, work, { signal: this.parts.signal });
  }

  /** @throws {Conflict} `files/busy` */
  async clean(seriesId: number, viewer: Viewer): Promise<Cleaned> {
    return this.parts.turns.take("Files are being cleaned up", async () => {
      const redundant = await this.findRedundant(seriesId, viewer);
      const libraries = await this.parts.collection.listLibraries(viewer);
      const moves = redundant.flatMap(({ path }): PlannedMove[] => {
        const library = libraryOf(path, libraries);
        return library ? [{ from: path, to: trashPath(library.rootFolder, path) }] : [];
      });
      if (moves.length === 0) return { removed: [], batchId: undefined };
      const { batchId, moved } = await this.parts.moves.perform("cleanup", moves, {
        rootOf: (path) => libraryOf(path, libraries)?.rootFolder,
      });
      const removed = new Set(moved.map(({ from }) => from));
      return {
        removed: redundant.filter(({ path }) => removed.has(path)),
        batchId: moved.length === 0 ? undefined : batchId,
      };
    });
  }

  /** What the trash of all libraries holds. */
  async trash(): Promise<{ files: number; bytes: number }> {
    const total = { files: 0, bytes: 0 };
    for (const library of await this.parts.collection.listLibraries(systemViewer)) {
      const folder = join(library.rootFolder, trashName);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (!entry.isFile()) continue;
        // It may have been restored or removed since the folder was listed.
        const stat = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined);
        if (!stat) continue;
        total.files++;
        total.bytes += stat.size;
      }
    }
    return total;
  }

  /** Deletes the files of the trash permanently. @returns what was in it */
  async emptyTrash(): Promise<{ files: number; bytes: number }> {
    return this.parts.turns.take("Files are being cleaned up", async () => {
      const total = await this.trash();
      for (const library of await this.parts.collection.listLibraries(systemViewer))
        await rm(join(library.rootFolder, trashName), { recursive: true, force: true });
      return total;
    });
  }

  /**
   * The first of two equal files is kept: the collection lists the one to read first. A person's assignment is never
   * touched.
   */
  async #compare(holdings: readonly Holding[]): Promise<Redundant[]> {
    const found: Redundant[] = [];
    const kept: Array<{ path: string; sizeBytes: number; bytes?: string; digest?: string | undefined }> = [];
    for (const holding of holdings.filter(({ valid }) => valid)) {
      const mine = { path: holding.path, sizeBytes: holding.sizeBytes };
      const same = holding.assigned ? undefined : await this.#findEqual(mine, kept);
      if (same) found.push(same);
      else kept.push(mine);
    }
    return found;
  }

  async #findEqual(
    mine: { path: string; sizeBytes: number },
    kept: Array<{ path: string; sizeBytes: number; bytes?: string; digest?: string | undefined }>,
  ): Promise<Redundant | undefined> {
    if ((await lstat(mine.path)).isDirectory()) return undefined;
    for (const other of kept) {
      if (other.sizeBytes !== mine.sizeBytes || (await lstat(other.path)).isDirectory()) continue;
      other.bytes ??= await hashOf(other.path);
      if (other.bytes === (await hashOf(mine.path))) return { path: mine.path, kept: other.path, reason: "same-bytes" };
    }
    const digest = await this.#digestOf(mine.path);
    for (const other of kept) {
      other.digest ??= await this.#digestOf(other.path);
      if (digest !== undefined && digest === other.digest)
        return { path: mine.path, kept: other.path, reason: "same-pages" };
    }
    return undefined;
  }

  /** The digest of the contents by the file's format; undefined if the format has none. */
  async #digestOf(path: string): Promise<string | undefined> {
    const [row] = await this.parts.index.findByPaths([path]);
    return this.parts.formats
      .find(row?.format)
      ?.digest?.(path)
      .catch(() => undefined);
  }
}

function libraryOf(path: string, libraries: readonly Library[]): Library | undefined {
  return libraries.find(({ rootFolder }) => path.startsWith(`${rootFolder}/`));
}
