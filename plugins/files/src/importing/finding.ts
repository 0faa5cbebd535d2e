import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Formats } from "../formats/formats.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import type { Inspecting } from "../inspecting/inspecting.js";
import { parseFolderName, parseName } from "../names/parse-name.js";
import type { CandidateFile, FoundGroup } from "./candidate.js";

const mostFiles = 20_000;
const deepestFolder = 16;

interface FoundFile extends CandidateFile {
  readonly series: string;
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly cvId: number | undefined;
}

/** Looks through a folder in the import folder, whose own name says nothing, and puts together what seems to be of one series. */
export async function findGroups(
  folder: string,
  importFolder: string,
  { formats, inspecting }: { formats: Formats; inspecting: Inspecting },
): Promise<FoundGroup[]> {
  const paths: string[] = [];
  await collect(folder, 0, { formats, paths });
  return groupsOf(await inspecting.inspect(paths.sort()), importFolder);
}

/** Puts together what seems to be of one series and lies in one folder. */
export function groupsOf(files: readonly InspectedPath[], importFolder: string): FoundGroup[] {
  const groups = new Map<string, FoundFile[]>();
  for (const inspected of files) {
    const file = toFoundFile(inspected, importFolder);
    const key = `${dirname(inspected.path)}\n${file.series.toLowerCase()}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].map(toGroup);
}

/** What files are together that are of one series. */
export function groupOf(files: readonly InspectedPath[], importFolder: string): FoundGroup {
  return toGroup(files.map((file) => toFoundFile(file, importFolder)));
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

function toFoundFile({ path, sizeBytes, inspection }: InspectedPath, importFolder: string): FoundFile {
  const folder = dirname(path) === importFolder ? undefined : parseFolderName(basename(dirname(path)));
  const parsed = parseName(basename(path), { series: folder?.name });
  const { series = {}, number } = inspection.reading;
  const cvId = Number(series.ids?.["cv"]);
  return {
    path,
    name: basename(path),
    size: sizeBytes,
    number: number ?? parsed.number ?? "",
    series: series.name ?? parsed.series ?? folder?.name ?? basename(path),
    year:
      (series.volume !== undefined && series.volume >= 1850 ? series.volume : undefined) ??
      folder?.year ??
      parsed.volume ??
      parsed.year,
    publisher: series.publisher,
    cvId: Number.isSafeInteger(cvId) ? cvId : folder?.cvId,
  };
}

function toGroup(files: readonly FoundFile[]): FoundGroup {
  const years = files.flatMap((file) => file.year ?? []);
  return {
    folder: dirname(files[0]!.path),
    name: files[0]!.series,
    year: years.length === 0 ? undefined : Math.min(...years),
    publisher: files.find((file) => file.publisher !== undefined)?.publisher,
    files: files.map(({ path, name, size, number }) => ({ path, name, size, number })),
    cvIds: [...new Set(files.flatMap((file) => file.cvId ?? []))],
  };
}
