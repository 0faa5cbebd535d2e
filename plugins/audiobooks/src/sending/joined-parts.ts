import { hash } from "node:crypto";
import type { OpenedFile, SendableFile } from "@longbox/files/contract";
import type { Content } from "@longbox/sdk";
import type { BookFiles, BookPart } from "../audiobooks.js";
import type { OpenParts } from "./open-parts.js";
import { readRanges, type FileRange } from "./sound-bytes.js";

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
export function joinedParts(parts: OpenParts, book: BookFiles): SendableFile {
  const pieces = piecesOf(book.parts);
  const last = pieces.at(-1)!;
  const content: Content = {
    kind: "filled",
    sizeBytes: last.start + last.length,
    contentType: last.part.contentType,
    fill(target, start) {
      const end = start + target.length - 1;
      return readRanges(parts, rangesOf(pieces, { start, end, modifiedMs: book.modifiedMs }), target);
    },
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

function rangesOf(
  pieces: readonly Piece[],
  wanted: { readonly start: number; readonly end: number; readonly modifiedMs: number },
): FileRange[] {
  return pieces.flatMap(({ part, offset, length, start }) => {
    const from = Math.max(wanted.start, start);
    const to = Math.min(wanted.end, start + length - 1);
    if (from > to) return [];
    const isSame = ({ sizeBytes, modifiedAt }: OpenedFile) =>
      sizeBytes === part.sizeBytes && modifiedAt.getTime() <= wanted.modifiedMs + 1;
    return [{ path: part.path, start: offset + from - start, end: offset + to - start, isSame }];
  });
}
