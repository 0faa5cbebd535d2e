import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { LongboxError } from "../errors.js";

/** The input exceeds the limit in bytes. */
export class TooManyBytes extends LongboxError {
  constructor(maxBytes: number) {
    super("too-large", "kernel/too-many-bytes", `There are more than ${maxBytes} bytes.`, { maxBytes });
  }
}

/**
 * Reads a stream to its end, or fails as soon as the limit is exceeded.
 * @throws {TooManyBytes}
 */
export async function readBounded(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new TooManyBytes(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/**
 * Opens a regular file for reading. Pipes, devices and folders are refused without reading from them, so a pipe without
 * a writer does not block.
 * @throws {LongboxError} `kernel/not-a-file`; errors of the file system are passed on
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (fault) {
    await handle.close();
    throw fault;
  }
  await handle.close();
  throw new LongboxError("unsupported-type", "kernel/not-a-file", "This is not a regular file.");
}

/**
 * Reads a whole regular file. A file that grows while it is read is read up to the limit only.
 * @throws {TooManyBytes}
 * @throws {LongboxError} `kernel/not-a-file`; errors of the file system are passed on
 */
export async function readFileBounded(path: string, maxBytes: number): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    if ((await handle.stat()).size > maxBytes) throw new TooManyBytes(maxBytes);
    return await readBounded(handle.createReadStream({ autoClose: false, end: maxBytes }), maxBytes);
  } finally {
    await handle.close();
  }
}
