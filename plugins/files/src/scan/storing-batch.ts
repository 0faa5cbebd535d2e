import { readdir, stat } from "node:fs/promises";
import type { CollectionContract } from "@longbox/collection/contract";
import type { ScannedFileTable } from "../tables.js";
import type { ScannedFile } from "./messages.js";
import type { ScanIndex } from "./scan-index.js";

/**
 * With more files of the same contents than this, none is taken for another that moved: empty and blank files all look
 * alike, which of them went where cannot be told, and looking for each would take longer with every file.
 */
const mostCopies = 50;

/** What became of a batch, in files. */
export interface StoredBatch {
  readonly placed: number;
  readonly moved: number;
}

/**
 * Stores what the scanning thread read: moved files keep their issue, others are placed by what they say of themselves.
 */
export class BatchStoring {
  constructor(
    private readonly collection: Pick<CollectionContract, "placeFiles" | "moveFiles">,
    private readonly index: ScanIndex,
  ) {}

  /** Safe to repeat: the index remembers a file only after the collection has it. */
  async store(
    batch: readonly ScannedFile[],
    root: { readonly libraryId: number; readonly rootFolder: string },
    rootFolders: readonly string[],
  ): Promise<StoredBatch> {
    const known = new Map(
      (
        await this.index.findByPaths(batch.filter((scanned) => scanned.isKnown).map((scanned) => scanned.file.path))
      ).map((row) => [row.path, row]),
    );
    const untouched = batch.filter((scanned) => isSameFile(scanned, known.get(scanned.file.path)));
    const moves = await this.#findMoves(
      batch.filter((scanned) => !known.has(scanned.file.path)),
      root,
      rootFolders,
    );
    if (moves.length > 0) {
      await this.collection.moveFiles(moves.map(({ from, scanned }) => ({ from, to: scanned.file.path })));
      await this.index.move(moves.map(({ from, scanned }) => ({ from, to: scanned.file.path })));
    }
    const same = new Set([...untouched, ...moves.map((move) => move.scanned)]);
    if (same.size > 0) await this.index.touch([...same], root.libraryId);
    const rest = batch.filter((scanned) => !same.has(scanned));
    if (rest.length > 0)
      await this.index.remember(rest, await this.collection.placeFiles(rest.map((scanned) => scanned.file)));
    return { placed: rest.length, moved: moves.length };
  }

  /** A new file whose contents stood elsewhere, where they no longer are, is that file, moved. */
  async #findMoves(
    fresh: readonly ScannedFile[],
    root: { libraryId: number; rootFolder: string },
    rootFolders: readonly string[],
  ): Promise<Array<{ from: string; scanned: ScannedFile }>> {
    if (fresh.length === 0) return [];
    const gone = await this.#findGone(new Set(fresh.map((scanned) => scanned.fingerprint)), root, rootFolders);
    const moves: Array<{ from: string; scanned: ScannedFile }> = [];
    for (const scanned of fresh) {
      const from = gone.get(scanned.fingerprint)?.shift();
      if (from !== undefined) moves.push({ from: from.path, scanned });
    }
    return moves;
  }

  /**
   * Known files of these contents that have left their places, by their fingerprint; each is looked for once a batch.
   */
  async #findGone(
    fingerprints: ReadonlySet<string>,
    root: { libraryId: number; rootFolder: string },
    rootFolders: readonly string[],
  ): Promise<Map<string, ScannedFileTable[]>> {
    const copies = Map.groupBy(
      await this.index.findByFingerprints([...fingerprints], mostCopies),
      (row) => row.fingerprint,
    );
    const gone = new Map<string, ScannedFileTable[]>();
    for (const [fingerprint, rows] of copies)
      gone.set(fingerprint, await whereAsync(rows, (row) => hasLeft(row, root, rootFolders)));
    return gone;
  }
}

/**
 * Only the time of change is another: a backup or a copy restored the same bytes. Tags beside the file count as
 * changed.
 */
function isSameFile(scanned: ScannedFile, row: ScannedFileTable | undefined): boolean {
  return (
    row !== undefined &&
    row.fingerprint === scanned.fingerprint &&
    row.tags_ms === scanned.state.tagsMs &&
    row.modified_ms !== scanned.state.modifiedMs &&
    row.format === scanned.state.format &&
    row.error === (scanned.file.error ?? null)
  );
}

/** Whether a known file has left its place for certain: not because a disk is away. */
async function hasLeft(
  row: ScannedFileTable,
  root: { libraryId: number; rootFolder: string },
  rootFolders: readonly string[],
): Promise<boolean> {
  const home = rootFolders.find((folder) => row.path.startsWith(`${folder}/`));
  if (home === undefined) return row.library_id === root.libraryId;
  try {
    await stat(row.path);
    return false;
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR") return false;
  }
  // A folder that cannot be listed counts as empty: nothing is removed on its word.
  return (await readdir(home).catch(() => [])).length > 0;
}

async function whereAsync<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const answers = await Promise.all(items.map(test));
  return items.filter((_, index) => answers[index]);
}
