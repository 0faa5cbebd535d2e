import type { FileHandle } from "node:fs/promises";
import type { OpenedFile } from "@longbox/files/contract";
import type { TextDetails } from "./details.js";

/** A part is about this long; it is read and decoded in well under a millisecond. */
const partBytes = 16 * 1024;
/** A part ends with the first line that ends within so many bytes. */
const longestLine = 4 * 1024;

/** A part of a text: from one byte of its file up to another. */
export interface TextPart {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A remainder of less than half a part belongs to the last one. */
export const countParts = (sizeBytes: number): number => Math.max(1, Math.round(sizeBytes / partBytes));

/** Which part a fraction of the text lies in, counted from 0. */
export const partAt = (fraction: number, sizeBytes: number): number =>
  Math.min(countParts(sizeBytes) - 1, Math.floor((fraction * sizeBytes + 0.5) / partBytes));

/**
 * Reads one part. Parts begin and end between lines, or between characters where a line is very long.
 * @param part - Counted from 0, less than {@link countParts}
 */
export async function readPart(
  { handle, sizeBytes }: Pick<OpenedFile, "handle" | "sizeBytes">,
  part: number,
  { encoding }: TextDetails,
): Promise<TextPart> {
  const begin = part * partBytes;
  const isLast = part === countParts(sizeBytes) - 1;
  const bytes = await readUpTo(handle, begin, isLast ? sizeBytes - begin : partBytes + longestLine);
  const from = part === 0 ? 0 : cutAt(bytes, 0);
  const to = isLast ? bytes.length : cutAt(bytes, partBytes);
  return { text: new TextDecoder(encoding).decode(bytes.subarray(from, to)), from: begin + from, to: begin + to };
}

async function readUpTo(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** The first place behind a line's end, or else the next beginning of a character of UTF-8. */
function cutAt(bytes: Buffer, at: number): number {
  const lineEnd = bytes.indexOf("\n", at);
  if (lineEnd !== -1 && lineEnd < at + longestLine) return lineEnd + 1;
  let start = at;
  while (start < at + 3 && (bytes[start]! & 0xc0) === 0x80) start++;
  return start;
}
