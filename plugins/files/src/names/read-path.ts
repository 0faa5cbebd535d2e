import { readFolders, type FolderReading } from "./folders.js";
import type { ParsedName } from "./parsed-name.js";
import { parseName } from "./parse-name.js";

/** Reads one file with the folders above it, from the library's root. `series` and `year` may come from a folder. */
export function readPath(folders: readonly string[], name: string): ParsedName {
  const folder = readFolders(folders);
  return within(folder, parseName(name, hintsOf(folder)));
}

/** What folders tell the reader of a name in them. */
export function hintsOf(folder: FolderReading): { series: string | undefined; numbersLead: boolean } {
  return { series: folder.name, numbersLead: folder.isOneSeries };
}

/** Fills in what only the folders say. */
export function within(folder: FolderReading, parsed: ParsedName): ParsedName {
  const isKind = folder.kind !== undefined && parsed.kind === "issue" && parsed.number !== undefined;
  const label = folder.kind === "annual" ? "Annual" : "Special";
  const reasons = [...parsed.reasons];
  if (parsed.series === undefined && folder.name !== undefined) reasons.push(`\`${folder.name}\` is the folder's name`);
  return {
    ...parsed,
    series: parsed.series ?? folder.name,
    year: parsed.year ?? folder.year,
    volume: parsed.volume ?? folder.volume,
    ...(isKind && { kind: folder.kind, number: `${label} ${parsed.number}` }),
    reasons,
  };
}
