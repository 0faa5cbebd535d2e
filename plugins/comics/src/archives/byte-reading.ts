import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { UnreadableArchive } from "./unreadable.js";

/** Bytes that a parser asks for. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * A parser that asks for bytes and is given them, so that the same parser serves a thread that may wait for the disk
 * and a server that may not.
 */
export type ByteParser<T> = Generator<ByteRange, T, Buffer>;

/** What comes from outside and is larger is parsed in a thread. */
const mostParsedHereBytes = 64 * 1024;

/**
 * Runs a parser on an open file, as long as it asks for little.
 * @returns undefined when there is more to parse than the server itself should
 */
export async function parseSmall<T>(parser: ByteParser<T>, handle: FileHandle): Promise<T | undefined> {
  let step = parser.next();
  for (let bytes = 0; !step.done;) {
    bytes += step.value.length;
    if (bytes > mostParsedHereBytes) return undefined;
    step = parser.next(await readFully(handle, step.value));
  }
  return step.value;
}

/** Runs a parser on a descriptor, for worker threads. */
export function parseSync<T>(parser: ByteParser<T>, descriptor: number): T {
  let step = parser.next();
  while (!step.done) step = parser.next(readFullySync(descriptor, step.value));
  return step.value;
}

/** @throws {UnreadableArchive} `truncated` when the file ends before */
export async function readFully(handle: FileHandle, { offset, length }: ByteRange): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  await readInto(handle, bytes, offset);
  return bytes;
}

/**
 * Fills `target` with the bytes from `position` on.
 * @throws {UnreadableArchive} `truncated` when the file ends before
 */
export async function readInto(handle: FileHandle, target: Uint8Array, position: number): Promise<void> {
  for (let filled = 0; filled < target.length;) {
    const { bytesRead } = await handle.read(target, filled, target.length - filled, position + filled);
    if (bytesRead === 0) throw endsEarly();
    filled += bytesRead;
  }
}

/** @throws {UnreadableArchive} `truncated` when the file ends before */
export function readFullySync(descriptor: number, { offset, length }: ByteRange): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(descriptor, bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw endsEarly();
    filled += bytesRead;
  }
  return bytes;
}

function endsEarly(): UnreadableArchive {
  return new UnreadableArchive("truncated", "The file ends before its contents do.");
}
