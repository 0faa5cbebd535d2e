import { open, stat } from "node:fs/promises";
import { systemViewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { JobControl, Schedule, Tool } from "@longbox/operations/contract";
import type { ArchiveKind } from "../archives/archive.js";
import { archiveKind, kindHeadBytes } from "../archives/kinds.js";
import { reasonOf } from "../archives/unreadable.js";
import type { Cleaning } from "../cleanup/cleaning.js";
import type { FolderTurns } from "../folder-turns.js";
import type { OpenArchives } from "../pages/open-archives.js";
import type { OpenComic } from "../pages/open-comic.js";
import type { Refiling } from "../refile/refiling.js";
import type { Scanner } from "../scan/scanner.js";
import type { Tagging } from "../tagging/tagging.js";
import type { Converting } from "./converting.js";
import { eachHolding, eachSeries } from "./series-walk.js";

export interface FileToolParts {
  readonly collection: CollectionContract;
  readonly scanner: Scanner;
  readonly tagging: Tagging;
  readonly refiling: Refiling;
  readonly cleaning: Cleaning;
  readonly converting: Converting;
  readonly archives: OpenArchives<OpenComic>;
  readonly turns: FolderTurns;
}

/** Scans by the clock, for folders that do not report changes. */
export function scanSchedule(scanner: Scanner): Schedule {
  return { key: "files.scan", title: "Scan the libraries", description: "Looks for new, changed, moved and removed files", cron: "0 4 * * *", enabled: true, run: (control) => scanAll(scanner, control) };
}

/** Maintenance of files that a person may start. */
export function fileTools(parts: FileToolParts): Tool[] {
  const { scanner } = parts;
  return [
    { id: "scan-library", title: "Scan the libraries", description: "Looks for new, changed, moved and removed files", touchesFiles: false, run: (_, control) => scanAll(scanner, control) },
    { id: "relink", title: "Relink files", description: "Reads every file again and attributes it anew", touchesFiles: false, run: (_, control) => scanAll(scanner, control, { everything: true }) },
    { id: "remove-ghosts", title: "Remove ghosts", description: "Forgets files that are no longer on disk", touchesFiles: true, run: ({ dryRun }, control) => removeGhosts(parts, dryRun, control) },
    { id: "verify", title: "Verify files", description: "Reads every page of every file and names those that are damaged", touchesFiles: false, run: (_, control) => verify(parts, control) },
    { id: "tag-untagged", title: "Tag untagged files", description: "Writes what is known into files that have no tags", touchesFiles: true, run: ({ dryRun }, control) => tagUntagged(parts, dryRun, control) },
    { id: "rename-files", title: "Rename files", description: "Moves and renames all files as the naming patterns say", touchesFiles: true, run: ({ dryRun }) => renameFiles(parts, dryRun) },
    { id: "remove-duplicates", title: "Remove duplicates", description: "Moves copies that are proven redundant to the trash", touchesFiles: true, run: ({ dryRun }, control) => removeDuplicates(parts, dryRun, control) },
    { id: "convert-cbr", title: "Convert RAR to CBZ", description: "Writes each RAR anew as a CBZ, compares both, and moves the RAR to the trash", touchesFiles: true, run: ({ dryRun }, control) => convertRars(parts, dryRun, control) },
  ];
}

async function scanAll(scanner: Scanner, control: JobControl, options: { everything?: boolean } = {}): Promise<string> {
  const stop = () => void scanner.cancel();
  control.signal.addEventListener("abort", stop, { once: true });
  try {
    await scanner.scanAll(options);
    await scanner.settled();
  } finally {
    control.signal.removeEventListener("abort", stop);
  }
  return scanner.state.error ?? scanner.state.message ?? "Nothing to scan";
}

async function removeGhosts(parts: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  if (!dryRun) return scanAll(parts.scanner, control);
  let ghosts = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id)) if (!(await stat(holding.path).catch(() => undefined))) ghosts++;
    control.progress(done + 1, total);
  }
  return `${ghosts} files are gone`;
}

async function verify(parts: FileToolParts, control: JobControl): Promise<string> {
  const damaged: string[] = [];
  let read = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id)) {
      read++;
      const problem = await readEveryPage(parts.archives, holding.path);
      if (problem !== undefined) damaged.push(`${holding.name}: ${problem}`);
    }
    control.progress(done + 1, total, damaged.at(-1));
  }
  return damaged.length === 0 ? `${read} files are whole` : `${damaged.length} of ${read} files are damaged: ${damaged.slice(0, 20).join("; ")}`;
}

async function readEveryPage(archives: OpenArchives<OpenComic>, path: string): Promise<string | undefined> {
  try {
    await archives.use(path, async ({ archive }) => {
      // A PDF's pages are drawn, not stored: that it opens is all that can be checked.
      for (let page = 0; archive.kind !== "pdf" && page < archive.pages.length; page++) await archive.readPageBytes(page);
    });
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

async function tagUntagged(parts: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  let untagged = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    let here = 0;
    for await (const { holding } of eachHolding(parts.collection, series.id)) if (holding.valid && !holding.tagged) here++;
    untagged += here;
    if (here > 0 && !dryRun) {
      await parts.tagging.tagSeries(series.id, systemViewer, { untaggedOnly: true });
      await parts.tagging.settled();
    }
    control.progress(done + 1, total);
  }
  return dryRun ? `${untagged} files have no tags` : `${untagged} files were tagged`;
}

async function renameFiles(parts: FileToolParts, dryRun: boolean): Promise<string> {
  if (dryRun) {
    const plan = await parts.refiling.planLibrary(systemViewer);
    return `${plan.filter((step) => step.status === "move").length} files would move, ${plan.filter((step) => step.status === "collision").length} collide`;
  }
  await parts.refiling.refileLibrary();
  return parts.refiling.settled();
}

async function removeDuplicates(parts: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  let found = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    found += (dryRun ? await parts.cleaning.findRedundant(series.id, systemViewer) : await parts.cleaning.clean(series.id, systemViewer)).length;
    control.progress(done + 1, total);
  }
  return dryRun ? `${found} copies are redundant` : `${found} copies are in the trash`;
}

async function convertRars(parts: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  const converted: string[] = [];
  const problems: string[] = [];
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id)) {
      if (!holding.valid || (await kindOf(holding.path)) !== "rar") continue;
      if (dryRun) converted.push(holding.path);
      else {
        await parts.turns.untilFree();
        await parts.turns.take("cleanup", () => parts.converting.convert(holding.path)).then((path) => converted.push(path), (thrown: unknown) => problems.push(`${holding.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
      }
    }
    control.progress(done + 1, total);
  }
  if (!dryRun) await parts.scanner.scanAround(converted);
  const what = `${converted.length} files ${dryRun ? "are RARs" : "were converted"}`;
  return problems.length === 0 ? what : `${what}, ${problems.length} not: ${problems.slice(0, 10).join("; ")}`;
}

async function kindOf(path: string): Promise<ArchiveKind | undefined> {
  const handle = await open(path, "r").catch(() => undefined);
  if (!handle) return undefined;
  try {
    if ((await handle.stat()).isDirectory()) return "folder";
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(kindHeadBytes), 0, kindHeadBytes, 0);
    return archiveKind(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
