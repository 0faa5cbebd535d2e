import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { isWithin } from "@longbox/sdk/light";

/** A small file is read whole in one go; of a large one the beginning. */
const windowBytes = 16_384;
/** Without O_NONBLOCK, opening a pipe would block the thread until a writer opens it. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** What systems say of a link that is not followed. */
const isLinkCodes: ReadonlySet<unknown> = new Set(["ELOOP", "EMLINK"]);

/** The message holds everything that users may see: no path. */
export class LinkLeadsOut extends Error {
  constructor() {
    super("The file is a link that leads out of the library.");
  }
}

export class NotRegular extends Error {
  constructor() {
    super("This is not a regular file.");
  }
}

/**
 * One open file after the other, each with its first bytes in memory. The buffer is used again for the next file, so
 * bytes that are kept must be copied. For worker threads.
 */
export class FileWindow {
  readonly #buffer = Buffer.allocUnsafeSlow(windowBytes);
  #descriptor = -1;
  #filled = 0;

  /**
   * Opens a regular file; a link is followed to its end once, and not again while it is opened.
   * @param rootFolder - what a link leads to must lie in this folder
   * @throws {LinkLeadsOut} @throws {NotRegular} and what the file system says
   */
  open(path: string, rootFolder?: string): void {
    this.#descriptor = openUnlessLink(path) ?? openSync(linkTarget(path, rootFolder), openFlags);
    if (!fstatSync(this.#descriptor).isFile()) {
      this.close();
      throw new NotRegular();
    }
    this.#filled = readSync(this.#descriptor, this.#buffer, 0, windowBytes, 0);
  }

  get isOpen(): boolean {
    return this.#descriptor >= 0;
  }

  close(): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
    this.#filled = 0;
  }

  /** The first bytes, as many as are at hand. */
  get head(): Buffer {
    return this.#buffer.subarray(0, this.#filled);
  }

  /** Up to this many bytes; fewer where the file ends. */
  readUpTo(offset: number, length: number): Buffer {
    // A window that is not full holds the whole file.
    if (offset + length <= this.#filled || this.#filled < windowBytes)
      return this.#buffer.subarray(offset, Math.min(offset + length, this.#filled));
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, length, offset));
  }
}

/** @returns undefined for a link @throws what the file system says */
function openUnlessLink(path: string): number | undefined {
  try {
    return openSync(path, openFlags);
  } catch (thrown) {
    if (isLinkCodes.has((thrown as NodeJS.ErrnoException).code)) return undefined;
    throw thrown;
  }
}

/** @throws {LinkLeadsOut} and what the file system says */
function linkTarget(path: string, rootFolder: string | undefined): string {
  const real = realpathSync(path);
  if (real !== path && rootFolder !== undefined && !isWithin(realpathSync(rootFolder), real)) throw new LinkLeadsOut();
  return real;
}
