import { stat } from "node:fs/promises";
import { setImmediate as breathe } from "node:timers/promises";
import type { Logger, Releasable } from "@longbox/sdk";
import { describeFormats, type Formats } from "../formats/formats.js";
import type { BrokenFormat } from "../inspecting/loaded-formats.js";
import type { InspectingThreads } from "../inspecting/inspecting-threads.js";
import { DiedOfFile, type WatchedThread } from "../inspecting/watched-thread.js";
import {
  folderNotThere,
  packList,
  unpackList,
  type FromWorker,
  type RefusedFile,
  type ScanOutcome,
  type ScannedFile,
  type ScanRoot,
} from "./messages.js";
import type { ScanControl } from "./scan-control.js";
import type { ScanIndex } from "./scan-index.js";
import type { BatchStoring } from "./storing-batch.js";

export interface ScanRunParts {
  readonly formats: Formats;
  readonly index: ScanIndex;
  readonly storing: BatchStoring;
  readonly threads: InspectingThreads;
  /** Hears which folders a scan of these places found. */
  readonly foundFolders: (scope: readonly string[], folders: readonly string[]) => void;
  readonly log: Logger;
}

/** What a scan did, in files. */
export interface ScanTally {
  placed: number;
  moved: number;
}

export interface ScanRunOrder {
  readonly root: ScanRoot;
  readonly rootFolders: readonly string[];
  /** Counts up while the scan runs. */
  readonly tally: ScanTally;
  readonly control: Pick<ScanControl, "progress">;
}

/** What is known between the threads of one scan. */
interface RunState extends ScanRunOrder {
  /** Files that were looked at, and all that were found. */
  readonly progress: { done: number; total: number };
  /** Files of which a thread has died. */
  readonly refused: RefusedFile[];
  /** Read in this scan, kept where every file is to be read again. */
  readonly read: string[];
}

/**
 * One scan of one root: runs the thread and stores what it sends, in order. A thread that dies of a file is replaced,
 * and the file is recorded as unreadable.
 */
export class ScanRun implements Releasable {
  #thread: WatchedThread | undefined;
  #cancelled = false;

  constructor(private readonly parts: ScanRunParts) {}

  cancel(): void {
    this.#cancelled = true;
    this.#thread?.post({ kind: "cancel" });
  }

  async release(): Promise<void> {
    await this.#thread?.release();
  }

  async perform(order: ScanRunOrder): Promise<ScanOutcome> {
    // Of a disk that is not mounted, each start asks: a thread, which takes 15 MB, is not needed to say so.
    if (!(await isFolder(order.root.rootFolder))) return folderNotThere;
    const state: RunState = { ...order, progress: { done: 0, total: 0 }, refused: [], read: [] };
    for (;;) {
      try {
        return await this.#runThread(state);
      } catch (thrown) {
        if (!(thrown instanceof DiedOfFile) || state.refused.some(({ path }) => path === thrown.path)) throw thrown;
        this.parts.log.warn("A file stopped the scanning thread; it is recorded as unreadable, and the scan goes on", {
          path: thrown.path,
          reason: thrown.reason,
        });
        state.refused.push({ path: thrown.path, error: thrown.reason });
      }
    }
  }

  #runThread(state: RunState): Promise<ScanOutcome> {
    return this.parts.threads.run((thread) => this.#scanIn(thread, state));
  }

  async #scanIn(thread: WatchedThread, state: RunState): Promise<ScanOutcome> {
    const { root } = state;
    this.#thread = thread;
    const finished = this.#converse(thread, state);
    try {
      for await (const files of this.parts.index.known(root.libraryId, root.scope))
        thread.post({ kind: "known", files: packList(files) });
      thread.post({
        kind: "scan",
        root,
        formats: describeFormats(this.parts.formats.ofType(root.type)),
        shared: thread.shared,
        longestMs: thread.limits.longestMs,
        refused: state.refused,
        read: state.read,
      });
      if (this.#cancelled) thread.post({ kind: "cancel" });
      return await Promise.race([finished.outcome, thread.died]);
    } catch (thrown) {
      await thread.release();
      throw thrown;
    } finally {
      this.#thread = undefined;
      // What had arrived is stored before another thread asks what is known. A failure to store has rejected the
      // outcome.
      await Promise.allSettled([finished.stored()]);
    }
  }

  #converse(thread: WatchedThread, state: RunState): { outcome: Promise<ScanOutcome>; stored: () => Promise<void> } {
    const { promise: outcome, resolve, reject } = Promise.withResolvers<ScanOutcome>();
    // A thread that dies wins the race; the outcome, which rejects later, is then no longer awaited.
    outcome.catch(() => undefined);
    let stored: Promise<void> = Promise.resolve();
    thread.onMessage((message) => {
      if (message.kind === "found") {
        advance(state, { total: message.total, done: message.unchanged });
        this.parts.foundFolders(state.root.scope, message.folders);
      } else if (message.kind === "broken") this.#tellBroken(message.formats);
      else if (message.kind === "done") stored.then(() => resolve(message.outcome), reject);
      else if (message.kind === "batch") stored = stored.then(() => this.#store(message, state, thread));
      stored.catch(reject);
    });
    return { outcome, stored: () => stored };
  }

  async #store(message: Extract<FromWorker, { kind: "batch" }>, state: RunState, thread: WatchedThread): Promise<void> {
    const files: ScannedFile[] = [];
    for (const part of message.parts) {
      files.push(...unpackList(part));
      await breathe();
    }
    const { root, rootFolders, tally, read } = state;
    const result = await this.parts.storing.store(files, root, rootFolders);
    tally.placed += result.placed;
    tally.moved += result.moved;
    if (root.everything) read.push(...files.map(({ file }) => file.path));
    advance(state, { done: state.progress.done + files.length });
    thread.post({ kind: "stored" });
  }

  #tellBroken(formats: readonly BrokenFormat[]): void {
    for (const { id, error } of formats)
      this.parts.log.error("The inspector of a format cannot be used; its files are left as they are", {
        format: id,
        error,
      });
  }
}

function advance({ progress, control }: RunState, change: { done: number; total?: number }): void {
  Object.assign(progress, change);
  control.progress(progress.done, progress.total);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
