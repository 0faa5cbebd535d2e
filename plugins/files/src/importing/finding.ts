import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Formats } from "../formats/formats.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import type { Inspecting } from "../inspecting/inspecting.js";
import { readFolderNames } from "../names/folder-names.js";
import { readFolders, type FolderReading } from "../names/folders.js";
import type { DecidedName } from "../names/parsed-name.js";
import type { CandidateFile, FoundGroup } from "./candidate.js";

const mostFiles = 20_000;
const deepestFolder = 16;
/** How many unclear names the reasons of a candidate list. */
const mostDoubts = 5;

interface FoundFile extends CandidateFile {
  readonly series: string;
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly cvId: number | undefined;
  /** What distinguishes it from another series of this title in the folder. */
  readonly apart: string | undefined;
  /** Why a user should check how the name was parsed. */
  readonly doubt: string | undefined;
}

/** Groups the files of a folder in the import folder by series. The name of the import folder itself is ignored. */
export async function findGroups(
  folder: string,
  importFolder: string,
  { formats, inspecting }: { formats: Formats; inspecting: Inspecting },
): Promise<FoundGroup[]> {
  const paths: string[] = [];
  await collect(folder, 0, { formats, paths });
  return groupsOf(await inspecting.inspect(paths.sort()), importFolder);
}

/** Groups files of one folder that seem to belong to one series. */
export function groupsOf(files: readonly InspectedPath[], importFolder: string): FoundGroup[] {
  const groups = new Map<string, FoundFile[]>();
  const read = readTogether(files, importFolder);
  for (const inspected of files) {
    const file = toFoundFile(inspected, read(inspected.path));
    const key = [dirname(inspected.path), file.series.toLowerCase(), file.apart ?? ""].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].map(toGroup);
}

/** The group of files that belong to one series. */
export function groupOf(files: readonly InspectedPath[], importFolder: string): FoundGroup {
  const read = readTogether(files, importFolder);
  return toGroup(files.map((file) => toFoundFile(file, read(file.path))));
}

async function collect(
  folder: string,
  depth: number,
  into: { readonly formats: Formats; readonly paths: string[] },
): Promise<void> {
  const { formats, paths } = into;
  if (depth > deepestFolder || paths.length >= mostFiles) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, depth + 1, into);
    else if (entry.isFile() && formats.promise(entry.name) && paths.length < mostFiles) paths.push(path);
  }
}

interface NameInFolder {
  readonly folder: FolderReading;
  readonly parsed: DecidedName;
}

/** Reads the names of each folder together. */
function readTogether(files: readonly InspectedPath[], importFolder: string): (path: string) => NameInFolder {
  const inFolders = new Map<string, string[]>();
  for (const { path } of files) {
    const names = inFolders.get(dirname(path));
    if (names) names.push(basename(path));
    else inFolders.set(dirname(path), [basename(path)]);
  }
  const read = new Map(
    [...inFolders].map(([path, names]) => {
      const below = importFolder === "" ? path : relative(importFolder, path);
      const folder = readFolders(below.split(sep).filter((part) => part !== ""));
      return [path, { folder, names: readFolderNames(folder, names) }] as const;
    }),
  );
  return (path) => {
    const { folder, names } = read.get(dirname(path))!;
    return { folder, parsed: names.get(basename(path))! };
  };
}

function toFoundFile({ path, sizeBytes, inspection }: InspectedPath, { folder, parsed }: NameInFolder): FoundFile {
  const { series = {}, number } = inspection.reading;
  const cvId = Number(series.ids?.["cv"]);
  const isTagged = series.name !== undefined && number !== undefined;
  const yearLike = (volume: number | undefined) => (volume !== undefined && volume >= 1850 ? volume : undefined);
  return {
    path,
    name: basename(path),
    size: sizeBytes,
    number: number ?? parsed.number ?? "",
    reasons: isTagged ? undefined : [...parsed.reasons],
    series: series.name ?? parsed.series ?? basename(path),
    year:
      yearLike(series.volume) ??
      (parsed.apart === undefined ? folder.year : undefined) ??
      yearLike(parsed.volume) ??
      parsed.year,
    publisher: series.publisher,
    cvId: Number.isSafeInteger(cvId) ? cvId : folder.cvId,
    apart: series.name === undefined ? parsed.apart : undefined,
    doubt:
      isTagged || parsed.isCertain
        ? undefined
        : `${basename(path)}: ${parsed.reasons.at(-1) ?? "the name is unclear"}.`,
  };
}

function toGroup(files: readonly FoundFile[]): FoundGroup {
  const years = files.flatMap((file) => file.year ?? []);
  const { path, series, apart } = files[0]!;
  return {
    folder: dirname(path),
    name: apart === undefined ? series : `${series} ${/^\d/.test(apart) ? `(${apart})` : apart}`,
    title: series,
    year: years.length === 0 ? undefined : Math.min(...years),
    publisher: files.find((file) => file.publisher !== undefined)?.publisher,
    files: files.map(({ path, name, size, number, reasons }) => ({ path, name, size, number, reasons })),
    doubts: files.flatMap((file) => file.doubt ?? []).slice(0, mostDoubts),
    cvIds: [...new Set(files.flatMap((file) => file.cvId ?? []))],
  };
}
