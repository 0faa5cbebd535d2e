import { readdirSync, readFileSync, statSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { issueTags, type IssueTags } from "../tags/issue-tags.js";
import { readComicInfo } from "../tags/comic-info.js";
import { mergeTags, readMetronInfo } from "../tags/metron-info.js";
import { sidecarName } from "../tags/sidecar.js";
import { FileWindow } from "./file-window.js";
import { Identifier } from "./identify.js";
import { lookInto, type Look, type OtherFormats } from "./look-into.js";
import type { FromWorker, KnownFile, ScannedFile, ScanOutcome, ScanRoot } from "./messages.js";
import { Places } from "./places.js";
import { walk } from "./walk.js";

/** What the thread needs from the side that stores. */
export interface ScanConversation {
  send(message: FromWorker): void;
  /** Settles once fewer than the allowed number of batches wait to be stored. */
  untilRoom(): Promise<void>;
  cancelled(): boolean;
}

/** Small enough that storing one keeps nobody waiting, large enough that the disk is not asked to be sure too often. */
const batchFiles = 120;
/** A batch goes out before it is full when reading is slow, so that a person sees progress. */
const batchMs = 400;

/** Scans one root against what is known of it. What turns out to be unchanged is taken out of `known`, so that a large library is not held twice. */
export async function scanRoot(root: ScanRoot, known: Map<string, KnownFile>, others: OtherFormats, talk: ScanConversation): Promise<ScanOutcome> {
  const identity = rootIdentity(root.rootFolder);
  if (identity === undefined) return { ended: "refused", reason: "The library's folder is not there. Nothing was changed." };
  const changed: KnownFile[] = [];
  let total = 0;
  const found = new Places(root.scope).outermost.map((place) =>
    walk(place, (file) => {
      total++;
      if (root.everything || differs(file, known.get(file.path))) changed.push(file);
      else known.delete(file.path);
    }),
  );
  if (total === 0 && known.size > 0 && !root.acceptsEmpty && (isWhole(root) || isEmpty(root.rootFolder))) return { ended: "refused", reason: "The library's folder is suddenly empty. Nothing was changed." };
  talk.send({ kind: "found", total, unchanged: total - changed.length, folders: found.flatMap((part) => part.folders) });
  await readFiles(root, changed, known, others, talk);
  if (talk.cancelled()) return { ended: "cancelled" };
  if (rootIdentity(root.rootFolder) !== identity) return { ended: "refused", reason: "The library's folder went away during the scan. Nothing was removed." };
  const unlisted = found.flatMap((part) => part.unlisted);
  // A library that lost every file at once has most likely lost its disk.
  const missing = missingFiles(known, new Set(changed.map((file) => file.path)), unlisted);
  if (missing.length > 0 && !root.acceptsEmpty && isEmpty(root.rootFolder)) return { ended: "refused", reason: "The library's folder is suddenly empty. Nothing was removed." };
  return { ended: "complete", missing, unreadable: [...unlisted, ...found.flatMap((part) => part.unreadable)] };
}

/** What is known, was not met again, and is gone for certain. */
function missingFiles(known: ReadonlyMap<string, KnownFile>, seen: ReadonlySet<string>, unlisted: readonly string[]): string[] {
  const missing: string[] = [];
  for (const path of known.keys()) {
    if (!seen.has(path) && !unlisted.some((folder) => path.startsWith(`${folder}/`)) && isGone(path)) missing.push(path);
  }
  return missing;
}

async function readFiles(root: ScanRoot, files: readonly KnownFile[], before: ReadonlyMap<string, KnownFile>, others: OtherFormats, talk: ScanConversation): Promise<void> {
  const identifier = new Identifier(root);
  const window = new FileWindow();
  let batch: ScannedFile[] = [];
  let begunAt = performance.now();
  for (const known of files) {
    if (talk.cancelled()) return;
    const look = await lookInto(known.path, known.sizeBytes, others, window);
    batch.push({ file: identifier.identify(known, look, tagsOf(known, look)), known, isKnown: before.has(known.path), fingerprint: look.fingerprint, kind: look.kind });
    if (batch.length < batchFiles && performance.now() - begunAt < batchMs) continue;
    talk.send({ kind: "batch", files: batch });
    batch = [];
    await breathe();
    await talk.untilRoom();
    begunAt = performance.now();
  }
  if (batch.length > 0 && !talk.cancelled()) talk.send({ kind: "batch", files: batch });
}

/** Tags beside the file are a person's later word, so they come before those inside. */
function tagsOf(known: KnownFile, look: Look): IssueTags | undefined {
  const beside = known.tagsMs > 0 ? parseTags(readIfThere(sidecarName(known.path))) : undefined;
  return beside ?? mergeTags(parseTags(look.tags), look.metron && readMetronInfo(look.metron));
}

function parseTags(bytes: Buffer | undefined): IssueTags | undefined {
  const info = bytes && readComicInfo(bytes);
  return info && issueTags(info);
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function differs(file: KnownFile, known: KnownFile | undefined): boolean {
  return known === undefined || known.sizeBytes !== file.sizeBytes || known.modifiedMs !== file.modifiedMs || known.tagsMs !== file.tagsMs;
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
