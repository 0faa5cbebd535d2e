import { readFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import type { IssueKind, ReadFile } from "@longbox/collection/contract";
import { parseFolderName, parseName } from "../names/parse-name.js";
import { collectedEdition, plainNumber } from "../names/markers.js";
import type { ParsedName } from "../names/parsed-name.js";
import type { IssueTags } from "../tags/issue-tags.js";
import type { KnownFile, ScanRoot } from "./messages.js";
import type { Look } from "./look-into.js";

/** What a folder says of the series in it. */
interface FolderEvidence {
  readonly folder: string;
  readonly name: string | undefined;
  readonly year: number | undefined;
  readonly volume: number | undefined;
  readonly publisher: string | undefined;
  readonly cvId: number | undefined;
}

/** A folder that only divides a series: `Volume 2`, `Annuals`, `Season 1`. */
const divisionFolder = /^(?:v|vol\.?|volumes?|books?|tomes?|season|part|annuals?|specials?|extras?|one-?shots?|tpbs?|trades?|chapters?|issues?)[\s._-]*\d*$/i;

/** Tells which series and issue each file holds, best evidence first: ids, tags, the file's name, its folder's name. */
export class Identifier {
  readonly #folders = new Map<string, FolderEvidence>();

  constructor(private readonly root: ScanRoot) {}

  identify(known: KnownFile, look: Look, tags: IssueTags | undefined): ReadFile {
    const folder = this.#folderOf(known.path);
    const name = basename(known.path);
    let read: ParsedName | undefined;
    // Full tags leave nothing to be read from the name, and most names are never looked at.
    const parsed = () => (read ??= parseName(name, { series: folder.name }));
    const issue = issueOf(tags, name, parsed);
    return {
      libraryId: this.root.libraryId,
      path: known.path,
      name,
      sizeBytes: known.sizeBytes,
      modifiedAt: new Date(known.modifiedMs).toISOString(),
      pages: look.pages,
      valid: look.error === undefined,
      tagged: tags !== undefined,
      error: look.error,
      series: {
        name: seriesName(tags, parsed, folder),
        folder: folder.folder,
        year: startYear(tags, parsed, folder),
        volume: tags?.volume === undefined ? (plainVolume(parsed().volume) ?? folder.volume) : plainVolume(tags.volume),
        publisher: tags?.publisher ?? folder.publisher,
        cvId: tags?.cvVolumeId ?? folder.cvId,
        rightToLeft: tags?.rightToLeft,
      },
      issue,
    };
  }

  #folderOf(path: string): FolderEvidence {
    let folder = dirname(path);
    while (folder !== this.root.rootFolder && divisionFolder.test(basename(folder)) && dirname(folder).startsWith(this.root.rootFolder) && dirname(folder) !== this.root.rootFolder) folder = dirname(folder);
    const kept = this.#folders.get(folder);
    if (kept) return kept;
    const evidence = folderEvidence(folder, this.root.rootFolder);
    this.#folders.set(folder, evidence);
    return evidence;
  }
}

function folderEvidence(folder: string, rootFolder: string): FolderEvidence {
  if (relative(rootFolder, folder) === "") return { folder, name: undefined, year: undefined, volume: undefined, publisher: undefined, cvId: undefined };
  const parsed = parseFolderName(basename(folder));
  const described = seriesJson(folder);
  return { folder, name: described?.name ?? parsed.name, year: described?.year ?? parsed.year, volume: parsed.volume, publisher: described?.publisher, cvId: described?.cvId ?? parsed.cvId };
}

/** Some programs leave a series.json in the folder of a series. */
function seriesJson(folder: string): { name: string | undefined; year: number | undefined; publisher: string | undefined; cvId: number | undefined } | undefined {
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(`${folder}/series.json`, "utf8"));
  } catch {
    return undefined;
  }
  const metadata = (document as { metadata?: Record<string, unknown> } | null)?.metadata;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  const text = (key: string) => (typeof metadata[key] === "string" && metadata[key] !== "" ? (metadata[key] as string) : undefined);
  const number = (key: string) => (Number.isInteger(Number(metadata[key])) && Number(metadata[key]) > 0 ? Number(metadata[key]) : undefined);
  return { name: text("name"), year: number("year"), publisher: text("publisher"), cvId: number("comicid") };
}

function seriesName(tags: IssueTags | undefined, parsed: () => ParsedName, folder: FolderEvidence): string {
  return tags?.series ?? parsed().series ?? folder.name ?? "Unknown series";
}

/** The year in which the series began; a year in a file's name is that of the issue. */
function startYear(tags: IssueTags | undefined, parsed: () => ParsedName, folder: FolderEvidence): number | undefined {
  return yearLike(tags?.volume) ?? folder.year ?? yearLike(parsed().volume);
}

function yearLike(volume: number | undefined): number | undefined {
  return volume !== undefined && volume >= 1850 ? volume : undefined;
}

function plainVolume(volume: number | undefined): number | undefined {
  return volume !== undefined && volume < 1850 ? volume : undefined;
}

function issueOf(tags: IssueTags | undefined, name: string, parsed: () => ParsedName): ReadFile["issue"] {
  const { number, kind } = tags?.number === undefined ? numberFromName(parsed()) : numberFromTags(tags.number, tags, /annual/i.test(name) && parsed().kind === "annual");
  return {
    number,
    kind,
    cvIssueId: tags?.cvIssueId ?? (name.includes("[") ? parsed().cvIssueId : undefined),
    title: tags?.title ?? parsed().title,
    coverDate: dateOf(tags ?? {}) ?? dateOf(parsed()),
    description: tags?.summary,
    credits: tags?.credits,
    characters: tags?.characters,
    teams: tags?.teams,
    locations: tags?.locations,
    arcs: tags?.arcs,
    url: tags?.url,
  };
}

/** A comic without any number is complete in itself. */
function numberFromName(parsed: ParsedName): { number: string; kind: IssueKind } {
  return parsed.number === undefined ? { number: "1", kind: "one-shot" } : { number: parsed.number, kind: parsed.kind };
}

/** Tags give bare numbers also for annuals and collected editions, which must not stand for the issue of that number. */
function numberFromTags(text: string, tags: IssueTags, isNamedAnnual: boolean): { number: string; kind: IssueKind } {
  const number = plainNumber(text);
  const format = tags.format?.toLowerCase() ?? "";
  if (/^annual\b/i.test(number)) return { number: `Annual ${plainNumber(number.replace(/^annual\s*#?/i, ""))}`.trim(), kind: "annual" };
  if (format === "annual" || (isNamedAnnual && !/annual/i.test(tags.series ?? ""))) return { number: `Annual ${number}`, kind: "annual" };
  if (/^special\b/i.test(number)) return { number, kind: "special" };
  if (format === "special") return { number: `Special ${number}`, kind: "special" };
  if (/^vol\. \d|^\d+-\d+$/i.test(number)) return { number, kind: "collected" };
  if (/^one[- ]?shot$/.test(format)) return { number, kind: "one-shot" };
  const edition = collectedEdition(tags.format ?? "") ?? collectedEdition(number);
  if (edition) return { number: /\d/.test(number) && !number.startsWith(edition) ? `${edition} ${number}` : number, kind: "collected" };
  return { number, kind: "issue" };
}

function dateOf(parts: { year?: number | undefined; month?: number | undefined; day?: number | undefined }): string | undefined {
  if (parts.year === undefined) return undefined;
  const date = `${String(parts.year).padStart(4, "0")}-${String(parts.month ?? 1).padStart(2, "0")}-${String(parts.day ?? 1).padStart(2, "0")}`;
  return Number.isNaN(Date.parse(date)) ? `${date.slice(0, 8)}01` : date;
}
