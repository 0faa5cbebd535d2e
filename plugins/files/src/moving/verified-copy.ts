import { constants, createReadStream, type Stats } from "node:fs";
import { lstat, mkdir, open, readdir, type FileHandle } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Conflict, LongboxError } from "@longbox/sdk";
import { syncFolder } from "./syncing.js";

const chunkBytes = 1 << 20;

/** Neither a file nor a folder: a link, a pipe, a device. */
export class NotAFile extends LongboxError {
  constructor() {
    super("bad-input", "files/not-a-file", "Only regular files and folders of them can be taken; links are not.");
  }
}

/** Another program wrote to a file while it was being read. */
export class SourceChanged extends Conflict {
  constructor() {
    super("files/changed-meanwhile", "Another program changed the file meanwhile; nothing was changed here.");
  }
}

/**
 * Copies a file, or a folder with everything in it, and compares what arrived. Everything is on disk when it settles.
 * @param to - Must not exist; its folder must
 * @throws {NotAFile} @throws {SourceChanged} @throws {LongboxError} `files/copy-differs`
 */
export async function copyVerified(from: string, to: string): Promise<void> {
  const source = await lstat(from);
  if (source.isFile()) return copyFileVerified(from, to);
  if (!source.isDirectory()) throw new NotAFile();
  await mkdir(to);
  for (const name of await readdir(from)) await copyVerified(join(from, name), join(to, name));
  await syncFolder(to);
}

async function copyFileVerified(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await source.stat();
    if (!before.isFile()) throw new NotAFile();
    const copy = await open(to, "wx+", before.mode & 0o666);
    try {
      const [sent, arrived] = [await pour(source, copy), await hashOfHandle(copy)];
      if (sent !== arrived)
        throw new LongboxError(
          "internal",
          "files/copy-differs",
          "The copied file differs from the original; nothing was changed.",
        );
      if (!isUnchanged(before, await source.stat())) throw new SourceChanged();
      await copy.utimes(before.atime, before.mtime);
      await copy.sync();
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
}

/** @returns the hash of what was read and written */
async function pour(source: FileHandle, copy: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, chunkBytes, at);
    if (bytesRead === 0) return hash.digest("base64url");
    const part = buffer.subarray(0, bytesRead);
    hash.update(part);
    await copy.writeFile(part);
    at += bytesRead;
  }
}

async function hashOfHandle(file: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: chunkBytes });
  for await (const part of stream) hash.update(part as Buffer);
  return hash.digest("base64url");
}

/** A digest of a file's contents. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { highWaterMark: chunkBytes })) hash.update(part as Buffer);
  return hash.digest("base64url");
}

/** Whether all files of one place are in the other as well, with the same contents. */
export async function isContained(one: string, other: string): Promise<boolean> {
  // A path that cannot be read is not proven to be contained.
  const [first, second] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (!first || !second) return false;
  if (first.isFile() && second.isFile())
    return first.size === second.size && (await hashOf(one)) === (await hashOf(other));
  if (!first.isDirectory() || !second.isDirectory()) return false;
  for (const name of await readdir(one)) if (!(await isContained(join(one, name), join(other, name)))) return false;
  return true;
}

/** Whether a file still has the size and times of the one that was read. */
export function isUnchanged(
  before: Pick<Stats, "dev" | "ino" | "size" | "mtimeMs">,
  now: Pick<Stats, "dev" | "ino" | "size" | "mtimeMs">,
): boolean {
  return before.dev === now.dev && before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs;
}
