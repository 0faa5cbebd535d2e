import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesContent, FilesEngine, WholeFile } from "@longbox/files/contract";
import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import { NotFound, type Viewer } from "@longbox/sdk";
import { detailsSchema, type TextDetails } from "./details.js";
import { countParts, partAt, readPart, type TextPart } from "./text-file.js";

/** The name under which the pages of this plugin report to `reading`. */
const device = "Text books";

interface Sources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly engine: FilesEngine;
  readonly reading: ReadingContract;
}

interface Book {
  readonly issue: Issue;
  readonly file: WholeFile;
  readonly details: TextDetails;
}

/** Books of plain text, in parts, and how far each viewer is in them. */
export class TextBooks {
  constructor(private readonly sources: Sources) {}

  /** @throws {NotFound} `text-books/no-such-book`, also when the viewer may not know of it */
  async open(cvIssueId: number, viewer: Viewer) {
    const { issue, file } = await this.#find(cvIssueId, viewer);
    const [state] = await this.sources.reading.find(viewer, [issue.id]);
    return { ...placeOf(state, file.sizeBytes), issue, parts: countParts(file.sizeBytes) };
  }

  /** @throws {NotFound} `text-books/no-such-book`, `text-books/no-such-part` */
  async read(cvIssueId: number, part: number, viewer: Viewer): Promise<TextPart> {
    const { file, details } = await this.#find(cvIssueId, viewer);
    requirePart(part, file.sizeBytes);
    return this.#readPart(file, part, details);
  }

  /**
   * Takes the reader's place: the beginning of a part, or the end of the book.
   * @throws {NotFound} `text-books/no-such-book`, `text-books/no-such-part`
   */
  async keepPlace(cvIssueId: number, place: { readonly part: number; readonly finished: boolean }, viewer: Viewer) {
    const { issue, file, details } = await this.#find(cvIssueId, viewer);
    requirePart(place.part, file.sizeBytes);
    const { from } = await this.#readPart(file, place.part, details);
    const at = place.finished ? file.sizeBytes : from;
    const fraction = Math.min(1, at / file.sizeBytes);
    const position = { kind: "locator", locator: `byte:${at}`, fraction } as const;
    const state = await this.sources.reading.report(viewer, issue.id, { position, device, mayGoBack: true });
    return placeOf(state, file.sizeBytes);
  }

  /** The file is opened by `files`, which looks whether it still lies in its library. */
  async #readPart({ path }: WholeFile, part: number, details: TextDetails): Promise<TextPart> {
    const opened = await this.sources.files.open(path);
    if (!opened) throw new NotFound("text-books/gone", "The book is not there any more.");
    try {
      return await readPart(opened, part, details);
    } finally {
      await opened.close();
    }
  }

  async #find(cvIssueId: number, viewer: Viewer): Promise<Book> {
    const { library, files, engine } = this.sources;
    const issue = await library.findIssue(cvIssueId, viewer);
    const file = issue?.owned ? await files.findFile(issue.id) : undefined;
    const [record] = file?.format === "txt" ? await engine.findRead([file.path]) : [];
    const details = detailsSchema.safeParse(record?.details);
    if (!issue || !file || !details.success)
      throw new NotFound("text-books/no-such-book", `There is no book ${cvIssueId} to be read.`, { cvIssueId });
    return { issue, file, details: details.data };
  }
}

/** Other programs may have reported a fraction with a locator of their own, so the fraction decides. */
function placeOf(state: ReadingState | undefined, sizeBytes: number) {
  const fraction = state?.fraction ?? 0;
  return { part: partAt(fraction, sizeBytes), fraction, completed: state?.completed ?? false };
}

function requirePart(part: number, sizeBytes: number): void {
  const parts = countParts(sizeBytes);
  if (part >= parts) throw new NotFound("text-books/no-such-part", `The book has ${parts} parts.`, { parts });
}
