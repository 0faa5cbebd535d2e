import type { PluginSettings } from "@longbox/sdk";
import { kindOfSeries, type Issue, type Library, type Series } from "@longbox/collection/contract";
import type { FilesSettings } from "../settings.js";
import { collectedEdition } from "../names/editions.js";
import { fileName, folderName, patternErrors, type NameParts } from "./pattern.js";

/** How folders and files are named. */
export interface NamingPatterns {
  readonly folderPattern: string;
  readonly filePattern: string;
}

/** Makes names from what the collection knows. */
export class Naming {
  constructor(private readonly settings: PluginSettings<FilesSettings>) {}

  /** A library's own pattern comes before the one of the settings. */
  patternsOf(library: Pick<Library, "folderPattern"> | undefined): NamingPatterns {
    const { folderPattern, filePattern } = this.settings.current;
    return { folderPattern: ownFolderPattern(library) ?? folderPattern, filePattern };
  }

  /** The folder of a series, relative to its library. */
  folderOf(
    series: Pick<Series, "title" | "publisher" | "year" | "type">,
    library: Library | undefined,
  ): string | undefined {
    return folderName(this.patternsOf(library).folderPattern, partsOf(series, undefined));
  }

  /** The name of an issue's file, without its extension. */
  fileOf(
    series: Pick<Series, "title" | "publisher" | "year" | "type">,
    issue: Pick<Issue, "number" | "title" | "coverDate">,
    library: Library | undefined,
  ): string | undefined {
    return fileName(this.patternsOf(library).filePattern, partsOf(series, issue));
  }
}

/** The library's own pattern, if it has a valid one. */
export function ownFolderPattern(library: Pick<Library, "folderPattern"> | undefined): string | undefined {
  const own = library?.folderPattern.trim() ?? "";
  return own === "" || patternErrors(own, "folder").length > 0 ? undefined : own;
}

/** The parts of names, for a series or one of its issues. */
export function partsOf(
  series: Pick<Series, "title" | "publisher" | "year" | "type">,
  issue: Pick<Issue, "number" | "title" | "coverDate"> | undefined,
): NameParts {
  return {
    publisher: series.publisher,
    series: series.title,
    year: series.year,
    volume: volumeOf(issue?.number),
    issue: issue && plainWithin(series.title, issue.number),
    title: issue?.title,
    date: issue?.coverDate,
    edition: issue && collectedEdition(issue.number),
    type: series.type,
  };
}

/** A series of annuals says so in its title: `Moth Patrol Annual 008`, not `Moth Patrol Annual Annual 8`. */
function plainWithin(title: string, number: string): string {
  const [kind, ...rest] = number.split(" ");
  return rest.length > 0 && kind?.toLowerCase() === kindOfSeries(title) ? rest.join(" ") : number;
}

function volumeOf(number: string | undefined): number | undefined {
  const found = number === undefined ? null : /^Vol\. (\d+)/.exec(number);
  return found ? Number(found[1]) : undefined;
}
