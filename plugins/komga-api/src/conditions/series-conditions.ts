import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { readStatuses } from "../shelving/selecting.js";
import type { ShelvedSeries } from "../shelving/shelved-series.js";
import { evaluate, names, type Condition, type Fields } from "./condition.js";
import { authorFact, type Facts } from "./operators.js";

export const seriesFields: Fields = {
  libraryId: "text",
  collectionId: "text",
  deleted: "flag",
  complete: "flag",
  oneShot: "flag",
  title: "words",
  titleSort: "words",
  releaseDate: "date",
  tag: "nullableText",
  sharingLabel: "nullableText",
  publisher: "text",
  language: "text",
  genre: "nullableText",
  ageRating: "number",
  readStatus: "text",
  seriesStatus: "text",
  author: "author",
};

/** What is known of a series; fields that the library has no values for are empty. */
const facts: Readonly<Record<string, (series: ShelvedSeries) => Facts>> = {
  libraryId: ({ libraryId }) => [String(libraryId)],
  title: ({ title }) => [title],
  titleSort: ({ sortTitle }) => [sortTitle],
  releaseDate: ({ firstDate }) => (firstDate === undefined ? [] : [firstDate]),
  tag: ({ tags }) => tags,
  publisher: ({ publisher }) => (publisher === "" ? [] : [publisher]),
  language: ({ language }) => (language === "" ? [] : [language]),
  genre: ({ genres }) => genres,
  seriesStatus: ({ hasEnded }) => [hasEnded ? "ENDED" : "ONGOING"],
  author: ({ authors }) => authors.map(authorFact),
};

export async function seriesWhere(
  all: readonly ShelvedSeries[],
  condition: Condition,
  reader: { readonly reading: ReadingContract; readonly viewer: Viewer },
): Promise<ShelvedSeries[]> {
  const read = names(condition, "readStatus") ? await readStatuses(all, reader) : new Map<number, string>();
  return all.filter((series) =>
    evaluate(condition, (field) =>
      field === "readStatus" ? [read.get(series.id) ?? "UNREAD"] : (facts[field]?.(series) ?? []),
    ),
  );
}
