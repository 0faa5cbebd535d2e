import type { OpenedFile } from "@longbox/files/contract";
import { FileGone } from "../audiobook-errors.js";
import type { OpenParts } from "./open-parts.js";

/** Bytes of one file; `start` and `end` are the first and the last of them. */
export interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Whether the open file is the one that was described. */
  readonly isSame: (file: OpenedFile) => boolean;
}

/**
 * Fills `target` with the bytes of ranges, one after the other.
 * @throws {FileGone} when a file is not the one that was described
 */
export async function readRanges(parts: OpenParts, ranges: readonly FileRange[], target: Uint8Array): Promise<void> {
  let filled = 0;
  for (const range of ranges) {
    const length = range.end - range.start + 1;
    await readRange(parts, range, target.subarray(filled, filled + length));
    filled += length;
  }
}

function readRange(parts: OpenParts, { path, start, isSame }: FileRange, target: Uint8Array): Promise<void> {
  return parts.use(path, async (file) => {
    if (!isSame(file)) throw new FileGone();
    for (let filled = 0; filled < target.length;) {
      const { bytesRead } = await file.handle.read(target, filled, target.length - filled, start + filled);
      if (bytesRead === 0) throw new FileGone();
      filled += bytesRead;
    }
  });
}
