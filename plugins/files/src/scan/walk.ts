import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { isWithin } from "@longbox/sdk/light";
import { listFolder, type LoadedFormats } from "../inspecting/loaded-formats.js";
import { IgnoredPaths, type IgnoredPath } from "./ignored.js";
import type { KnownFile } from "./messages.js";

export interface WalkResult {
  /** Every folder that was looked into. */
  readonly folders: readonly string[];
  /** Folders that could not be listed, for another reason than being gone: what they hold is not missing. */
  readonly unlisted: readonly string[];
  /** What has the name of a format and cannot be had: a link that leads nowhere, a name that is not UTF-8. */
  readonly unreadable: readonly string[];
  /** The ignored files with the reasons. */
  readonly ignored: readonly IgnoredPath[];
}

/** A file that was met, and whether it is a folder that is one work. */
export interface FoundFile extends Omit<KnownFile, "format"> {
  readonly isFolder: boolean;
}

const deepestFolder = 32;
/** Of a folder that is one work, so many files are looked at. */
const mostParts = 10_000;

/** What a walk looks for, and where the library begins: its root is never one work itself. */
export interface WalkRules {
  readonly formats: LoadedFormats;
  readonly rootFolder: string;
}

/**
 * Goes through everything below a folder (or looks at the one file), by name. For worker threads.
 * @param meet - Is told of each file that may be a work, with what the disk says of it
 */
export function walk(start: string, { formats, rootFolder }: WalkRules, meet: (file: FoundFile) => void): WalkResult {
  const left: Left = { unlisted: [], unreadable: [], ignored: new IgnoredPaths() };
  const listed: string[] = [];
  const folders: Array<{ path: string; depth: number }> = [];
  const meetFile = (path: string, names: ReadonlySet<string> | undefined) => {
    const file = foundFile(path, formats, names);
    if (file) meet(file);
    else leave(left, path, "the system cannot say what it is");
  };
  if (statSync(start, { throwIfNoEntry: false })?.isFile()) meetFile(start, undefined);
  else folders.push({ path: start, depth: 0 });
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const entries = list(folder.path, left);
    if (entries === undefined) continue;
    listed.push(folder.path);
    if (folder.path !== rootFolder && formats.findFolderFormat(listFolder(folder.path, entries))) {
      meet(foundFolder(folder.path));
      continue;
    }
    left.ignored.addUnread(folder.path, entries, formats);
    const names = new Set(entries.map((entry) => entry.name));
    const below = folder.path.endsWith(sep) ? folder.path : folder.path + sep;
    const inner: typeof folders = [];
    for (const entry of entries) {
      const path = below + entry.name;
      const kind = kindOf(entry, folder.path, rootFolder);
      if (kind === "folder" && folder.depth >= deepestFolder) left.ignored.add(path, tooDeep);
      else if (kind === "folder") inner.push({ path, depth: folder.depth + 1 });
      else if (kind === "file" && formats.promise(entry.name)) meetFile(path, names);
      else if (kind === "nothing" && formats.promise(entry.name)) leave(left, path, leadsAway);
    }
    // One by one: a folder may hold more folders than a call takes parameters.
    for (const one of inner.reverse()) folders.push(one);
  }
  return { folders: listed, ...left, ignored: left.ignored.all() };
}

/** What a walk did not get. */
interface Left {
  readonly unlisted: string[];
  readonly unreadable: string[];
  readonly ignored: IgnoredPaths;
}

const tooDeep = `it is more than ${deepestFolder} folders deep`;
const leadsAway = "it is a link that leads nowhere, or out of the library";

function leave({ unreadable, ignored }: Left, path: string, reason: string): void {
  unreadable.push(path);
  ignored.add(path, reason);
}

/**
 * By name: what is stored in this order is stored side by side, which takes half the writing.
 * @returns undefined when the folder cannot be listed
 */
function list(folder: string, left: Left | undefined): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT" || left === undefined) return undefined;
    left.unlisted.push(folder);
    left.ignored.add(folder, "the folder cannot be opened");
    return undefined;
  }
}

/**
 * Links to files are followed as long as they stay in the library; links to folders are not, since they may lead in
 * circles.
 */
function kindOf(entry: Dirent, folder: string, rootFolder: string): "file" | "folder" | "nothing" | undefined {
  if (entry.name.startsWith(".") || entry.name === "__MACOSX" || entry.name === "@eaDir") return undefined;
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return undefined;
  const target = statOf(join(folder, entry.name));
  if (target === undefined || !leadsInside(join(folder, entry.name), rootFolder)) return "nothing";
  return target.isFile() ? "file" : undefined;
}

/** Whether what a link leads to lies in the library, whose root may be a link itself. */
function leadsInside(path: string, rootFolder: string): boolean {
  try {
    return isWithin(realpathSync(rootFolder), realpathSync(path));
  } catch {
    return false;
  }
}

/**
 * Undefined too when the disk will not say: a link that leads in a circle, a name that is too long, a permission. One
 * such file must not keep the others from being found; whether it is gone for certain is asked again before it is
 * forgotten.
 */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What the disk says of a file, or of a folder that is one work. */
export function findFileOrFolder(path: string, formats: Pick<LoadedFormats, "companionsOf">): FoundFile | undefined {
  return statOf(path)?.isDirectory() ? foundFolder(path) : foundFile(path, formats, undefined);
}

/** @param names - The names in the same folder, when they are known */
function foundFile(
  path: string,
  formats: Pick<LoadedFormats, "companionsOf">,
  names: ReadonlySet<string> | undefined,
): FoundFile | undefined {
  const stat = statOf(path);
  if (!stat) return undefined;
  let tagsMs = 0;
  const folder = path.slice(0, path.lastIndexOf(sep) + 1);
  for (const companion of formats.companionsOf(path.slice(folder.length))) {
    if (names !== undefined && !names.has(companion)) continue;
    tagsMs = Math.max(tagsMs, statOf(folder + companion)?.mtimeMs ?? 0);
  }
  return { path, sizeBytes: stat.size, modifiedMs: stat.mtimeMs, tagsMs, isFolder: false };
}

/** A folder that is one work changes whenever one of its files does. */
function foundFolder(path: string): FoundFile {
  let sizeBytes = 0;
  let modifiedMs = statOf(path)?.mtimeMs ?? 0;
  const folders = [path];
  for (let folder = folders.pop(); folder; folder = folders.pop())
    for (const entry of list(folder, undefined)?.slice(0, mostParts) ?? []) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      const stat = entry.isFile() ? statOf(join(folder, entry.name)) : undefined;
      if (!stat) continue;
      sizeBytes += stat.size;
      modifiedMs = Math.max(modifiedMs, stat.mtimeMs);
    }
  return { path, sizeBytes, modifiedMs, tagsMs: 0, isFolder: true };
}
