import { readdirSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { IssueKind, ReadFile } from "@longbox/collection/contract";
import { readFolderNames } from "../names/folder-names.js";
import { readFolders } from "../names/folders.js";
import { collectedEdition } from "../names/editions.js";
import { plainNumber } from "../names/numbers.js";
import type { DecidedName, ParsedName } from "../names/parsed-name.js";
import type { FileReading, Inspection, PartialDate } from "../contract.js";
import type { LoadedFormats } from "../inspecting/loaded-formats.js";
import type { KnownFile, ScanRoot } from "./messages.js";

/** What a folder says of the series in it. */
interface FolderEvidence {
  readonly folder: string;
  readonly name: string | undefined;
  readonly year: number | undefined;
  readonly volume: number | undefined;
  readonly publisher: string | undefined;
  readonly cvId: number | undefined;
  /** How a file's name is read beside the others of its folder. */
  readonly nameOf: (name: string) => DecidedName;
}

/** What a file says of itself, and why its name was read so where another reading is nearly as likely. */
export interface IdentifiedFile {
  readonly file: ReadFile;
  readonly doubts: readonly string[] | undefined;
}

/** Folders are looked at one after the other: more than a few are never asked for again. */
const keptFolders = 50;

/** Tells which series and issue each file holds, best evidence first: ids, tags, the file's name, its folder's name. */
export class Identifier {
  readonly #folders = new Map<string, FolderEvidence>();

  constructor(
    private readonly root: ScanRoot,
    private readonly formats: Pick<LoadedFormats, "readFolder" | "promise">,
  ) {}

  identify(known: Omit<KnownFile, "format">, inspection: Inspection): IdentifiedFile {
    const { measure, tagged, error, reading } = inspection;
    const folder = this.#folderOf(known.path);
    const name = basename(known.path);
    let read: DecidedName | undefined;
    // A full reading leaves nothing to be read from the name, and most names are never looked at.
    const parsed = () => (read ??= folder.nameOf(name));
    const { series = {} } = reading;
    const file: ReadFile = {
      libraryId: this.root.libraryId,
      path: known.path,
      name,
      sizeBytes: known.sizeBytes,
      modifiedAt: new Date(known.modifiedMs).toISOString(),
      pages: measure.kind === "pages" ? measure.pages : 0,
      seconds: measure.kind === "seconds" ? measure.seconds : undefined,
      valid: error === undefined,
      tagged,
      error,
      series: {
        name: series.name ?? parsed().series ?? folder.name ?? "Unknown series",
        folder: this.#seriesFolder(known.path, series.foldersAbove) ?? folder.folder,
        apart: series.name === undefined ? parsed().apart : undefined,
        year: yearLike(series.volume) ?? ownYear(parsed, folder) ?? yearLike(parsed().volume),
        volume:
          series.volume === undefined ? (plainVolume(parsed().volume) ?? folder.volume) : plainVolume(series.volume),
        publisher: series.publisher ?? folder.publisher,
        cvId: idOf(series.ids, "cv") ?? folder.cvId,
        rightToLeft: series.rightToLeft,
        ids: series.ids,
      },
      issue: issueOf(reading, name, parsed),
    };
    return { file, doubts: read && doubtsOf(read, reading) };
  }

  /** The folder that the file's format chose, at most the root; undefined when it leaves that to the names. */
  #seriesFolder(path: string, foldersAbove: number | undefined): string | undefined {
    if (foldersAbove === undefined) return undefined;
    let folder = dirname(path);
    for (let level = 0; level < foldersAbove && folder !== this.root.rootFolder; level++) folder = dirname(folder);
    return folder;
  }

  #folderOf(path: string): FolderEvidence {
    const folder = dirname(path);
    const kept = this.#folders.get(folder);
    if (kept) return kept;
    const evidence = folderEvidence(folder, this.root.rootFolder, this.formats);
    if (this.#folders.size >= keptFolders) this.#folders.delete(this.#folders.keys().next().value!);
    this.#folders.set(folder, evidence);
    return evidence;
  }
}

function folderEvidence(
  inner: string,
  rootFolder: string,
  formats: Pick<LoadedFormats, "readFolder" | "promise">,
): FolderEvidence {
  const below = relative(rootFolder, inner);
  const reading = readFolders(below === "" ? [] : below.split(sep));
  const folder = resolve(inner, ...Array.from({ length: reading.divisions }, () => ".."));
  const described = below === "" ? undefined : formats.readFolder(folder);
  const named = { ...reading, name: described?.name ?? reading.name };
  let names: ReadonlyMap<string, DecidedName> | undefined;
  return {
    folder,
    name: named.name,
    year: described?.year ?? reading.year,
    volume: reading.volume === undefined || reading.volume < 1850 ? reading.volume : undefined,
    publisher: described?.publisher,
    cvId: idOf(described?.ids, "cv") ?? reading.cvId,
    nameOf(name) {
      names ??= readFolderNames(named, listNames(inner, formats));
      return names.get(name) ?? readFolderNames(named, [name]).get(name)!;
    },
  };
}

/** The names beside a file; none when the folder cannot be listed. */
function listNames(folder: string, formats: Pick<LoadedFormats, "promise">): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith(".") && formats.promise(name));
  } catch {
    return [];
  }
}

function idOf(ids: Readonly<Record<string, string>> | undefined, scheme: string): number | undefined {
  const id = Number(ids?.[scheme]);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** With tags or ids, the name of the file is not needed to identify it. */
function doubtsOf({ isCertain, reasons }: DecidedName, { series, number, ids }: FileReading): IdentifiedFile["doubts"] {
  const isTold = (series?.name !== undefined && number !== undefined) || idOf(ids, "cv") !== undefined;
  return isCertain || isTold ? undefined : reasons;
}

function yearLike(volume: number | undefined): number | undefined {
  return volume !== undefined && volume >= 1850 ? volume : undefined;
}

/** The folder's year is not that of a second series in it. */
function ownYear(parsed: () => DecidedName, { year }: FolderEvidence): number | undefined {
  return year === undefined || parsed().apart === undefined ? year : (yearLike(parsed().volume) ?? year);
}

function plainVolume(volume: number | undefined): number | undefined {
  return volume !== undefined && volume < 1850 ? volume : undefined;
}

/** What a file says of its issue, by its tags, then by its name. */
export function issueOf(reading: FileReading, name: string, parsed: () => ParsedName): ReadFile["issue"] {
  const { number, kind } =
    reading.number === undefined
      ? numberFromName(parsed())
      : numberFromReading(reading.number, reading, /annual/i.test(name) && parsed().kind === "annual");
  const { subjects = {} } = reading;
  return {
    number,
    kind,
    cvIssueId: idOf(reading.ids, "cv") ?? (name.includes("[") ? parsed().cvIssueId : undefined),
    title: reading.title ?? parsed().title,
    coverDate: (reading.date && dateOf(reading.date)) ?? dateOf(parsed()),
    description: reading.description,
    credits: reading.people,
    characters: subjects["characters"],
    teams: subjects["teams"],
    locations: subjects["locations"],
    arcs: subjects["arcs"],
    subjects: subjects["subjects"],
    language: reading.language,
    ageRating: reading.ageRating,
    url: reading.url,
    ids: reading.ids,
  };
}

/** A work without any number is complete in itself; a title tells it from others of its series. */
function numberFromName({ number, kind, title }: ParsedName): { number: string; kind: IssueKind } {
  return number === undefined ? { number: title === undefined ? "1" : "", kind: "one-shot" } : { number, kind };
}

/**
 * Tags give bare numbers also for annuals and collected editions, which must not stand for the issue of that number.
 */
function numberFromReading(
  text: string,
  reading: FileReading,
  isNamedAnnual: boolean,
): { number: string; kind: IssueKind } {
  if (text === "") return { number: "", kind: "issue" };
  const number = plainNumber(text);
  const format = reading.edition?.toLowerCase() ?? "";
  if (/^annual\b/i.test(number))
    return { number: `Annual ${plainNumber(number.replace(/^annual\s*#?/i, ""))}`.trim(), kind: "annual" };
  if (format === "annual" || (isNamedAnnual && !/annual/i.test(reading.series?.name ?? "")))
    return { number: `Annual ${number}`, kind: "annual" };
  if (/^special\b/i.test(number)) return { number, kind: "special" };
  if (format === "special") return { number: `Special ${number}`, kind: "special" };
  if (/^vol\. \d|^\d+-\d+$/i.test(number)) return { number, kind: "collected" };
  if (format === "volume") return { number: `Vol. ${number}`, kind: "collected" };
  if (/^one[- ]?shot$/.test(format)) return { number, kind: "one-shot" };
  const edition = collectedEdition(reading.edition ?? "") ?? collectedEdition(number);
  if (edition)
    return {
      number: /\d/.test(number) && !number.startsWith(edition) ? `${edition} ${number}` : number,
      kind: "collected",
    };
  return { number, kind: "issue" };
}

/** As far as it is known: `2019`, `2019-05` or `2019-05-01`. A day that the month does not have is not known. */
function dateOf({ year, month, day }: Omit<PartialDate, "year"> & { readonly year: number | undefined }) {
  if (year === undefined) return undefined;
  const parts = [String(year).padStart(4, "0"), ...[month, day].map((part) => part && String(part).padStart(2, "0"))];
  const known = parts[1] === undefined ? parts.slice(0, 1) : parts.filter((part) => part !== undefined);
  const isNoDay = known.length === 3 && !isDayOf(year, month!, day!);
  return (isNoDay ? known.slice(0, 2) : known).join("-");
}

function isDayOf(year: number, month: number, day: number): boolean {
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
