import { kindOfSeries } from "@longbox/collection/contract";
import { foldTitle } from "@longbox/sdk/light";
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
export function within(folder: FolderReading, named: ParsedName): ParsedName {
  const parsed = ofAnnuals(folder, named);
  const isKind = folder.kind !== undefined && parsed.kind === "issue" && parsed.number !== undefined;
  const label = folder.kind === "annual" ? "Annual" : "Special";
  const isEdition = folder.edition !== undefined && parsed.kind === "issue" && parsed.number !== undefined;
  const reasons = [...parsed.reasons];
  if (parsed.series === undefined && folder.name !== undefined) reasons.push(`\`${folder.name}\` is the folder's name`);
  if (isEdition) reasons.push(`the folder holds an edition, ${folder.edition}`);
  return {
    ...parsed,
    series: parsed.series ?? folder.name,
    year: parsed.year ?? folder.year,
    volume: parsed.volume ?? folder.volume,
    ...(isKind && { kind: folder.kind, number: `${label} ${parsed.number}` }),
    ...(isEdition && collected(folder.edition!, parsed.number!)),
    reasons,
  };
}

function collected(edition: string, number: string): Pick<ParsedName, "kind" | "edition" | "number"> {
  return { kind: "collected", edition, number: `${edition} ${number}` };
}

/**
 * `Moth Patrol Annual (1961)/Moth Patrol Annual 008`: annuals in a folder of their own are a series, as providers have
 * them, and its numbers are plain.
 */
function ofAnnuals(folder: FolderReading, parsed: ParsedName): ParsedName {
  const { name } = folder;
  if (parsed.kind === "issue" || parsed.series === undefined || name === undefined) return parsed;
  if (kindOfSeries(name) !== parsed.kind || !foldTitle(name).startsWith(`${foldTitle(parsed.series)} `)) return parsed;
  const number = parsed.number?.replace(/^(?:Annual|Special)\s*/, "");
  return {
    ...parsed,
    series: name,
    kind: "issue",
    number: number === "" ? undefined : number,
    reasons: [...parsed.reasons, `\`${name}\` is the folder's name: a series of its own`],
  };
}
