import { randomUUID } from "node:crypto";
import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unlessMissing } from "@longbox/sdk";

/**
 * Replaces a file so that, whenever the machine stops, either the old or the new text is there, whole. Only the owner
 * may read it. With `backup`, the former text stays beside it under that name.
 */
export async function writeDurably(path: string, content: string | Uint8Array, backup?: string): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${randomUUID()}.new`);
  try {
    const parts = [writeAndSync(temporary, content), ...(backup === undefined ? [] : [keepFormer(path, backup)])];
    for (const part of await Promise.allSettled(parts)) if (part.status === "rejected") throw part.reason;
    await rename(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw fault;
  }
  await syncPath(folder);
}

/** Removes what a process that was killed left of replacing a file: half-written texts, which may hold secrets. */
export async function sweepUnfinished(path: string, backup: string): Promise<void> {
  const [folder, begins] = [dirname(path), [`.${basename(path)}.`, `${basename(backup)}.`]];
  const startedAt = Date.now() - process.uptime() * 1000;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".new") || !begins.some((begin) => name.startsWith(begin))) continue;
    const left = join(folder, name);
    const found = await unlessMissing(stat(left));
    // One that is younger may be another opening's, which is at it now.
    if (found !== undefined && found.mtimeMs < startedAt) await rm(left, { force: true });
  }
}

async function writeAndSync(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * By a second name of the same file, which is on disk already; by a copy where the disk has one name for each file. The
 * file is never written again: another one takes its place.
 */
async function keepFormer(path: string, backup: string): Promise<void> {
  const temporary = `${backup}.${randomUUID()}.new`;
  try {
    await nameAlso(path, temporary).catch(() => copyOf(path, temporary));
    await rename(temporary, backup);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
  } finally {
    // After a kill in between, the backup may be the same file: the rename then does nothing.
    await unlessMissing(unlink(temporary));
  }
}

async function nameAlso(path: string, other: string): Promise<void> {
  await link(path, other);
  await chmod(other, 0o600);
}

async function copyOf(path: string, other: string): Promise<void> {
  // The name may be there, of a file that is another user's, whose mode cannot be set.
  await rm(other, { force: true });
  await copyFile(path, other);
  await chmod(other, 0o600);
}

/** Puts a file's bytes, or a folder's names and renames, on disk: without it they may be lost with the power. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder, with those above it, that is still there after the power went. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await syncPath(dirname(folder));
}

/** Puts everything in a folder on disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() || entry.isDirectory()) await syncPath(join(entry.parentPath, entry.name));
  }
  await syncPath(folder);
}
