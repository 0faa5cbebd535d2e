import { readdirSync, statSync, type Dirent, type Stats } from "node:fs";
import { join } from "node:path";
import { promisesComic } from "../archives/kinds.js";
import { pageType } from "../archives/page-names.js";
import { sidecarName } from "../tags/sidecar.js";
import type { KnownFile } from "./messages.js";

export interface WalkResult {
  /** Every folder that was looked into. */
  readonly folders: readonly string[];
  /** Folders that could not be listed, for another reason than being gone: what they hold is not missing. */
  readonly unlisted: readonly string[];
  /** What has a comic's name and cannot be had: a link that leads nowhere, a name that is not UTF-8. */
  readonly unreadable: readonly string[];
}

const deepestFolder = 32;
const fewestPages = 2;

/**
 * Goes through everything below a folder (or looks at the one file). For worker threads.
 * @param meet - Is told of each file that may hold an issue, with what the disk says of it
 */
export function walk(start: string, meet: (file: KnownFile) => void): WalkResult {
  const unlisted: string[] = [];
  const unreadable: string[] = [];
  const listed: string[] = [];
  const folders: Array<{ path: string; depth: number }> = [];
  const first = statSync(start, { throwIfNoEntry: false });
  const meetFile = (path: string, names: ReadonlySet<string> | undefined) => {
    const file = knownFile(path, names);
    if (file) meet(file);
    else unreadable.push(path);
  };
  if (first?.isFile()) {
    meetFile(start, undefined);
    return { folders: [], unlisted, unreadable };
  }
  folders.push({ path: start, depth: 0 });
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const entries = list(folder.path, unlisted);
    if (entries === undefined) continue;
    listed.push(folder.path);
    const names = new Set(entries.map((entry) => entry.name));
    let comics = 0;
    let images = 0;
    let subfolders = 0;
    for (const entry of entries) {
      const kind = kindOf(entry, folder.path);
      if (kind === "folder" && folder.depth < deepestFolder) {
        subfolders++;
        folders.push({ path: join(folder.path, entry.name), depth: folder.depth + 1 });
      } else if (kind === "file" && promisesComic(entry.name)) {
        comics++;
        meetFile(join(folder.path, entry.name), names);
      } else if (kind === "file" && pageType(entry.name)) images++;
      else if (kind === "nothing" && promisesComic(entry.name)) unreadable.push(join(folder.path, entry.name));
    }
    if (comics === 0 && subfolders === 0 && images >= fewestPages && folder.depth > 0) meet(imageFolder(folder.path, entries));
  }
  return { folders: listed, unlisted, unreadable };
}

/** @returns undefined when the folder cannot be listed */
function list(folder: string, unlisted: string[]): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") unlisted.push(folder);
    return undefined;
  }
}

/** Links to files are followed; links to folders are not, since they may lead in circles. */
function kindOf(entry: Dirent, folder: string): "file" | "folder" | "nothing" | undefined {
  if (entry.name.startsWith(".") || entry.name === "__MACOSX" || entry.name === "@eaDir") return undefined;
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  if (!entry.isSymbolicLink()) return undefined;
  const target = statOf(join(folder, entry.name));
  if (target === undefined) return "nothing";
  return target.isFile() ? "file" : undefined;
}

/**
 * Undefined too when the disk will not say: a link that leads in a circle, a name that is too long, a permission. One such
 * file must not keep the others from being found; whether it is gone for certain is asked again before it is forgotten.
 */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** @param names - What stands beside the file, when it is known */
function knownFile(path: string, names: ReadonlySet<string> | undefined): KnownFile | undefined {
  const stat = statOf(path);
  if (!stat) return undefined;
  const sidecar = sidecarName(path);
  const hasTags = names === undefined || names.has(sidecar.slice(sidecar.lastIndexOf("/") + 1));
  const tags = hasTags ? statOf(sidecar) : undefined;
  return { path, sizeBytes: stat.size, modifiedMs: stat.mtimeMs, tagsMs: tags?.mtimeMs ?? 0 };
}

/** A folder of images is one issue; it changes whenever one of its images does. */
function imageFolder(path: string, entries: readonly Dirent[]): KnownFile {
  let sizeBytes = 0;
  let modifiedMs = statOf(path)?.mtimeMs ?? 0;
  for (const entry of entries) {
    const stat = pageType(entry.name) || /^comicinfo\.xml$/i.test(entry.name) ? statOf(join(path, entry.name)) : undefined;
    if (!stat) continue;
    sizeBytes += stat.size;
    modifiedMs = Math.max(modifiedMs, stat.mtimeMs);
  }
  return { path, sizeBytes, modifiedMs, tagsMs: 0 };
}
