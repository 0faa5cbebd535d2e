import type { CatalogIssue, CollectionContract, Series } from "@longbox/collection/contract";
import { foldTitle, type Viewer } from "@longbox/sdk";
import { authorsOf } from "../documents/book.js";
import type { ShelvedSeries } from "./shelved-series.js";

/** How many rows are fetched at a time, so that other requests are not delayed. */
const part = 500;
/** Names that one series lists at most. */
const mostNames = 200;

/** Reads every series that has books with pages, as the viewer may see them. */
export async function collectSeries(library: CollectionContract, viewer: Viewer): Promise<ShelvedSeries[]> {
  const types = (await library.listLibraryTypes()).filter(({ words }) => words.length === "pages");
  const gathered = new Map<number, Gathered>();
  for (const { id } of types) await gatherBooks(gathered, { library, viewer, type: id });
  const [defaultLibrary] = await library.listLibraries(viewer);
  const ended = new Set((await allSeries(library, viewer, "ended")).map(({ id }) => id));
  const all = await allSeries(library, viewer, undefined);
  return all.flatMap((series) => {
    const books = gathered.get(series.id);
    const libraryId = series.libraryId ?? defaultLibrary?.id ?? 0;
    return books ? [shelved({ ...series, libraryId }, books, ended.has(series.id))] : [];
  });
}

async function allSeries(library: CollectionContract, viewer: Viewer, filter: string | undefined): Promise<Series[]> {
  const found: Series[] = [];
  for (let offset = 0; ; offset += part) {
    const { items } = await library.listSeries({ filter, limit: part, offset }, viewer);
    found.push(...items);
    if (items.length < part) return found;
  }
}

/** What the books of a series bring. */
interface Gathered {
  readonly bookIds: number[];
  readonly genres: Set<string>;
  readonly tags: Set<string>;
  readonly authors: Map<string, { readonly name: string; readonly role: string }>;
  readonly language: string | undefined;
  changedAt: string;
  firstDate: string | undefined;
  summary: string;
  summaryNumber: string;
}

interface Source {
  readonly library: CollectionContract;
  readonly viewer: Viewer;
  readonly type: string;
}

async function gatherBooks(gathered: Map<number, Gathered>, { library, viewer, type }: Source): Promise<void> {
  for (let afterId = 0; ;) {
    const books = await library.listIssuesAfter({ afterId, limit: part, type }, viewer);
    for (const book of books) if (book.issue.owned && book.issue.pages > 0) gather(gathered, book);
    if (books.length < part) return;
    afterId = books.at(-1)!.issue.id;
  }
}

function gather(gathered: Map<number, Gathered>, { issue, detail }: CatalogIssue): void {
  const books = gathered.get(issue.seriesId) ?? nothing(issue.language, issue.addedAt);
  gathered.set(issue.seriesId, books);
  books.bookIds.push(issue.id);
  for (const subject of detail.subjects) addName(books.genres, subject);
  for (const arc of detail.arcs) addName(books.tags, arc);
  for (const author of authorsOf(detail))
    if (books.authors.size < mostNames) books.authors.set(`${author.role} ${author.name}`, author);
  if (issue.addedAt > books.changedAt) books.changedAt = issue.addedAt;
  if (issue.coverDate && (!books.firstDate || issue.coverDate < books.firstDate)) books.firstDate = issue.coverDate;
  if (books.summary === "" && detail.description) {
    books.summary = detail.description;
    books.summaryNumber = issue.number;
  }
}

const nothing = (language: string | undefined, changedAt: string): Gathered => ({
  bookIds: [],
  genres: new Set(),
  tags: new Set(),
  authors: new Map(),
  language,
  changedAt,
  firstDate: undefined,
  summary: "",
  summaryNumber: "",
});

const addName = (names: Set<string>, name: string): void => void (names.size < mostNames && names.add(name));

function shelved(series: Series & { libraryId: number }, books: Gathered, hasEnded: boolean): ShelvedSeries {
  return {
    id: series.id,
    libraryId: series.libraryId,
    title: series.title,
    sortTitle: foldTitle(series.title),
    aliases: series.aliases,
    publisher: series.publisher ?? "",
    type: series.type,
    language: books.language ?? "",
    addedAt: series.addedAt,
    changedAt: books.changedAt,
    hasEnded,
    bookIds: books.bookIds,
    genres: [...books.genres].sort(),
    tags: [...books.tags].sort(),
    authors: [...books.authors.values()],
    firstDate: books.firstDate,
    summary: books.summary,
    summaryNumber: books.summaryNumber,
  };
}
