import { LongboxError, NotFound, type Content } from "@longbox/sdk";
import type { CollectionContract, Holding } from "@longbox/collection/contract";
import { UnreadableArchive } from "../archives/unreadable.js";
import type { PageList, PagesContract } from "../contract.js";
import { NoReader } from "../readers/no-reader.js";
import { isShownSomehow } from "../rendering/shown-types.js";
import { ownValidator, type HiddenPages } from "../repeated-pages/hidden-pages.js";
import { FileChanged } from "./file-changed.js";
import type { OpenArchives } from "./open-archives.js";
import type { OpenComic } from "./open-comic.js";

/** A page in a file. */
interface FoundPage {
  /** Its number in the file. */
  readonly own: number;
  /** The validator of the page list. */
  readonly validator: string;
  readonly path: string;
}

/**
 * The server reads parts of files up to this size in one go, with our `read`; for larger ones it would open the path.
 */
const readAtOnceBytes = 2 * 1024 * 1024;
const pieceBytes = 256 * 1024;

export interface IssuePagesParts {
  readonly collection: Pick<CollectionContract, "listHoldings" | "findHoldings">;
  readonly archives: OpenArchives<OpenComic>;
  readonly formats: () => ReadonlySet<string>;
  readonly hidden: HiddenPages;
}

/** The pages of issues, from whichever of their files can be read. */
export class IssuePages implements PagesContract {
  readonly #collection: IssuePagesParts["collection"];
  readonly #archives: OpenArchives<OpenComic>;
  readonly #formats: () => ReadonlySet<string>;
  readonly #hidden: HiddenPages;

  constructor({ collection, archives, formats, hidden }: IssuePagesParts) {
    this.#collection = collection;
    this.#archives = archives;
    this.#formats = formats;
    this.#hidden = hidden;
  }

  async listFormats(): Promise<readonly string[]> {
    return [...this.#formats()];
  }

  async findPages(issueId: number): Promise<PageList | undefined> {
    let withoutReader: NoReader | undefined;
    for (const holding of await this.#readable(issueId)) {
      const list = await this.#archives
        .use(holding.path, async (comic, validator) => this.#toList(comic, validator, holding.path))
        .catch((thrown: unknown) => {
          if (thrown instanceof NoReader) withoutReader = thrown;
          return unlessGone(thrown);
        });
      if (list && list.pages.length > 0) return list;
    }
    if (withoutReader) throw unreadable(withoutReader);
    return undefined;
  }

  async findVersion(issueId: number): Promise<{ validator: string; pages: number } | undefined> {
    for (const { path, pages } of await this.#readable(issueId)) {
      const validator = await this.#archives.look(path).catch(unlessGone);
      if (validator !== undefined && pages > 0) return { validator: this.#hidden.validatorOf(path, validator), pages };
    }
    return undefined;
  }

  async readPage(issueId: number, page: number, known?: string): Promise<{ content: Content; validator: string }> {
    return this.#usePage(issueId, { page, known }, async (comic, { own, validator, path }) => ({
      content: this.#readWhileOpen(await comic.archive.readPage(own), ownValidator(validator), path),
      validator,
    }));
  }

  async readPageBytes(
    issueId: number,
    page: number,
  ): Promise<{ bytes: Uint8Array; contentType: string; validator: string }> {
    return this.#usePage(issueId, { page }, async (comic, { own, validator }) => ({
      ...(await comic.archive.readPageBytes(own)),
      validator,
    }));
  }

  /** Which of the issues have a file with pages, by the last scan. */
  async findWithPages(issueIds: readonly number[]): Promise<readonly number[]> {
    const formats = this.#formats();
    const holdings = await this.#collection.findHoldings(issueIds);
    const readable = holdings.filter(
      ({ valid, pages, format }) => valid && pages > 0 && format !== undefined && formats.has(format),
    );
    return [...new Set(readable.map(({ issueId }) => issueId))];
  }

  /** The page that shows the cover, and a text that changes with it; undefined when nothing can be read. */
  async findCover(issueId: number): Promise<{ page: number; validator: string } | undefined> {
    for (const holding of await this.#readable(issueId)) {
      const cover = await this.#archives
        .use(holding.path, async (comic, validator) =>
          isCover(comic) ? this.#coverOf(comic, validator, holding.path) : undefined,
        )
        .catch(unlessGone);
      if (cover) return cover;
    }
    return undefined;
  }

  #coverOf(comic: OpenComic, validator: string, path: string): { page: number; validator: string } {
    const shown = this.#hidden.shownOf(path, validator, comic.archive.pages);
    const page = shown ? Math.max(0, shown.indexOf(comic.coverPage)) : comic.coverPage;
    return { page, validator: this.#hidden.validatorOf(path, validator) };
  }

  #toList(comic: OpenComic, validator: string, path: string): PageList {
    const { pages } = comic.archive;
    const shown = this.#hidden.shownOf(path, validator, pages)?.map((page) => pages[page]!) ?? pages;
    return {
      validator: this.#hidden.validatorOf(path, validator),
      rightToLeft: comic.rightToLeft,
      pages: shown.map(({ name, contentType, sizeBytes }) => ({ name, contentType, sizeBytes })),
    };
  }

  async #readable(issueId: number): Promise<readonly Holding[]> {
    const holdings = await this.#collection.listHoldings(issueId);
    return holdings.filter((holding) => holding.valid);
  }

  /** A part of a file is read through the archive that has it open, as long as it is the same file. */
  #readWhileOpen(content: Content, validator: string, path: string): Content {
    if (content.kind !== "slice") return content;
    const read = (target: Uint8Array, position: number) =>
      this.#archives
        .useKnown(path, validator, async (comic, found) => {
          if (found !== validator || !comic.archive.readInto) throw new FileChanged();
          await comic.archive.readInto(target, position);
        })
        .catch(translateReading);
    return content.length <= readAtOnceBytes ? { ...content, read } : inParts(content, read);
  }

  async #usePage<T>(
    issueId: number,
    { page, known }: { page: number; known?: string | undefined },
    read: (comic: OpenComic, found: FoundPage) => Promise<T>,
  ): Promise<T> {
    for (const { path } of await this.#readable(issueId)) {
      const use = async (comic: OpenComic, validator: string) => {
        const shown = this.#hidden.shownOf(path, validator, comic.archive.pages);
        const own = ownPage(shown, comic, page);
        const place = { validator: this.#hidden.validatorOf(path, validator), path };
        return own === undefined ? undefined : await read(comic, { ...place, own });
      };
      const found = await (
        known === undefined ? this.#archives.use(path, use) : this.#archives.useKnown(path, ownValidator(known), use)
      ).catch((thrown: unknown) => translate(thrown, page));
      if (found !== undefined) return found;
    }
    throw new NotFound("comics/no-pages", "Nothing that can be read is owned of this issue.");
  }
}

/**
 * The number that a page has in the file; undefined when the file has none.
 * @throws {NotFound} `comics/no-such-page`
 */
function ownPage(shown: readonly number[] | undefined, comic: OpenComic, page: number): number | undefined {
  const { length } = shown ?? comic.archive.pages;
  if (length === 0) return undefined;
  if (page >= length)
    throw new NotFound("comics/no-such-page", `There is no page ${page}; the issue has ${length}, counted from 0.`);
  return shown ? shown[page] : page;
}

/** Larger parts of files are read a piece at a time, through the archive as well. */
function inParts(
  { offset, length, contentType }: Extract<Content, { kind: "slice" }>,
  read: (target: Uint8Array, position: number) => Promise<void>,
): Content {
  async function* pieces(start: number, end: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at <= end; at += pieceBytes) {
      const piece = new Uint8Array(Math.min(pieceBytes, end + 1 - at));
      await read(piece, offset + at);
      yield piece;
    }
  }
  return { kind: "ranges", sizeBytes: length, contentType, read: pieces };
}

/** A file that went away, or that is no archive any more, is passed over; another may hold the issue. */
function unlessGone(thrown: unknown): undefined {
  if (thrown instanceof UnreadableArchive || isGone(thrown)) return undefined;
  throw thrown;
}

function translateReading(thrown: unknown): never {
  throw thrown instanceof UnreadableArchive || isGone(thrown) ? new FileChanged() : thrown;
}

function translate(thrown: unknown, page: number): undefined {
  if (isGone(thrown)) return undefined;
  throw thrown instanceof UnreadableArchive ? unreadable(thrown, page) : thrown;
}

function unreadable(thrown: UnreadableArchive, page?: number): LongboxError {
  const details = { ...(page !== undefined && { page }), reason: thrown.reason };
  const options = { cause: thrown, body: { unavailable: true } };
  if (thrown instanceof NoReader)
    return new LongboxError("not-found", "comics/no-reader", thrown.message, details, options);
  return new LongboxError("not-found", "comics/unreadable", thrown.message, details, options);
}

function isGone(thrown: unknown): boolean {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  return (
    code === "ENOENT" ||
    code === "ENOTDIR" ||
    code === "EACCES" ||
    code === "EIO" ||
    code === "ESTALE" ||
    code === "ENOTCONN"
  );
}

/** A page that no catalog may call a JPEG is no cover; that of the provider is better. */
function isCover({ archive, coverPage }: OpenComic): boolean {
  const page = archive.pages[coverPage];
  return page !== undefined && isShownSomehow(page.contentType);
}
