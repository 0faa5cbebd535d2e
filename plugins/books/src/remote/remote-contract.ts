import type { FileReading } from "@longbox/files/contract";
import { extensionPoint, type Releasable } from "@longbox/sdk";

/** A book that another server holds. */
export interface RemoteBook {
  /** Unique in its source and stable; 1 to 500 characters. */
  readonly id: string;
  /** The id of its format: `epub`. */
  readonly format: string;
  /** Changes whenever the file does, so that it is fetched again. */
  readonly version?: string | undefined;
  readonly sizeBytes?: number | undefined;
  /** The id by which `fetch` gets its cover, an image; 1 to 2000 characters. */
  readonly cover?: string | undefined;
  /** What is known of it. It needs a title. */
  readonly reading: FileReading & { readonly title: string };
}

/** A part of the books of a source. */
export interface RemoteBookPart {
  readonly books: readonly RemoteBook[];
  /** Undefined at the end. */
  readonly next: string | undefined;
}

/**
 * Books on another server that are shown in a library like those on disk. Each is fetched when it is first opened, once
 * for all who wait for it, and kept in a cache.
 */
export interface RemoteBookSource {
  /** Lower-case letters, digits and hyphens, at most 64; stable and unique among the sources of the plugin. */
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  /** The library in which its books are shown. Default: the first library of books. */
  readonly libraryId?: number | undefined;
  /**
   * A part of its books; those that are in no part any more leave the library. When it throws, all stay.
   * @param after - `next` of the part before; undefined for the first
   */
  list(after: string | undefined, signal: AbortSignal): Promise<RemoteBookPart>;
  /**
   * The bytes of a book, or of a cover.
   * @param bookId - of the book, or `cover` of one
   * @throws {LongboxError} of the kind `not-found` when the source has lost it; anything else is worth another try
   */
  fetch(bookId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Called when `list` has something else to say. */
  onChanged?(listener: () => void): Releasable | Promise<Releasable>;
}

export const RemoteBooks = extensionPoint<RemoteBookSource>("remoteBooks", "1.0.0");
