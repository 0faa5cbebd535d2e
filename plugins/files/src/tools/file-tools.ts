import { basename } from "node:path";
import { counted, named, systemViewer } from "@longbox/sdk";
import type { JobControl, Tool } from "@longbox/operations/contract";
import type { Cleaning } from "../cleanup/cleaning.js";
import type { Formats } from "../formats/formats.js";
import type { Refiling } from "../refile/refiling.js";
import type { ScanIndex } from "../scan/scan-index.js";
import { removeGhosts, type ScanningParts } from "./scanning.js";
import { eachHolding, eachSeries } from "./series-walk.js";

export interface FileToolParts extends ScanningParts {
  readonly refiling: Refiling;
  readonly cleaning: Cleaning;
  readonly formats: Formats;
  readonly index: ScanIndex;
}

/** Maintenance of files that a person may start. */
export function fileTools(parts: FileToolParts): Tool[] {
  return [...readingTools(parts), ...changingTools(parts)];
}

function readingTools(parts: FileToolParts): Tool[] {
  return [
    {
      id: "scan-library",
      title: "Scan the libraries",
      description: "Looks for new, changed, moved and removed files",
      touchesFiles: false,
      resumes: true,
      run: (_, control) => parts.scanner.scanAllWithin(control),
    },
    {
      id: "relink",
      title: "Relink files",
      description: "Reads every file again and assigns it to its issue again",
      touchesFiles: false,
      resumes: true,
      run: (_, control) => parts.scanner.scanAllWithin(control, { everything: true }),
    },
    {
      id: "remove-ghosts",
      title: "Remove ghosts",
      description: "Forgets files that are no longer on disk",
      touchesFiles: true,
      resumes: true,
      run: ({ dryRun }, control) => removeGhosts(parts, dryRun, control),
    },
    {
      id: "verify",
      title: "Verify files",
      description: "Reads every file and names those that are damaged",
      touchesFiles: false,
      resumes: true,
      run: (_, control) => verify(parts, control),
    },
  ];
}

function changingTools(parts: FileToolParts): Tool[] {
  return [
    {
      id: "rename-files",
      title: "Rename files",
      description: "Moves and renames all files as the naming patterns say",
      touchesFiles: true,
      resumes: true,
      run: ({ dryRun }, control) => renameFiles(parts, dryRun, control),
    },
    {
      id: "remove-duplicates",
      title: "Remove duplicates",
      description: "Moves copies that are proven redundant to the trash",
      touchesFiles: true,
      resumes: true,
      run: ({ dryRun }, control) => removeDuplicates(parts, dryRun, control),
    },
  ];
}

async function verify(parts: FileToolParts, control: JobControl): Promise<string> {
  const damaged: string[] = [];
  let read = 0;
  for await (const { series, done, total } of eachSeries(parts.collection, control.signal)) {
    for await (const { holding } of eachHolding(parts.collection, series.id)) {
      control.signal.throwIfAborted();
      read++;
      const problem = await problemOf(parts, holding.path);
      if (problem !== undefined) damaged.push(`${holding.name}: ${problem}`);
    }
    control.progress(done + 1, total, damaged.at(-1));
  }
  return damaged.length === 0
    ? `${counted(read, "file is", "files are")} whole`
    : named(`${damaged.length} of ${counted(read, "file is", "files are")} damaged`, damaged);
}

async function problemOf(parts: FileToolParts, path: string): Promise<string | undefined> {
  const [row] = await parts.index.findByPaths([path]);
  if (row?.error) return row.error;
  return parts.formats
    .find(row?.format)
    ?.verify?.(path)
    .catch((thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
}

async function renameFiles({ refiling }: FileToolParts, dryRun: boolean, control: JobControl): Promise<string> {
  if (!dryRun) {
    const { message, error } = await refiling.refileLibrary(control);
    return error === undefined ? message : `${message} (${error})`;
  }
  const plan = await refiling.planLibrary(systemViewer, control);
  const moves = plan.filter((step) => step.status === "move");
  const collisions = plan.filter((step) => step.status === "collision").length;
  const names = moves.map(({ from, to }) => `${basename(from)} → ${basename(to ?? from)}`);
  return named(`${counted(moves.length, "file")} would move, ${collisions} would collide`, names);
}

async function removeDuplicates(
  { collection, cleaning }: FileToolParts,
  dryRun: boolean,
  control: JobControl,
): Promise<string> {
  const found: string[] = [];
  for await (const { series, done, total } of eachSeries(collection, control.signal)) {
    const redundant = dryRun
      ? await cleaning.findRedundant(series.id, systemViewer)
      : (await cleaning.clean(series.id, systemViewer)).removed;
    found.push(...redundant.map(({ path, kept }) => `${basename(path)} is ${basename(kept)}`));
    control.progress(done + 1, total);
  }
  return named(`${counted(found.length, "copy is", "copies are")} ${dryRun ? "redundant" : "in the trash"}`, found);
}
