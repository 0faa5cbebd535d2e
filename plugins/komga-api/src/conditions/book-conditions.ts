import type { CollectionContract, Issue, IssueDetail } from "@longbox/collection/contract";
import type { ListsContract } from "@longbox/lists/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { OptionalCapability, Viewer } from "@longbox/sdk";
import { authorsOf } from "../documents/book.js";
import { statesOf, statusOfBook } from "../shelving/selecting-books.js";
import type { ShelvedSeries } from "../shelving/shelved-series.js";
import { evaluate, names, type Condition, type Fields } from "./condition.js";
import { authorFact, type Facts } from "./operators.js";

export const bookFields: Fields = {
  libraryId: "text",
  readListId: "text",
  seriesId: "text",
  deleted: "flag",
  oneShot: "flag",
  title: "words",
  releaseDate: "date",
  numberSort: "number",
  tag: "nullableText",
  readStatus: "text",
  mediaStatus: "text",
  mediaProfile: "text",
  author: "author",
};

export interface BookConditionSources {
  readonly library: CollectionContract;
  readonly lists: OptionalCapability<ListsContract>;
  readonly reading: ReadingContract;
}

/** The fields for which every book has to be read. */
const slowFields = new Set(["title", "releaseDate", "numberSort", "tag", "mediaStatus", "author"]);
const atOnce = 500;

/** The ids of the books for which a condition holds, in the given order. Books are only read where that decides. */
export async function booksWhere(
  series: readonly ShelvedSeries[],
  condition: Condition,
  { viewer, ...sources }: BookConditionSources & { readonly viewer: Viewer },
): Promise<number[]> {
  const candidates = series.flatMap((one) => one.bookIds.map((id) => ({ id, series: one })));
  const shared = await sharedFacts(candidates, condition, { viewer, ...sources });
  const results = new Map(candidates.map((book) => [book.id, evaluate(condition, (field) => shared(book, field))]));
  const open = candidates.filter(({ id }) => results.get(id) === undefined);
  for (let start = 0; start < open.length; start += atOnce) {
    const part = open.slice(start, start + atOnce);
    const read = await readFacts(
      part.map(({ id }) => id),
      sources.library,
      viewer,
    );
    for (const book of part)
      results.set(
        book.id,
        evaluate(condition, (field) => shared(book, field) ?? read(book.id, field)),
      );
  }
  return candidates.flatMap(({ id }) => (results.get(id) === true ? id : []));
}

interface Candidate {
  readonly id: number;
  readonly series: ShelvedSeries;
}

/** What is known without reading books; undefined for fields that have to be read. */
async function sharedFacts(
  candidates: readonly Candidate[],
  condition: Condition,
  { lists, reading, viewer }: BookConditionSources & { readonly viewer: Viewer },
): Promise<(book: Candidate, field: string) => Facts | undefined> {
  const ids = candidates.map(({ id }) => id);
  const states = names(condition, "readStatus") ? await statesOf(ids, { reading, viewer }) : new Map();
  const listed = names(condition, "readListId") ? await listsOf(lists, viewer) : new Map<number, string[]>();
  return ({ id, series }, field) => {
    if (slowFields.has(field)) return undefined;
    if (field === "libraryId") return [String(series.libraryId)];
    if (field === "seriesId") return [String(series.id)];
    if (field === "readStatus") return [statusOfBook(id, states)];
    if (field === "readListId") return listed.get(id) ?? [];
    return field === "mediaProfile" ? ["DIVINA"] : [];
  };
}

async function listsOf(lists: BookConditionSources["lists"], viewer: Viewer): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  if (!lists.available()) return found;
  for (const { id } of await lists.use.listLists(viewer))
    for (const { issueId } of await lists.use.listItems(id, viewer))
      if (issueId !== undefined) found.set(issueId, [...(found.get(issueId) ?? []), String(id)]);
  return found;
}

async function readFacts(
  ids: readonly number[],
  library: CollectionContract,
  viewer: Viewer,
): Promise<(id: number, field: string) => Facts> {
  const [issues, details] = await Promise.all([library.findIssues(ids, viewer), library.findIssueDetails(ids)]);
  const issueOf = new Map(issues.map((issue) => [issue.id, issue]));
  const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
  return (id, field) => {
    const issue = issueOf.get(id);
    return issue ? (facts[field]?.(issue, detailOf.get(id)) ?? []) : [];
  };
}

const facts: Readonly<Record<string, (issue: Issue, detail: IssueDetail | undefined) => Facts>> = {
  title: ({ title, label }) => [title ?? label.short],
  releaseDate: ({ coverDate }, detail) => [coverDate ?? detail?.storeDate].filter((date) => date !== undefined),
  numberSort: ({ number }) => (/^-?\d+(\.\d+)?$/.test(number) ? [Number(number)] : []),
  tag: (_, detail) => detail?.arcs ?? [],
  mediaStatus: ({ corrupt }) => [corrupt ? "ERROR" : "READY"],
  author: (_, detail) => authorsOf(detail).map(authorFact),
};
