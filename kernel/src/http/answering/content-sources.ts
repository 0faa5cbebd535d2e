import { close, createReadStream, fstat, open, read, type Stats } from "node:fs";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { LongboxError, NotFound, type Content } from "@longbox/sdk";
import { bufferBytes, lend, type AnswerBuffers } from "./answer-buffers.js";
import type { AnswerFile, AnswerFiles } from "./answer-files.js";
import { filledSource } from "./filled-source.js";
import { rangesSource } from "./ranges-source.js";
import type { Source } from "./source.js";

const openAsync = promisify(open);
const readAsync = promisify(read);
const statAsync = promisify<number, Stats>(fstat);

/** Up to this many bytes are read at once and written at once; a scanned page fits. */
const atOnceBytes = bufferBytes;
const streamChunkBytes = 256 * 1024;

/** What opening content may use. */
export interface Opening {
  /** A validator is known already, so that the time of a file need not be asked for. */
  readonly isValidated: boolean;
  readonly buffers: AnswerBuffers;
  readonly files: AnswerFiles;
}

/** @throws {NotFound} `kernel/content-gone` when the file is not there any more */
export async function openSource(content: Content | AnswerFile, opening: Opening): Promise<Source> {
  if (content.kind === "open-file") return answerSource(content);
  if (content.kind === "bytes") return openBytes(content.bytes, content.contentType, opening.files);
  return openStored(content, opening);
}

/** Many bytes wait in a file: the client may read slowly, or not at all. */
async function openBytes(bytes: Uint8Array, contentType: string, files: AnswerFiles): Promise<Source> {
  if (!files.isTooLarge(bytes.length)) return bytesSource(bytes, contentType);
  const kept = await files.keep(bytes, contentType);
  return kept === undefined ? bytesSource(bytes, contentType) : answerSource(kept);
}

function answerSource({ file, length, contentType }: AnswerFile): Source {
  let handedOver = false;
  return {
    contentType,
    length,
    atHand: false,
    lastModified: undefined,
    tag: undefined,
    async part(range) {
      handedOver = true;
      const { start, end } = range ?? { start: 0, end: length - 1 };
      return file.createReadStream({ start, end, highWaterMark: streamChunkBytes, autoClose: true });
    },
    sent() {},
    close() {
      if (!handedOver) void file.close();
    },
  };
}

async function openStored(
  content: Exclude<Content, { kind: "bytes" }>,
  { isValidated, buffers }: Opening,
): Promise<Source> {
  if (content.kind === "stream") return streamSource(content.stream, content.contentType, content.length);
  if (content.kind === "ranges") return rangesSource(content);
  if (content.kind === "filled") return filledSource(content, buffers);
  if (content.kind === "slice" && content.read !== undefined && isValidated && content.length <= atOnceBytes)
    return readSource(content, content.read, buffers);
  const descriptor = await openAsync(content.path, "r").catch(gone);
  // Every question to the disk is a way to another thread and back: a page of an archive asks none but for its bytes.
  if (content.kind === "slice" && isValidated && content.length <= atOnceBytes)
    return fileSource({ descriptor, stats: undefined }, content, buffers);
  try {
    const stats = await statAsync(descriptor);
    if (!stats.isFile()) throw new NotFound("kernel/content-gone", "The requested content is not a file.");
    const { contentType } = content;
    const span = content.kind === "file" ? { offset: 0, length: stats.size, contentType } : content;
    if (span.offset + span.length > stats.size)
      throw new LongboxError(
        "unavailable",
        "kernel/content-changed",
        "The file was changed during the request; send it again.",
      );
    return fileSource({ descriptor, stats }, span, buffers);
  } catch (thrown) {
    close(descriptor, ignore);
    throw thrown;
  }
}

function bytesSource(bytes: Uint8Array, contentType: string): Source {
  return {
    contentType,
    length: bytes.length,
    atHand: true,
    lastModified: undefined,
    tag: undefined,
    part: async (range) => (range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
    sent() {},
    close() {},
  };
}

/** A part of a file that its owner has open. */
function readSource(
  { offset, length, contentType }: Extract<Content, { kind: "slice" }>,
  read: (target: Uint8Array, position: number) => Promise<void>,
  buffers: AnswerBuffers,
): Source {
  const lending = lend(buffers);
  return {
    contentType,
    length,
    atHand: false,
    lastModified: undefined,
    tag: undefined,
    async part(range) {
      const target = lending.take(range === undefined ? length : range.end - range.start + 1);
      await read(target, offset + (range?.start ?? 0));
      return target;
    },
    sent: lending.giveBack,
    close() {},
  };
}

function fileSource(
  { descriptor, stats }: { readonly descriptor: number; readonly stats: Stats | undefined },
  span: { readonly offset: number; readonly length: number; readonly contentType: string },
  buffers: AnswerBuffers,
): Source {
  const { contentType } = span;
  let handedOver = false;
  const lending = lend(buffers);
  return {
    contentType,
    length: span.length,
    atHand: false,
    lastModified: stats?.mtime,
    tag: stats && `${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}-${span.offset.toString(36)}`,
    async part(range) {
      const start = span.offset + (range?.start ?? 0);
      const length = range === undefined ? span.length : range.end - range.start + 1;
      if (length <= atOnceBytes) return readWhole(descriptor, start, lending.take(length));
      handedOver = true;
      return createReadStream("", {
        fd: descriptor,
        start,
        end: start + length - 1,
        highWaterMark: streamChunkBytes,
        autoClose: true,
      });
    },
    sent: lending.giveBack,
    close() {
      if (!handedOver) close(descriptor, ignore);
    },
  };
}

/** Fills the buffer. */
async function readWhole(descriptor: number, position: number, buffer: Buffer): Promise<Buffer> {
  const { length } = buffer;
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await readAsync(descriptor, buffer, filled, length - filled, position + filled);
    if (bytesRead === 0)
      throw new LongboxError(
        "unavailable",
        "kernel/content-changed",
        "The file was changed while it was read; send the request again.",
      );
    filled += bytesRead;
  }
  return buffer;
}

function streamSource(stream: Readable, contentType: string, length: number | undefined): Source {
  return {
    contentType,
    length,
    atHand: false,
    lastModified: undefined,
    tag: undefined,
    part: async (range) =>
      range === undefined ? stream : Readable.from(cut(stream, range.start, range.end), { objectMode: false }),
    sent() {},
    close: () => void stream.destroy(),
  };
}

/** A part of a stream that can only be read from its beginning. */
async function* cut(stream: Readable, start: number, end: number): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const from = Math.max(0, start - position);
    const to = Math.min(chunk.length, end + 1 - position);
    if (to > from) yield chunk.subarray(from, to);
    position += chunk.length;
    if (position > end) return;
  }
}

function gone(thrown: NodeJS.ErrnoException): never {
  if (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")
    throw new NotFound("kernel/content-gone", "The file no longer exists.");
  throw thrown;
}

function ignore(): void {}
