import { lstat, type FileHandle } from "node:fs/promises";
import { LongboxError, resolveWithin, systemViewer, unlessMissing } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import { trashPath } from "./moving/trash.js";
import type { FilesEngine, ReadRecord } from "./contract.js";
import type { FolderTurns } from "./folder-turns.js";
import type { Moves } from "./moving/moves.js";
import type { ReplacingFiles } from "./replacing/replacing-files.js";
import type { ScanIndex } from "./scan/scan-index.js";
import type { Scanner } from "./scan/scanner.js";
import type { ScannedFileTable } from "./tables.js";

export interface EngineParts {
  readonly collection: CollectionContract;
  readonly index: ScanIndex;
  readonly moves: Moves;
  readonly replacing: ReplacingFiles;
  readonly scanner: Scanner;
  readonly turns: FolderTurns;
}

/** What other plugins may do with the files of libraries. */
export class Engine implements FilesEngine {
  constructor(private readonly parts: EngineParts) {}

  async findRead(paths: readonly string[]): Promise<readonly ReadRecord[]> {
    return (await this.parts.index.findByPaths(paths)).map(toRecord);
  }

  async listRead(query: Parameters<FilesEngine["listRead"]>[0]): Promise<readonly ReadRecord[]> {
    return (await this.parts.index.list(query)).map(toRecord);
  }

  async exclusively<T>(doing: string, perform: () => Promise<T>): Promise<T> {
    return this.parts.turns.take(doing, perform);
  }

  async replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    return this.parts.replacing.replace(await this.#realPath(path), write);
  }

  /** A link stays: what it leads to is replaced, as long as that lies in the library. */
  async #realPath(path: string): Promise<string> {
    const found = await unlessMissing(lstat(path));
    if (!found?.isSymbolicLink()) return path;
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    const home = libraries.find(({ rootFolder }) => path.startsWith(`${rootFolder}/`));
    const real = home && (await resolveWithin(home.rootFolder, path));
    if (real === undefined)
      throw new LongboxError("conflict", "files/leads-outside", "The file is a link that leads out of the library.");
    return real;
  }

  async supersede(former: string, replacement: string): Promise<void> {
    const { collection, index, moves } = this.parts;
    const libraries = await collection.listLibraries(systemViewer);
    const library = libraries.find(({ rootFolder }) => former.startsWith(`${rootFolder}/`));
    if (!library) throw new LongboxError("conflict", "files/not-moved", "The file is in no library.");
    await collection.moveFiles([{ from: former, to: replacement }]);
    await index.forget([former]);
    const goal = trashPath(library.rootFolder, former);
    const { failed } = await moves.perform("cleanup", [{ from: former, to: goal }], {
      rootOf: () => library.rootFolder,
    });
    if (failed[0]) throw new LongboxError("conflict", "files/not-moved", failed[0].error);
  }

  async rescan(paths: readonly string[]): Promise<void> {
    for (const { id, rootFolder } of await this.parts.collection.listLibraries(systemViewer)) {
      const inside = paths.filter((path) => path.startsWith(`${rootFolder}/`));
      if (inside.length > 0) await this.parts.scanner.scan(id, { scope: inside });
    }
  }
}

function toRecord(row: ScannedFileTable): ReadRecord {
  return {
    path: row.path,
    format: row.format.startsWith("none:") ? undefined : row.format,
    libraryId: row.library_id,
    seriesId: row.series_id,
    issueId: row.issue_id,
    sizeBytes: row.size_bytes,
    modifiedMs: row.modified_ms,
    tagged: row.tagged === 1,
    error: row.error ?? undefined,
    details: row.details === null ? undefined : JSON.parse(row.details),
  };
}
