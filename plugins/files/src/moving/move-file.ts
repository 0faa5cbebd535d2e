import { link, lstat, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { areSameLink, moveLink } from "./links.js";
import { PlaceTaken } from "./place-taken.js";
import { syncFolder } from "./syncing.js";
import { copyVerified, isContained } from "./verified-copy.js";

/**
 * Moves a file or a folder without ever overwriting anything, also when somebody else writes at the same moment: the
 * new name is made by a call that fails when the name is taken.
 * @throws {PlaceTaken}
 */
export async function moveWithoutOverwriting(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const source = await lstat(from);
  if (source.isDirectory()) return moveFolder(from, to);
  if (source.isSymbolicLink()) return moveLink(from, to);
  try {
    await link(from, to);
    await unlink(from);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST") return renameOwnName(from, to);
    // Not every file system knows links, and none links to another one.
    if (code === "EXDEV") return moveAcross(from, to);
    if (code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "EMLINK")
      return moveOverOwnPlaceholder(from, to);
    throw thrown;
  }
}

/** Ends a move that was cut off between its two steps. @returns whether the file is at its new place now */
export async function finishMove(from: string, to: string): Promise<boolean> {
  const [source, target] = await Promise.all([lstatIfThere(from), lstatIfThere(to)]);
  await rm(temporaryFor(to), { recursive: true, force: true });
  if (!target) return false;
  if (!source) return true;
  if (source.isFile() && source.dev === target.dev && source.ino === target.ino && from !== to) {
    if (!(await isSameName(from, to))) await unlink(from);
    return true;
  }
  if (source.isSymbolicLink() && from !== to && (await areSameLink(from, to))) {
    await unlink(from);
    return true;
  }
  // Copied to another disk whole, and not yet, or not wholly, removed here.
  if (source.dev !== target.dev && (target.size > 0 || source.size === 0) && (await isContained(from, to))) {
    await rm(from, { recursive: true });
    return true;
  }
  // An empty placeholder of ours, or an empty folder, that the file never came to stand over.
  if (target.isFile() && target.size === 0 && source.size > 0) await unlink(to);
  if (target.isDirectory() && source.isDirectory()) await rmdir(to).catch(() => undefined);
  return false;
}

/** Removes folders that have become empty, upwards, but not `root` itself. */
export async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let here = folder; here !== root && here.startsWith(`${root}/`); here = dirname(here)) {
    try {
      await rmdir(here);
    } catch {
      return;
    }
  }
}

/** On file systems that ignore case the new name may be the old one. */
async function renameOwnName(from: string, to: string): Promise<void> {
  if (from !== to && (await isSameName(from, to))) return rename(from, to);
  throw new PlaceTaken(to);
}

/** Whether both names are one entry of one folder, as where case does not count. Two links to one file are two entries. */
async function isSameName(one: string, other: string): Promise<boolean> {
  if (one.toLowerCase() !== other.toLowerCase() || dirname(one) !== dirname(other)) return false;
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  if (first.ino !== second.ino || first.dev !== second.dev) return false;
  const names = await readdir(dirname(one));
  return names.filter((name) => join(dirname(one), name) === one || join(dirname(one), name) === other).length === 1;
}

async function moveFolder(from: string, to: string): Promise<void> {
  await mkdir(to).catch(placeTakenAt(to));
  try {
    // Takes the place of an empty folder, and of nothing else.
    await rename(from, to);
  } catch (thrown) {
    await rmdir(to).catch(() => undefined);
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY") throw new PlaceTaken(to);
    if (code === "EXDEV") return moveAcross(from, to);
    throw thrown;
  }
}

async function moveOverOwnPlaceholder(from: string, to: string): Promise<void> {
  await reserve(to);
  await rename(from, to);
}

/** To another disk: copied beside the goal, compared, put on disk, renamed, and only then removed here. */
async function moveAcross(from: string, to: string): Promise<void> {
  const copy = temporaryFor(to);
  const isFolder = (await lstat(from)).isDirectory();
  try {
    await rm(copy, { recursive: true, force: true });
    await copyVerified(from, copy);
    await (isFolder ? mkdir(to).catch(placeTakenAt(to)) : reserve(to));
    await rename(copy, to);
    await syncFolder(dirname(to));
  } catch (thrown) {
    await rm(copy, { recursive: true, force: true });
    throw thrown;
  }
  await rm(from, { recursive: isFolder });
}

/** Beside the goal of a move, so that whoever finds the move in the journal after a crash finds it as well. */
function temporaryFor(to: string): string {
  return join(dirname(to), `.longbox-${hash("sha256", to, "hex").slice(0, 24)}.tmp`);
}

function placeTakenAt(to: string): (thrown: NodeJS.ErrnoException) => never {
  return (thrown) => {
    throw thrown.code === "EEXIST" ? new PlaceTaken(to) : thrown;
  };
}

async function reserve(to: string): Promise<void> {
  try {
    await (await open(to, "wx")).close();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") throw new PlaceTaken(to);
    throw thrown;
  }
}

async function lstatIfThere(path: string) {
  return lstat(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT" || thrown.code === "ENOTDIR") return undefined;
    throw thrown;
  });
}
