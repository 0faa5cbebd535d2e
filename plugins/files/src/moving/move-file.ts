import { constants, type Stats } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { areSameLink, copyLink } from "./links.js";
import { PlaceTaken } from "./place-taken.js";
import { syncFolder } from "./syncing.js";
import type { TouchedFolders } from "./touched-folders.js";
import { copyVerified, isContained } from "./verified-copy.js";

/** Every system writes changes to the disk within half a minute, so older changes are on disk. */
const writtenBackMs = 10 * 60_000;

/**
 * Moves a file or a folder without ever overwriting anything, also when another program writes at the same moment: the
 * new name is made by a call that fails when the name is taken.
 * @param goals - Notes the folders that must be on disk before the old name goes
 * @returns what takes the old name away, and fails when it cannot; undefined when one call has moved it
 * @throws {PlaceTaken}
 */
export async function beginMove(
  from: string,
  to: string,
  goals: TouchedFolders,
): Promise<(() => Promise<void>) | undefined> {
  await goals.make(dirname(to));
  goals.add(dirname(to));
  const source = await lstat(from);
  if (source.isDirectory()) return moveFolder(from, to, goals);
  if (source.isSymbolicLink()) {
    await copyLink(from, to);
    return () => unlink(from);
  }
  if (Date.now() - source.ctimeMs < writtenBackMs) await syncFile(from);
  try {
    await link(from, to);
    return () => unlink(from);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "EEXIST") return renameOwnName(from, to);
    // Not every file system knows links, and none links to another one.
    if (code === "EXDEV") return moveAcross(from, to, goals);
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
  if (await isSameFile({ from, source }, { to, target })) {
    if (source.isFile() && (await isSameName(from, to))) return true;
    await syncWay(from, to);
    await rm(from, { recursive: source.isDirectory() });
    await syncFolder(dirname(from));
    return true;
  }
  // An empty placeholder of ours, or an empty folder, that the file has not replaced.
  if (target.isFile() && target.size === 0 && source.size > 0) await unlink(to);
  // A folder that is not empty was not made here, and stays.
  if (target.isDirectory() && source.isDirectory()) await rmdir(to).catch(() => undefined);
  return false;
}

/** Whether both names are of one file, or the second of a whole copy of it on another disk. */
async function isSameFile(
  { from, source }: { readonly from: string; readonly source: Stats },
  { to, target }: { readonly to: string; readonly target: Stats },
): Promise<boolean> {
  if (from === to) return false;
  if (source.isFile() && source.dev === target.dev && source.ino === target.ino) return true;
  if (source.isSymbolicLink() && (await areSameLink(from, to))) return true;
  return source.dev !== target.dev && (target.size > 0 || source.size === 0) && (await isContained(from, to));
}

/** Before an old name goes: the new one, and the folders that were made for it, are on disk. */
async function syncWay(from: string, to: string): Promise<void> {
  let here = dirname(to);
  for (; !from.startsWith(`${here === "/" ? "" : here}/`); here = dirname(here)) await syncFolder(here);
  await syncFolder(here);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
async function renameOwnName(from: string, to: string): Promise<undefined> {
  if (from === to || !(await isSameName(from, to))) throw new PlaceTaken(to);
  await rename(from, to);
}

/**
 * Whether both names are the same entry of a folder, on file systems that ignore case. Two links to one file are two
 * entries.
 */
async function isSameName(one: string, other: string): Promise<boolean> {
  if (one.toLowerCase() !== other.toLowerCase() || dirname(one) !== dirname(other)) return false;
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  if (first.ino !== second.ino || first.dev !== second.dev) return false;
  const names = await readdir(dirname(one));
  return names.filter((name) => join(dirname(one), name) === one || join(dirname(one), name) === other).length === 1;
}

async function moveFolder(from: string, to: string, goals: TouchedFolders): ReturnType<typeof beginMove> {
  await mkdir(to).catch(placeTakenAt(to));
  try {
    // Takes the place of an empty folder, and of nothing else.
    await rename(from, to);
    return undefined;
  } catch (thrown) {
    // The failure that counts is the one that is thrown below.
    await rmdir(to).catch(() => undefined);
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY") throw new PlaceTaken(to);
    if (code === "EXDEV") return moveAcross(from, to, goals);
    throw thrown;
  }
}

async function moveOverOwnPlaceholder(from: string, to: string): Promise<undefined> {
  await reserve(to);
  await rename(from, to);
}

/** To another disk: copied beside the goal, compared, put on disk, renamed, and only then removed here. */
async function moveAcross(from: string, to: string, goals: TouchedFolders): Promise<undefined> {
  const copy = temporaryFor(to);
  const isFolder = (await lstat(from)).isDirectory();
  try {
    await rm(copy, { recursive: true, force: true });
    await copyVerified(from, copy);
    await (isFolder ? mkdir(to).catch(placeTakenAt(to)) : reserve(to));
    await rename(copy, to);
    await goals.sync();
  } catch (thrown) {
    await rm(copy, { recursive: true, force: true });
    throw thrown;
  }
  await rm(from, { recursive: isFolder });
}

/** Beside the target of a move, so that the recovery after a crash, which reads the move from the journal, finds it. */
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
