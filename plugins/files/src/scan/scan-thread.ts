import { readdirSync, statSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import type { FileInspector } from "../inspecting/file-inspector.js";
import type { LoadedFormats } from "../inspecting/loaded-formats.js";
import { Identifier } from "./identify.js";
import {
  folderNotThere,
  Packing,
  type FromWorker,
  type KnownFile,
  type ScannedFile,
  type ScanOutcome,
  type ScanRoot,
} from "./messages.js";
import { Places } from "./places.js";
import { walk, type FoundFile, type WalkResult } from "./walk.js";

/** What the thread needs from the side that stores. */
export interface ScanConversation {
  send(message: FromWorker): void;
  /** Settles once fewer than the allowed number of batches wait to be stored. */
  untilRoom(): Promise<void>;
  cancelled(): boolean;
}

/** A scan, as the thread is asked for it. */
export interface ThreadScan {
  readonly root: ScanRoot;
  readonly known: Map<string, KnownFile>;
  readonly formats: LoadedFormats;
  readonly inspector: FileInspector;
  /** Files that are not read again, though everything is to be. */
  readonly read: ReadonlySet<string>;
}

/** Small enough that storing a batch does not block others, large enough to limit the number of flushes to disk. */
const batchFiles = 500;
/** In characters. The thread that serves requests parses a batch at once: long readings go out in smaller ones. */
const longestBatch = 1_000_000;
/** A batch goes out before it is full when reading is slow, so that a person sees progress. */
const batchMs = 400;

/**
 * Scans one root against what is known of it. What turns out to be unchanged is taken out of `known`, so that a large
 * library is not held twice.
 */
export async function scanRoot(
  { root, known, formats, inspector, read }: ThreadScan,
  talk: ScanConversation,
): Promise<ScanOutcome> {
  const left = leaveOtherFormats(known, formats);
  const identity = rootIdentity(root.rootFolder);
  if (identity === undefined) return folderNotThere;
  const changed: FoundFile[] = [];
  const none = `none: ${formats.key}`;
  let total = 0;
  const found = new Places(root.scope).outermost.map((place) =>
    walk(place, { formats, rootFolder: root.rootFolder }, (file) => {
      total++;
      if (left.has(file.path)) return;
      if ((root.everything && !read.has(file.path)) || differs(file, known.get(file.path), none)) changed.push(file);
      else known.delete(file.path);
    }),
  );
  if (total === 0 && known.size > 0 && !root.acceptsEmpty && (isWhole(root) || isEmpty(root.rootFolder)))
    return { ended: "refused", reason: "The library's folder is suddenly empty. Nothing was changed." };
  talk.send({
    kind: "found",
    total,
    unchanged: total - changed.length,
    folders: found.flatMap((part) => part.folders),
  });
  await readFiles({ root, known, formats, inspector, read }, changed, talk);
  if (talk.cancelled()) return { ended: "cancelled" };
  if (rootIdentity(root.rootFolder) !== identity)
    return { ended: "refused", reason: "The library's folder went away during the scan. Nothing was removed." };
  return endOf({ root, known }, changed, found);
}

/** How a scan ended that has looked at everything. */
function endOf(
  { root, known }: Pick<ThreadScan, "root" | "known">,
  changed: readonly FoundFile[],
  found: readonly WalkResult[],
): ScanOutcome {
  const unlisted = found.flatMap((part) => part.unlisted);
  // A library that lost every file at once has most likely lost its disk.
  const missing = missingFiles(known, new Set(changed.map((file) => file.path)), unlisted);
  if (missing.length > 0 && !root.acceptsEmpty && isEmpty(root.rootFolder))
    return { ended: "refused", reason: "The library's folder is suddenly empty. Nothing was removed." };
  return {
    ended: "complete",
    missing,
    unreadable: [...unlisted, ...found.flatMap((part) => part.unreadable)],
    ignored: found.flatMap((part) => part.ignored),
  };
}

/** What is known, was not met again, and is gone for certain. */
function missingFiles(
  known: ReadonlyMap<string, KnownFile>,
  seen: ReadonlySet<string>,
  unlisted: readonly string[],
): string[] {
  const missing: string[] = [];
  for (const path of known.keys()) {
    if (!seen.has(path) && !unlisted.some((folder) => path.startsWith(`${folder}/`)) && isGone(path))
      missing.push(path);
  }
  return missing;
}

async function readFiles(
  { root, known: before, formats, inspector }: ThreadScan,
  files: readonly FoundFile[],
  talk: ScanConversation,
): Promise<void> {
  const identifier = new Identifier(root, formats);
  const none = `none: ${formats.key}`;
  const batch = new Packing<ScannedFile>();
  let begunAt = performance.now();
  for (const found of files) {
    if (talk.cancelled()) return;
    const { path, sizeBytes, modifiedMs, tagsMs, isFolder } = found;
    const inspected = await inspector.inspect({ path, sizeBytes, isFolder, hasCompanions: tagsMs > 0 });
    const { file, doubts } = identifier.identify(found, inspected.inspection);
    batch.add({
      file: { ...file, format: inspected.format },
      doubts,
      state: { modifiedMs, tagsMs, format: inspected.format ?? none },
      isKnown: before.has(path),
      fingerprint: inspected.fingerprint,
      partialMd5: inspected.partialMd5,
      details: inspected.inspection.details as string | undefined,
    });
    if (batch.count < batchFiles && batch.length < longestBatch && performance.now() - begunAt < batchMs) continue;
    talk.send({ kind: "batch", parts: batch.take() });
    await breathe();
    await talk.untilRoom();
    begunAt = performance.now();
  }
  if (batch.count > 0 && !talk.cancelled()) talk.send({ kind: "batch", parts: batch.take() });
}

/**
 * Files of a format that is gone, or whose inspector is broken, are left as they are until it is back.
 * @returns their paths
 */
function leaveOtherFormats(known: Map<string, KnownFile>, formats: LoadedFormats): Set<string> {
  const left = new Set<string>();
  for (const { path, format } of known.values()) {
    if (format.startsWith("none:") || formats.has(format)) continue;
    known.delete(path);
    left.add(path);
  }
  return left;
}

/** @param none - the format of a file that the present formats could not read: others may */
function differs(file: FoundFile, known: KnownFile | undefined, none: string): boolean {
  return (
    known === undefined ||
    known.sizeBytes !== file.sizeBytes ||
    known.modifiedMs !== file.modifiedMs ||
    known.tagsMs !== file.tagsMs ||
    (known.format.startsWith("none:") && known.format !== none)
  );
}

function isWhole(root: ScanRoot): boolean {
  return root.scope.length === 1 && root.scope[0] === root.rootFolder;
}

function rootIdentity(folder: string): string | undefined {
  try {
    const stat = statSync(folder);
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).every((name) => name.startsWith(".") || name === "lost+found");
  } catch {
    return true;
  }
}

/** Only a plain "there is no such file" counts; an error of the disk does not. */
function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ENOTDIR";
  }
}
