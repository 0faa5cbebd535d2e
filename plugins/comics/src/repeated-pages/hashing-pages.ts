import { counted, isLongboxError, type Logger } from "@longbox/sdk";
import type { FilesEngine, ReadRecord } from "@longbox/files/contract";
import type { ImagingContract } from "@longbox/imaging/contract";
import type { JobControl } from "@longbox/operations/contract";
import { UnreadableArchive } from "../archives/unreadable.js";
import { eachRead } from "../each-read.js";
import type { OpenArchives } from "../pages/open-archives.js";
import type { OpenComic } from "../pages/open-comic.js";
import type { HashedFileTable, PageHashTable, RepeatedPagesDatabase } from "./tables.js";

/** Groups that scan put their pages within this many of the first or last ones. The first page is the cover. */
const pagesAtEnds = 4;
const filesAtOnce = 500;

export interface HashingParts {
  readonly engine: FilesEngine;
  readonly archives: OpenArchives<OpenComic>;
  readonly imaging: Pick<ImagingContract, "perceptualHash">;
  readonly database: RepeatedPagesDatabase;
  readonly isComic: (format: string) => boolean;
  readonly log: Logger;
}

interface HashedPages {
  readonly file: HashedFileTable;
  readonly hashes: readonly PageHashTable[];
}

/**
 * Hashes the first and last pages of every comic that was not hashed since it changed; images are decoded outside of
 * the main thread. What was hashed is kept, so that it goes on where it was stopped.
 * @returns the paths of the hashed files
 */
export async function hashAllPages(parts: HashingParts, control: JobControl): Promise<string[]> {
  let done = 0;
  const hashed: string[] = [];
  for await (const record of eachRead(parts.engine, {}, control.signal)) {
    done += 1;
    if (record.error !== undefined || record.format === undefined || !parts.isComic(record.format)) continue;
    if (await isHashed(parts.database, record)) continue;
    const pages = await hashedPages(parts, record, control.signal);
    if (!pages) continue;
    await keep(parts.database, pages);
    hashed.push(record.path);
    control.progress(done, 0, `${counted(hashed.length, "file was", "files were")} compared`);
  }
  await forgetGone(parts, control.signal);
  return hashed;
}

/** Files that were moved or removed. */
async function forgetGone({ database, engine }: HashingParts, signal: AbortSignal): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined;) {
    signal.throwIfAborted();
    const rows = await database
      .selectFrom("hashed_file")
      .select("path")
      .where("path", ">", after)
      .orderBy("path")
      .limit(filesAtOnce)
      .execute();
    const paths = rows.map(({ path }) => path);
    const there = new Set((await engine.findRead(paths)).map(({ path }) => path));
    const gone = paths.filter((path) => !there.has(path));
    if (gone.length > 0) await forget(database, gone);
    after = paths.length < filesAtOnce ? undefined : paths.at(-1);
  }
}

async function forget(database: RepeatedPagesDatabase, paths: string[]): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("page_hash").where("path", "in", paths).execute();
    await transaction.deleteFrom("hashed_file").where("path", "in", paths).execute();
  });
}

const stampOf = ({ sizeBytes, modifiedMs }: ReadRecord) => `${sizeBytes}-${modifiedMs}`;

/** The issue of a file may be another one by now. */
async function isHashed(database: RepeatedPagesDatabase, record: ReadRecord): Promise<boolean> {
  const known = await database
    .updateTable("hashed_file")
    .set({ issue_id: record.issueId, series_id: record.seriesId })
    .where("path", "=", record.path)
    .where("stamp", "=", stampOf(record))
    .returning("path")
    .executeTakeFirst();
  return known !== undefined;
}

async function hashedPages(
  { archives, imaging, log }: HashingParts,
  record: ReadRecord,
  signal: AbortSignal,
): Promise<HashedPages | undefined> {
  const { path, issueId, seriesId } = record;
  try {
    return await archives.use(path, async ({ archive, coverPage }, validator) => {
      const pages = archive.pages.length;
      const file = { path, stamp: stampOf(record), validator, pages, issue_id: issueId, series_id: seriesId };
      const hashes: PageHashTable[] = [];
      // Pages of a PDF are drawn, which takes seconds for each.
      for (const page of archive.kind === "pdf" ? [] : pagesToHash(pages)) {
        signal.throwIfAborted();
        if (page === coverPage) continue;
        const { bytes } = await archive.readPageBytes(page);
        const hash = await imaging.perceptualHash(bytes, signal).catch(unlessNoImage);
        if (hash !== undefined) hashes.push({ path, page, size: archive.pages[page]!.sizeBytes, hash });
      }
      return { file, hashes };
    });
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof UnreadableArchive)) throw thrown;
    log.debug("The pages of a file could not be compared", { file: path, error: thrown });
    return undefined;
  }
}

function pagesToHash(pages: number): number[] {
  const all = Array.from({ length: pages }, (_, page) => page);
  return all.filter((page) => page > 0 && (page <= pagesAtEnds || page >= pages - pagesAtEnds));
}

function unlessNoImage(thrown: unknown): undefined {
  if (isLongboxError(thrown) && thrown.code.startsWith("imaging/")) return undefined;
  throw thrown;
}

async function keep(database: RepeatedPagesDatabase, { file, hashes }: HashedPages): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("page_hash").where("path", "=", file.path).execute();
    await transaction.deleteFrom("hashed_file").where("path", "=", file.path).execute();
    await transaction.insertInto("hashed_file").values(file).execute();
    if (hashes.length > 0)
      await transaction
        .insertInto("page_hash")
        .values([...hashes])
        .execute();
  });
}
