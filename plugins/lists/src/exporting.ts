import type { Viewer } from "@longbox/sdk";
import type { CollectionContract, Series } from "@longbox/collection/contract";
import type { Book } from "./cbl/list-file.js";
import { writeListFile } from "./cbl/write.js";
import type { ViewedItem } from "./keeping/library-view.js";
import type { ListRecords } from "./keeping/list-records.js";
import type { ReadingLists } from "./keeping/reading-lists.js";

export interface ExportingParts {
  readonly records: ListRecords;
  readonly lists: ReadingLists;
  readonly library: CollectionContract;
}

/** Exports a list as a file for other programs: the visible items and, for its owner, the unmatched books, in order. */
export async function exportList(
  { records, lists, library }: ExportingParts,
  id: number,
  viewer: Viewer,
): Promise<{ name: string; text: string }> {
  const record = await lists.readable(id, viewer);
  const items = await lists.items(record, viewer);
  const series = new Map<number, Series | undefined>();
  for (const seriesId of new Set(items.flatMap(({ issue }) => issue?.seriesId ?? [])))
    series.set(seriesId, await library.findSeries(seriesId, viewer));
  const unmatched = record.user_id === viewer.user.id ? await records.unmatched(id) : [];
  const books = [
    ...items.map((item) => ({ position: item.record.position, book: toBook(item, series) })),
    ...unmatched.map((book) => ({
      position: book.position,
      book: { ...book, cvIssueId: undefined, volumeId: undefined },
    })),
  ];
  return {
    name: record.name,
    text: writeListFile({
      name: record.name,
      books: books.toSorted((one, other) => one.position - other.position).map(({ book }) => book),
    }),
  };
}

function toBook({ record, issue }: ViewedItem, series: ReadonlyMap<number, Series | undefined>): Book {
  // An issue that the provider has not named has the id that the list was given.
  const cvIssueId = issue && issue.cvIssueId > 0 ? issue.cvIssueId : record.cv_issue_id;
  const home = issue && series.get(issue.seriesId);
  return {
    series: issue?.seriesTitle ?? record.series ?? "",
    number: issue?.number ?? record.number ?? "",
    volume: home?.year?.toString() ?? record.volume ?? "",
    year: (issue?.coverDate ?? record.cover_date)?.slice(0, 4) ?? record.year ?? "",
    cvIssueId: cvIssueId > 0 ? cvIssueId : undefined,
    volumeId: home?.cvId ?? record.volume_id ?? undefined,
  };
}
