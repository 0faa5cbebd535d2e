import type { OpenedFile } from "@longbox/files/contract";
import type { RangeBytes } from "@longbox/sdk";
import { FileGone } from "./audiobook-errors.js";
import type { OpenParts } from "./open-parts.js";

/** Ranges up to so many bytes are sent at once, longer ones piece by piece. */
const atOnceBytes = 1024 * 1024;
/** Measured: larger pieces take longer in all, since the memory for each is new. */
const pieceBytes = 64 * 1024;

/** Bytes of one file; `start` and `end` are the first and the last of them. */
export interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Whether the open file is the one that was described. */
  readonly isSame: (file: OpenedFile) => boolean;
}

/** The bytes of ranges, one after the other. @throws {FileGone} when a file is not the one that was described */
export function readRanges(parts: OpenParts, ranges: readonly FileRange[]): RangeBytes | Promise<RangeBytes> {
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  if (bytes > atOnceBytes) return inPieces(parts, ranges);
  return Promise.all(ranges.map((range) => readPiece(parts, range))).then((pieces) =>
    pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces),
  );
}

/** While one piece is sent, the next one is read. */
async function* inPieces(parts: OpenParts, ranges: readonly FileRange[]): AsyncGenerator<Uint8Array> {
  const pieces = piecesOf(ranges);
  let following: Promise<Uint8Array> | undefined = readNext(parts, pieces);
  while (following) {
    const piece: Uint8Array = await following;
    following = readNext(parts, pieces);
    // A client that leaves never takes the next piece: then its failure concerns no request any more.
    following?.catch(() => undefined);
    yield piece;
  }
}

function readNext(parts: OpenParts, pieces: Iterator<FileRange>): Promise<Uint8Array> | undefined {
  const next = pieces.next();
  return next.done ? undefined : readPiece(parts, next.value);
}

function* piecesOf(ranges: readonly FileRange[]): Generator<FileRange> {
  for (const range of ranges)
    for (let start = range.start; start <= range.end; start += pieceBytes)
      yield { ...range, start, end: Math.min(range.end, start + pieceBytes - 1) };
}

function readPiece(parts: OpenParts, { path, start, end, isSame }: FileRange): Promise<Uint8Array> {
  return parts.use(path, async (file) => {
    if (!isSame(file)) throw new FileGone();
    const length = end - start + 1;
    const { buffer, bytesRead } = await file.handle.read(Buffer.allocUnsafe(length), 0, length, start);
    if (bytesRead < length) throw new FileGone();
    return buffer;
  });
}
