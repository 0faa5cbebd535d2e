import type { CatalogIssue, CollectionContract, IssueDetail } from "@longbox/collection/contract";
import { foldTitle, systemViewer } from "@longbox/sdk";
import type { FacetName } from "../browsing/facets.js";
import type { IndexedIssue } from "../thread/protocol.js";

/** The roles of credits that are each kind of person, without spaces and hyphens. */
const roles: ReadonlyArray<readonly [kind: "author" | "artist" | "narrator", words: ReadonlySet<string>]> = [
  ["author", new Set(["author", "writer", "script", "plot", "story", "aut"])],
  [
    "artist",
    new Set([
      "artist",
      "penciller",
      "penciler",
      "inker",
      "colorist",
      "colourist",
      "cover",
      "coverartist",
      "illustrator",
    ]),
  ],
  ["narrator", new Set(["narrator", "reader"])],
];

/** What the index must know beside the issues themselves. */
export interface LibraryWords {
  /** The library types whose items are known by their own titles. */
  readonly namedByTitle: ReadonlySet<string>;
  /** The library of series that are in none. */
  readonly firstLibrary: number | undefined;
}

const text = (value: string | number | undefined): string[] =>
  value === undefined || value === "" ? [] : [String(value)];

/** What the index keeps of an issue. */
export function toIndexed({ issue, detail, ...rest }: CatalogIssue, words: LibraryWords): IndexedIssue {
  const date = dateOf(issue.coverDate ?? detail.storeDate);
  const year = date > 0 ? Math.floor(date / 10_000) : rest.seriesYear;
  const own = words.namedByTitle.has(issue.type) ? issue.title : undefined;
  return {
    id: issue.id,
    seriesId: issue.seriesId,
    title: own ?? issue.seriesTitle,
    seriesTitle: own !== undefined && foldTitle(own) === foldTitle(issue.seriesTitle) ? "" : issue.seriesTitle,
    seriesYear: rest.seriesYear ?? 0,
    ownTitle: issue.title ?? "",
    number: issue.number,
    hidden: issue.restricted,
    addedAt: minutesOf(issue.addedAt),
    date,
    pages: issue.pages,
    seconds: Math.round(issue.seconds ?? 0),
    values: {
      type: [issue.type],
      owned: [issue.owned ? "yes" : "no"],
      publisher: text(issue.publisher),
      decade: text(year === undefined ? undefined : `${Math.floor(year / 10)}0`),
      language: text(issue.language),
      age: text(detail.ageRating),
      library: text(rest.libraryId ?? words.firstLibrary),
      format: rest.formats,
      genre: detail.subjects,
      character: detail.characters,
      team: detail.teams,
      arc: detail.arcs,
      ...peopleOf(detail.credits),
    },
  };
}

export async function readWords(library: CollectionContract): Promise<LibraryWords> {
  const [types, libraries] = await Promise.all([library.listLibraryTypes(), library.listLibraries(systemViewer)]);
  const named = types.filter(({ words }) => words.named === "by-title").map(({ id }) => id);
  return { namedByTitle: new Set(named), firstLibrary: libraries[0]?.id };
}

/** Sorts credits, whose roles may be lists (`artist, cover`), into kinds of people. */
function peopleOf(credits: IssueDetail["credits"]): Partial<Record<FacetName, readonly string[]>> {
  const found: Partial<Record<FacetName, string[]>> = {};
  for (const { name, role } of credits) {
    for (const word of role.toLowerCase().split(",")) {
      const plain = word.replaceAll(/[\s_-]/g, "");
      for (const [kind, words] of roles) if (words.has(plain)) (found[kind] ??= []).push(name);
    }
  }
  return found;
}

/** `20260131`; the month or the day may be missing. */
function dateOf(date: string | undefined): number {
  const parts = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/.exec(date ?? "");
  return parts ? Number(parts[1]) * 10_000 + Number(parts[2] ?? 0) * 100 + Number(parts[3] ?? 0) : 0;
}

function minutesOf(at: string): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? 0 : Math.max(0, Math.floor(time / 60_000));
}
