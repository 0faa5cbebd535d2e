import type { CollectionContract, Holding, Issue } from "@longbox/collection/contract";
import type { FilesEngine } from "@longbox/files/contract";
import type { Viewer } from "@longbox/sdk";
import { BookNotFound } from "../books-errors.js";
import { detailsSchema, type BookDetails } from "../details.js";
import { bookType, contentTypeOf, rankOf } from "../formats/book-formats.js";
import { isKepub } from "../formats/book-names.js";
import type { Book, BookFile } from "./book.js";

interface Sources {
  readonly library: CollectionContract;
  readonly engine: FilesEngine;
}

/**
 * Books by their internal issue ids. A negative id is the one that a book has in lists of all types, where it stands
 * for an id of a provider. What is hidden from a viewer is not found.
 */
export class FindingBooks {
  constructor(private readonly sources: Sources) {}

  /** The issue alone, with or without a file. @throws {BookNotFound} */
  async getIssue(id: number, viewer: Viewer): Promise<Issue> {
    const issue = (await this.#issues([id], viewer)).get(id);
    if (issue?.type !== bookType.id) throw new BookNotFound(id);
    return issue;
  }

  /** @throws {BookNotFound} also when no file of it can be read */
  async get(id: number, viewer: Viewer): Promise<Book> {
    const issue = await this.getIssue(id, viewer);
    const [book] = await this.#withFiles([issue]);
    if (!book) throw new BookNotFound(id);
    return book;
  }

  /** In the order of the ids; those that are unknown, hidden or without a file are left out. */
  async list(ids: readonly number[], viewer: Viewer): Promise<Book[]> {
    const found = await this.#issues(ids, viewer);
    const books = ids.flatMap((id) => found.get(id) ?? []).filter(({ type }) => type === bookType.id);
    return this.#withFiles([...new Map(books.map((issue) => [issue.id, issue])).values()]);
  }

  /** By the ids that they were asked for with. */
  async #issues(ids: readonly number[], viewer: Viewer): Promise<Map<number, Issue>> {
    const { library } = this.sources;
    const [own, listed] = [ids.filter((id) => id > 0), ids.filter((id) => id < 0)];
    const found = own.length === 0 ? [] : await library.findIssues(own, viewer);
    const others = listed.length === 0 ? [] : await library.findIssuesByClientIds(listed, viewer);
    return new Map([
      ...found.map((issue) => [issue.id, issue] as const),
      ...others.map(({ cvIssueId, issue }) => [cvIssueId, issue] as const),
    ]);
  }

  async #withFiles(issues: readonly Issue[]): Promise<Book[]> {
    const holdings = await this.sources.library.findHoldings(issues.map(({ id }) => id));
    const details = await this.#detailsOf(holdings);
    const byIssue = Map.groupBy(holdings, ({ issueId }) => issueId);
    return issues.flatMap((issue) => {
      const own = byIssue.get(issue.id) ?? [];
      const [first, ...others] = arranged(own.map((holding) => bookFile(holding, details.get(holding.path))));
      return first ? [{ issue, files: [first, ...others] }] : [];
    });
  }

  async #detailsOf(holdings: readonly Holding[]): Promise<Map<string, BookDetails>> {
    const records = await this.sources.engine.findRead(holdings.map(({ path }) => path));
    return new Map(
      records.flatMap(({ path, details }) => {
        const read = detailsSchema.safeParse(details);
        return read.success ? [[path, read.data] as const] : [];
      }),
    );
  }
}

type ReadableHolding = BookFile & { readonly isReadable: boolean };

function bookFile(holding: Holding, details: BookDetails = {}): ReadableHolding {
  const { path, name, sizeBytes, format = "", valid } = holding;
  const isReadable = valid || details.protection !== undefined;
  return { path, name, sizeBytes, format, contentType: contentTypeOf(format), details, isReadable };
}

/** Unprotected files first, then by format; of a format once as Kobo's and once plain, the plain one. */
function arranged(files: readonly ReadableHolding[]): BookFile[] {
  return files
    .filter(({ isReadable }) => isReadable)
    .map(({ isReadable: _, ...file }) => file)
    .toSorted(
      (one, other) =>
        Number(one.details.protection !== undefined) - Number(other.details.protection !== undefined) ||
        rankOf(one.format) - rankOf(other.format) ||
        Number(isKepub(one.name)) - Number(isKepub(other.name)),
    );
}
