import { hash } from "node:crypto";
import type { FilesContent, SendableFile } from "@longbox/files/contract";
import type { Content } from "@longbox/sdk";
import { FileGone } from "./audiobook-errors.js";
import type { BookFiles, BookPart } from "./audiobooks.js";

const chunkBytes = 256 * 1024;

/** A part of the joined bytes: those of one file. */
interface Piece {
  readonly part: BookPart;
  /** The first byte in the file. */
  readonly offset: number;
  readonly length: number;
  /** The first byte in the whole. */
  readonly start: number;
}

/**
 * Whether the bytes of the files, one after the other, are one recording: frames of MP3 stand alone, and streams of Ogg
 * may follow each other (RFC 3533, RFC 7845). M4B and FLAC have a header for all of their sound.
 */
export function canBeJoined({ parts, codec }: BookFiles): boolean {
  return parts.length === 1 || codec === "opus" || codec === "vorbis" || parts.every(({ frames }) => frames);
}

/** The files of a book as one: of MP3 files the frames, without the tags between them. */
export function joinedParts(files: Pick<FilesContent, "open">, book: BookFiles): SendableFile {
  const pieces = piecesOf(book.parts);
  const last = pieces.at(-1)!;
  const content: Content = {
    kind: "ranges",
    sizeBytes: last.start + last.length,
    contentType: last.part.contentType,
    read: (start, end) => readRange(files, { pieces, start, end, modifiedMs: book.modifiedMs }),
  };
  return { content, validator: validatorOf(book, pieces), lastModified: new Date(book.modifiedMs) };
}

function piecesOf(parts: readonly BookPart[]): Piece[] {
  let start = 0;
  return parts.map((part) => {
    const { offset, length } = part.frames ?? { offset: 0, length: part.sizeBytes };
    const piece = { part, offset, length, start };
    start += length;
    return piece;
  });
}

/** Changes whenever a file does: the scan sees sizes and the latest time of change. */
function validatorOf({ modifiedMs }: BookFiles, pieces: readonly Piece[]): string {
  const told = pieces.map(({ part, offset, length }) => [part.name, part.sizeBytes, offset, length]);
  return hash("sha256", JSON.stringify([modifiedMs, told]), "base64url").slice(0, 32);
}

interface WantedRange {
  readonly pieces: readonly Piece[];
  /** The first and the last byte in the whole. */
  readonly start: number;
  readonly end: number;
  readonly modifiedMs: number;
}

async function* readRange(files: Pick<FilesContent, "open">, range: WantedRange): AsyncGenerator<Uint8Array> {
  for (const { part, offset, length, start } of range.pieces) {
    const from = Math.max(range.start, start);
    const to = Math.min(range.end, start + length - 1);
    if (from <= to)
      yield* readPart(files, {
        part,
        start: offset + from - start,
        end: offset + to - start,
        modifiedMs: range.modifiedMs,
      });
  }
}

/** @throws {FileGone} when the file is not the one that was scanned */
async function* readPart(
  files: Pick<FilesContent, "open">,
  { part, start, end, modifiedMs }: { readonly part: BookPart } & Omit<WantedRange, "pieces">,
): AsyncGenerator<Uint8Array> {
  const opened = await files.open(part.path);
  try {
    if (opened?.sizeBytes !== part.sizeBytes || opened.modifiedAt.getTime() > modifiedMs + 1) throw new FileGone();
    yield* opened.handle.createReadStream({ start, end, highWaterMark: chunkBytes, autoClose: false });
  } finally {
    await opened?.close();
  }
}
