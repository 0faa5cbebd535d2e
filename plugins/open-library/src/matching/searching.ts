import type { AskOptions } from "../asking/library-client.js";
import type { OpenLibrary } from "../asking/open-library.js";
import type { FoundWork } from "../works.js";
import type { BookEvidence } from "./book-evidence.js";
import type { Candidate } from "./book-records.js";
import { findCertain, judge } from "./evidence.js";

const most = { candidates: 8 } as const;
const leastScore = 25;

/** Finds works that may be a book: by its ISBN first, then by title and author. */
export class Searching {
  constructor(private readonly library: OpenLibrary) {}

  /** The works with the ISBNs of several books, in few questions. */
  findByIsbns(books: readonly BookEvidence[], options: AskOptions): Promise<readonly FoundWork[]> {
    const isbns = [...new Set(books.flatMap((book) => book.isbns))];
    return isbns.length === 0 ? Promise.resolve([]) : this.library.findByIsbns(isbns, options);
  }

  /** @param byIsbn - Of this book and perhaps others @returns the candidates, best first */
  async findCandidates(book: BookEvidence, byIsbn: readonly FoundWork[], options: AskOptions): Promise<Candidate[]> {
    const own = byIsbn.filter((work) => judge(book, work).byIsbn);
    const judged = ranked(book, own);
    if (findCertain(judged)) return judged;
    return ranked(book, [...own, ...(await this.#byTitle(book, options))]);
  }

  async #byTitle({ title, authors: [author] }: BookEvidence, options: AskOptions): Promise<readonly FoundWork[]> {
    const bare = searchedTitle(title);
    const found = await this.library.searchTitle(bare, author, options);
    return found.length > 0 || author === undefined ? found : this.library.searchTitle(bare, undefined, options);
  }
}

/** Without what catalogs write in different ways: brackets, the subtitle, a leading article. */
function searchedTitle(title: string): string {
  const [head = ""] = title.replaceAll(/\s*[([{][^()[\]{}]*[)\]}]/g, "").split(/\s*:\s+/, 1);
  return head.replace(/^(?:the|an?)\s+/i, "") || title;
}

function ranked(book: BookEvidence, works: readonly FoundWork[]): Candidate[] {
  // The first of each work is that with its ISBN's edition.
  const byId = new Map(works.toReversed().map((work) => [work.id, work]));
  return [...byId.values()]
    .map((work) => ({ work, judgement: judge(book, work) }))
    .filter(({ judgement }) => judgement.byIsbn || judgement.score >= leastScore)
    .toSorted((one, other) => other.judgement.score - one.judgement.score || (one.work.id < other.work.id ? -1 : 1))
    .slice(0, most.candidates);
}
