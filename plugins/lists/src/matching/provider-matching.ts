import { foldTitle, isLongboxError } from "@longbox/sdk";
import { foldIssueNumber, type ProviderIssue } from "@longbox/collection/contract";
import type { AskOptions, MetadataContract, SourceVolume, VolumeSummary } from "@longbox/metadata/contract";
import { yearOf } from "./years.js";

/** The query: the names and numbers of a list file. */
export interface NamedBook {
  readonly series: string;
  readonly number: string;
  readonly volume: string;
  readonly year: string;
}

export type ProviderMatch =
  | {
      readonly cvIssueId: number;
      readonly volumeId: number;
      readonly title: string | undefined;
      readonly coverDate: string | undefined;
    }
  | { readonly reason: string };

/** Groups books by series, so that each series is looked up once. */
export function groupsOf<B extends NamedBook>(books: readonly B[]): B[][] {
  return [...Map.groupBy(books, (book) => `${foldTitle(book.series)} ${yearOf(book.volume) ?? ""}`).values()];
}

/**
 * Asks the provider about books of one series (see {@link groupsOf}): one search, and one volume, or several when the
 * file does not say when the series began.
 * @throws {UpstreamFailure} when the provider cannot be asked
 */
export async function askProvider<B extends NamedBook>(
  metadata: MetadataContract,
  books: readonly B[],
  options: AskOptions,
): Promise<Array<{ book: B; match: ProviderMatch }>> {
  const [first] = books;
  if (!first) return [];
  const key = foldTitle(first.series);
  const found = (await metadata.searchVolumes(first.series, options)).filter(
    (volume) => foldTitle(volume.name) === key || volume.aliases.some((alias) => foldTitle(alias) === key),
  );
  const began = yearOf(first.volume);
  const fitting = began === undefined ? found : found.filter((volume) => volume.startYear === began);
  if (fitting.length === 0) {
    const reason =
      found.length === 0
        ? "The provider has no series of this name."
        : `The provider's series of this name did not begin in ${began}.`;
    return books.map((book) => ({ book, match: { reason } }));
  }
  const issues = (await read(metadata, fitting, options)).flatMap((volume) =>
    volume.issues.map((issue) => ({ volumeId: volume.cvId, issue })),
  );
  const numbered = Map.groupBy(issues, ({ issue }) => foldIssueNumber(issue.number));
  return books.map((book) => ({ book, match: choose(book, numbered.get(foldIssueNumber(book.number)) ?? []) }));
}

/** Up to this many volumes of the same name are compared by their issues. */
const mostVolumes = 4;

async function read(
  metadata: MetadataContract,
  fitting: readonly VolumeSummary[],
  options: AskOptions,
): Promise<SourceVolume[]> {
  const volumes: SourceVolume[] = [];
  for (const { id } of fitting.slice(0, mostVolumes)) {
    try {
      volumes.push(await metadata.getVolume(id, options));
    } catch (fault) {
      // Deleted since the search: the other volumes may still match.
      if (!isLongboxError(fault) || fault.kind !== "not-found") throw fault;
    }
  }
  return volumes;
}

function choose(
  book: NamedBook,
  candidates: ReadonlyArray<{ readonly volumeId: number; readonly issue: ProviderIssue }>,
): ProviderMatch {
  const sameYear = candidates.filter(({ issue }) => book.year !== "" && issue.coverDate?.startsWith(book.year));
  const [only, ...others] = candidates.length > 1 && sameYear.length > 0 ? sameYear : candidates;
  if (!only) return { reason: "The provider has nothing with this number in the series." };
  if (others.length > 0) return { reason: "Several items of the provider match." };
  return {
    cvIssueId: only.issue.cvIssueId,
    volumeId: only.volumeId,
    title: only.issue.title,
    coverDate: only.issue.coverDate,
  };
}
