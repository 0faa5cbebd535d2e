import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { Protection } from "../details.js";
import type { BookProgress, BookReading } from "../reading/book-reading.js";
import type { Book } from "./book.js";
import type { FindingBooks } from "./finding-books.js";

interface Sources {
  readonly books: FindingBooks;
  readonly library: CollectionContract;
  readonly positions: BookReading;
}

/** A book as lists show it. Sizes are bytes. */
export interface DescribedBook {
  readonly id: number;
  readonly title: string;
  readonly authors: string[];
  readonly series: string | undefined;
  readonly number: string | undefined;
  readonly format: string;
  readonly formats: string[];
  readonly files: Array<{ format: string; size: number; drm: Protection | null }>;
  readonly size: number;
  readonly drm: Protection | null;
  readonly language: string | undefined;
  readonly isbn: string | undefined;
  readonly pages: number | undefined;
  readonly rightToLeft: boolean;
  readonly fixedLayout: boolean;
  readonly cover: string;
  readonly description: string | undefined;
  readonly progress: BookProgress | undefined;
}

interface Known {
  readonly authors: string[];
  readonly description: string | undefined;
  readonly isbn: string | undefined;
  readonly progress: BookProgress | undefined;
}

/** What is known of books, in the order of the ids; those without a readable file are left out. */
export async function describeBooks(
  { books, library, positions }: Sources,
  ids: readonly number[],
  viewer: Viewer,
): Promise<DescribedBook[]> {
  const found = await books.list(ids, viewer);
  const issueIds = found.map(({ issue }) => issue.id);
  const [details, others, progress] = await Promise.all([
    library.findIssueDetails(issueIds),
    library.findIds(issueIds),
    positions.findAll(viewer, issueIds),
  ]);
  const detailOf = new Map(details.map((detail) => [detail.issueId, detail]));
  return found.map((book) => {
    const detail = detailOf.get(book.issue.id);
    const authors = (detail?.credits ?? []).filter(({ role }) => role === "author").map(({ name }) => name);
    return describe(book, {
      authors,
      description: detail?.description,
      isbn: others.get(book.issue.id)?.["isbn"]?.[0],
      progress: progress.get(book.issue.id),
    });
  });
}

function describe({ issue, files }: Book, known: Known): DescribedBook {
  const [best] = files;
  const number = issue.number === "" ? undefined : issue.number;
  return {
    id: issue.id,
    title: issue.title ?? issue.label.full,
    // Books of no series stand under their author, or under their own title.
    series:
      known.authors.includes(issue.seriesTitle) || issue.seriesTitle === issue.title ? undefined : issue.seriesTitle,
    number,
    format: best.format,
    formats: [...new Set(files.map(({ format }) => format))],
    files: files.map((file) => ({ format: file.format, size: file.sizeBytes, drm: file.details.protection ?? null })),
    size: best.sizeBytes,
    drm: best.details.protection ?? null,
    language: issue.language,
    pages: best.details.pages,
    rightToLeft: best.details.rightToLeft ?? false,
    fixedLayout: best.details.fixedLayout ?? false,
    cover: `/api/ebooks/issue/${issue.id}/cover`,
    ...known,
  };
}
