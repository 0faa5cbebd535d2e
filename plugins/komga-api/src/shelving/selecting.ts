import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import { foldText, type Viewer } from "@longbox/sdk";
import type { SeriesQuery } from "../routes/queries.js";
import type { ShelvedSeries } from "./shelved-series.js";

/** Series in the order and the selection that an app asks for. */
export async function selectSeries(
  all: readonly ShelvedSeries[],
  query: SeriesQuery,
  { reading, viewer }: { readonly reading: ReadingContract; readonly viewer: Viewer },
): Promise<ShelvedSeries[]> {
  const conditions = conditionsOf(query);
  const selected = all.filter((series) => conditions.every((holds) => holds(series)));
  const wanted = new Set(query.read_status);
  const read = wanted.size === 0 ? selected : await byReadStatus(selected, wanted, { reading, viewer });
  return sorted(read, query.sort[0]);
}

type Condition = (series: ShelvedSeries) => boolean;

/** Values of one parameter are alternatives; different parameters all have to hold. */
function conditionsOf(query: SeriesQuery): Condition[] {
  const words = foldText(query.search).split(/\s+/).filter(Boolean);
  return [
    ...(words.length > 0 ? [matching(words)] : []),
    ...among(query.library_id, ({ libraryId }) => [String(libraryId)]),
    ...among(query.status, ({ hasEnded }) => [hasEnded ? "ENDED" : "ONGOING"]),
    ...among(query.publisher, ({ publisher }) => [publisher]),
    ...among(query.language, ({ language }) => [language]),
    ...among(query.genre, ({ genres }) => genres),
    ...among(query.tag, ({ tags }) => tags),
    ...among(query.author, ({ authors }) => authors.flatMap(({ name, role }) => [name, `${name},${role}`])),
    ...(query.deleted === true ? [() => false] : []),
    ...(query.oneshot === true ? [() => false] : []),
  ];
}

function matching(words: readonly string[]): Condition {
  return ({ title, aliases, publisher }) => {
    const text = foldText([title, ...aliases, publisher].join(" "));
    return words.every((word) => text.includes(word));
  };
}

function among(wanted: readonly string[], valuesOf: (series: ShelvedSeries) => readonly string[]): Condition[] {
  if (wanted.length === 0) return [];
  const folded = new Set(wanted.map(foldText));
  return [(series) => valuesOf(series).some((value) => folded.has(foldText(value)))];
}

type ReadStatus = SeriesQuery["read_status"][number];

async function byReadStatus(
  series: readonly ShelvedSeries[],
  wanted: ReadonlySet<ReadStatus>,
  reader: { readonly reading: ReadingContract; readonly viewer: Viewer },
): Promise<ShelvedSeries[]> {
  const statuses = await readStatuses(series, reader);
  return series.filter(({ id }) => wanted.has(statuses.get(id) ?? "UNREAD"));
}

/** Series of which nothing was read are left out. */
export async function readStatuses(
  series: readonly ShelvedSeries[],
  { reading, viewer }: { readonly reading: ReadingContract; readonly viewer: Viewer },
): Promise<Map<number, ReadStatus>> {
  const ids = series.map(({ id }) => id);
  const touched = new Set(await reading.findTouchedSeries(viewer, ids));
  const bookIds = series.filter(({ id }) => touched.has(id)).flatMap(({ bookIds: books }) => books);
  const states = new Map((await reading.find(viewer, bookIds)).map((state) => [state.issueId, state]));
  return new Map(series.filter(({ id }) => touched.has(id)).map((one) => [one.id, statusOf(one, states)]));
}

function statusOf({ bookIds }: ShelvedSeries, states: ReadonlyMap<number, ReadingState>): ReadStatus {
  const started = bookIds.flatMap((id) => states.get(id) ?? []);
  if (started.length === 0) return "UNREAD";
  return started.filter(({ completed }) => completed).length === bookIds.length ? "READ" : "IN_PROGRESS";
}

type Compare = (one: ShelvedSeries, other: ShelvedSeries) => number;

const byTitle: Compare = (one, other) => compare(one.sortTitle, other.sortTitle) || one.id - other.id;
const orders: Readonly<Record<string, Compare>> = {
  "metadata.titleSort": byTitle,
  name: byTitle,
  created: (one, other) => compare(one.addedAt, other.addedAt) || one.id - other.id,
  createdDate: (one, other) => compare(one.addedAt, other.addedAt) || one.id - other.id,
  lastModified: (one, other) => compare(one.changedAt, other.changedAt) || one.id - other.id,
  lastModifiedDate: (one, other) => compare(one.changedAt, other.changedAt) || one.id - other.id,
  "booksMetadata.releaseDate": (one, other) => compare(one.firstDate ?? "", other.firstDate ?? "") || one.id - other.id,
  booksCount: (one, other) => one.bookIds.length - other.bookIds.length || byTitle(one, other),
};

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** An order that is unknown here, such as `relevance`, is the order by title. */
function sorted(series: readonly ShelvedSeries[], sort: SeriesQuery["sort"][number] | undefined): ShelvedSeries[] {
  if (sort?.property === "random") return shuffled(series);
  const order = orders[sort?.property ?? ""];
  if (!order) return [...series].sort(byTitle);
  return [...series].sort(sort?.isDescending ? (one, other) => order(other, one) : order);
}

function shuffled<T>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, rank: Math.random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ thing }) => thing);
}
