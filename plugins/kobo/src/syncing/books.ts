import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesContent, IssueFingerprint } from "@longbox/files/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { Book } from "../documents/book.js";
import { BookNotFound } from "../kobo-errors.js";

export interface BookSources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly reading: ReadingContract;
}

const epub = "application/epub+zip";
const atOnce = 500;

/** Books: owned issues whose file is an EPUB that can be read. */
export class Books {
  constructor(private readonly sources: BookSources) {}

  /** @throws {BookNotFound} also for hidden ones and for those in other formats */
  async get(issueId: number | undefined, viewer: Viewer): Promise<Book> {
    const [book] = issueId === undefined ? [] : await this.find([issueId], viewer);
    if (!book) throw new BookNotFound();
    return book;
  }

  /** The books among these issues that the viewer may know of. */
  async find(issueIds: readonly number[], viewer: Viewer): Promise<Book[]> {
    const books: Book[] = [];
    for (let start = 0; start < issueIds.length; start += atOnce)
      books.push(...(await this.#part(issueIds.slice(start, start + atOnce), viewer)));
    return books;
  }

  async #part(issueIds: readonly number[], viewer: Viewer): Promise<Book[]> {
    const { library, files, reading } = this.sources;
    const issues = (await library.findIssues(issueIds, viewer)).filter(({ owned, corrupt }) => owned && !corrupt);
    const ids = issues.map(({ id }) => id);
    const [found, fingerprints, details, external, states] = await Promise.all([
      files.findFiles(ids),
      files.findFingerprints(ids),
      library.findIssueDetails(ids),
      library.findIds(ids),
      reading.find(viewer, ids),
    ]);
    const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
    const stateOf = new Map(states.map((state) => [state.issueId, state]));
    return issues.flatMap((issue) => {
      const file = found.get(issue.id);
      if (file?.contentType !== epub || file.isFolder) return [];
      const known = { issue, file, detail: detailOf.get(issue.id), state: stateOf.get(issue.id) };
      const fingerprint = presentOne(fingerprints.get(issue.id));
      return { ...known, fingerprint, isbn: external.get(issue.id)?.["isbn"]?.[0] };
    });
  }
}

const presentOne = (fingerprints: readonly IssueFingerprint[] = []): string =>
  fingerprints.find(({ scheme, former }) => scheme === "partial-md5" && !former)?.value ?? "";
