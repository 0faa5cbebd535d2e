import { extname, join } from "node:path";
import { BadInput } from "@longbox/sdk";
import type { Library, Series } from "@longbox/collection/contract";
import { parseName } from "../names/parse-name.js";
import type { Naming } from "../naming/naming.js";
import type { Candidate } from "./candidate.js";

/** A candidate with its series, if that is in the collection. */
export interface Identified {
  readonly candidate: Candidate;
  readonly series: Series | undefined;
}

/** The goals of candidates' files: their folders and names. */
export class CandidatePlaces {
  constructor(private readonly naming: Naming) {}

  /** Beside the files that the series has already, else where the patterns say. */
  place(
    { candidate, series }: Identified,
    fallback: Library,
    libraries: readonly Library[],
  ): { library: Library; folder: string } {
    const home = libraries.find(({ rootFolder }) => series?.path?.startsWith(`${rootFolder}/`));
    if (home && series?.path) return { library: home, folder: series.path };
    const library = libraries.find(({ id }) => id === series?.libraryId) ?? fallback;
    const folder = this.naming.folderOf(series ?? named(candidate, library), library);
    if (folder === undefined) throw new BadInput("files/no-name", `No folder name can be made for ${candidate.name}.`);
    return { library, folder: join(library.rootFolder, folder) };
  }

  fileName(name: string, { candidate, series }: Identified, library: Library): string {
    const file = candidate.files.find((one) => one.name === name);
    const parsed = parseName(name, { series: titleOf(candidate) });
    // The number that was derived from all names of the folder counts; only its kind is taken from this name.
    const decided = file?.number === "" ? undefined : file?.number;
    const number = parsed.kind === "issue" ? decided : (parsed.number ?? decided);
    if (number === undefined) return name;
    const made = this.naming.fileOf(
      series ?? named(candidate, library),
      { number, title: parsed.title, coverDate: undefined },
      library,
    );
    return made === undefined ? name : `${made}${extname(name).toLowerCase()}`;
  }
}

/** The title without the year that distinguishes it from another candidate. */
function titleOf({ name, year }: Candidate): string {
  const suffix = ` (${year})`;
  return year !== null && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** A new series, as described by the candidate. */
function named(candidate: Candidate, library: Library): Pick<Series, "title" | "publisher" | "year" | "type"> {
  const { match } = candidate;
  return {
    title: match?.name ?? titleOf(candidate),
    publisher: candidate.publisher ?? undefined,
    year: match?.year ?? candidate.year ?? undefined,
    type: library.type,
  };
}
