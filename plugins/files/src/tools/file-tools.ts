import { basename } from "node:path";
import { systemViewer } from "@longbox/sdk";
import type { JobControl, Tool } from "@longbox/operations/contract";
import { reasonOf } from "../archives/unreadable.js";
import type { Cleaning } from "../cleanup/cleaning.js";
import type { FolderTurns } from "../folder-turns.js";
import type { OpenArchives } from "../pages/open-archives.js";
import type { OpenComic } from "../pages/open-comic.js";
import type { Refiling } from "../refile/refiling.js";
import type { Tagging } from "../tagging/tagging.js";
import type { Converting } from "./converting.js";
import { convertRars } from "./converting-all.js";
import { follow } from "./following.js";
import { removeGhosts, scanAll, type ScanningParts } from "./scanning.js";
import { eachHolding, eachSeries } from "./series-walk.js";
import { counted, named } from "./wording.js";

export interface FileToolParts extends ScanningParts {
  readonly tagging: Tagging;
  readonly refiling: Refiling;
  readonly cleaning: Cleaning;
  readonly converting: Converting;
  readonly archives: OpenArchives<OpenComic>;
  readonly turns: FolderTurns;
}

/** Maintenance of files that a person may start. */
export function fileTools(parts: FileToolParts): Tool[] {
  return [
    { id: "scan-library", title: "Scan the libraries", description: "Looks for new, changed, moved and removed files", touchesFiles: false, run: (_, control) => scanAll(parts, control) },
    { id: "relink", title: "Relink files", description: "Reads every file again and attributes it anew", touchesFiles: false, run: (_, control) => scanAll(parts, control, { everything: true }) },
    { id: "remove-ghosts", title: "Remove ghosts", description: "Forgets files that are no longer on disk", touchesFiles: true, run: ({ dryRun }, control) => removeGhosts(parts, dryRun, control) },
    { id: "verify", title: "Verify files", description: "Reads every page of every file and names those that are damaged", touchesFiles: false, run: (_, control) => verify(parts, control) },
    { id: "tag-untagged", title: "Tag untagged files", description: "Writes what is known into files that have no tags", touchesFiles: true, run: ({ dryRun }, control) => tagUntagged(parts, dryRun, control) },
    { id: "rename-files", title: "Rename files", description: "Moves and renames all files as the naming patterns say", touchesFiles: true, run: ({ dryRun }, control) => renameFiles(parts, dryRun, control) },
    { id: "remove-duplicates", title: "Remove duplicates", description: "Moves copies that are proven redundant to the trash", touchesFiles: true, run: ({ dryRun }, control) => removeDuplicates(parts, dryRun, control) },
    { id: "convert-cbr", title: "Convert RAR to CBZ", description: "Writes each RAR anew as a CBZ, compares both, and moves the RAR to the trash", touchesFiles: true, run: ({ dryRun }, control) => convertRars(parts, dryRun, control) },
  ];
}

async function verify(parts: FileToolParts, control: JobControl): Promise<string> {
  const damaged: string[] = [];
  let read = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id)) {
      control.signal.throwIfAborted();
      read++;
      const problem = await readEveryPage(parts.archives, holding.path);
      if (problem !== undefined) damaged.push(`${holding.name}: ${problem}`);
    }
    control.progress(done + 1, total, damaged.at(-1));
  }
  return damaged.length === 0 ? `${counted(read, "file is", "files are")} whole` : named(`${damaged.length} of ${counted(read, "file is", "files are")} damaged`, damaged);
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
  const untagged: string[] = [];
  const errors: string[] = [];
  let written = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    const here: string[] = [];
    for await (const { holding } of eachHolding(parts.collection, series.id)) if (holding.valid && !holding.tagged) here.push(holding.name);
    untagged.push(...here);
    if (here.length > 0 && !dryRun) {
      await parts.tagging.tagSeries(series.id, systemViewer, { untaggedOnly: true });
      const outcome = await parts.tagging.settled();
      written += outcome.written;
      errors.push(...outcome.errors);
    }
    control.progress(done + 1, total);
  }
  if (dryRun) return named(`${counted(untagged.length, "file has", "files have")} no tags`, untagged);
  const tagged = `${counted(written, "file was", "files were")} tagged`;
  return errors.length === 0 ? tagged : named(`${tagged}, ${errors.length} not`, errors);
}

async function renameFiles({ refiling }: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  if (!dryRun) {
    await refiling.refileLibrary({ signal: control.signal });
    const outcome = await follow(() => refiling.state, control, () => refiling.settled());
    control.signal.throwIfAborted();
    return outcome;
  }
  const plan = await refiling.planLibrary(systemViewer);
  const moves = plan.filter((step) => step.status === "move");
  const collisions = plan.filter((step) => step.status === "collision").length;
  const names = moves.map(({ from, to }) => `${basename(from)} → ${basename(to ?? from)}`);
  return named(`${counted(moves.length, "file")} would move, ${collisions} would collide`, names);
}

async function removeDuplicates({ collection, cleaning }: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  const found: string[] = [];
  for await (const { series, done, total } of eachSeries(collection, control.signal)) {
    const redundant = dryRun ? await cleaning.findRedundant(series.id, systemViewer) : (await cleaning.clean(series.id, systemViewer)).removed;
    found.push(...redundant.map(({ path, kept }) => `${basename(path)} is ${basename(kept)}`));
    control.progress(done + 1, total);
  }
  return named(`${counted(found.length, "copy is", "copies are")} ${dryRun ? "redundant" : "in the trash"}`, found);
}
