import { dirname } from "node:path";
import { isLongboxError, systemViewer, type Logger, type Releasable } from "@longbox/sdk";
import type { Job, JobControl, JobsContract, ResumableJob } from "@longbox/operations/contract";
import type { FolderTurns } from "../folder-turns.js";
import { isInTrash } from "../moving/trash.js";
import { idle, stateOfJob, type RunningState } from "../running-state.js";
import { announcing, type ScanControl } from "./scan-control.js";
import {
  changesKind,
  kindOf,
  orderOf,
  scanKind,
  scanOrderSchema,
  titleOf,
  type ScanOptions,
  type ScanOrder,
} from "./scan-order.js";
import { ScanningLibrary, type ScanningLibraryParts } from "./scanning-library.js";

export interface ScannerParts extends ScanningLibraryParts {
  readonly turns: FolderTurns;
  readonly jobs: JobsContract;
  readonly announce: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** All kinds of jobs that scan: its own, the schedule's, and those of the tools that scan. */
const kinds = [scanKind, changesKind, "schedule.files.scan", "tool.scan-library", "tool.relink", "tool.remove-ghosts"];

/** Scans libraries as jobs, one after the other, each in a thread of its own. */
export class Scanner implements Releasable {
  readonly #openedAt = new Date().toISOString();
  /** Orders whose jobs have not begun. */
  readonly #waiting = new Set<string>();
  /** Jobs that wait or scan, with their ends. */
  readonly #live = new Map<number, Promise<unknown>>();
  readonly #scans = new Set<ScanningLibrary>();
  /** Orders that no plugin could carry out, until one comes that reads such files. */
  #left: readonly ScanOrder[] = [];

  constructor(private readonly parts: ScannerParts) {}

  /** How far the scan is that runs, else that waits, else how the last one since the start ended. */
  async state(): Promise<RunningState> {
    const job = await this.parts.jobs.findLatest(kinds);
    if (job?.endedAt !== undefined && job.endedAt < this.#openedAt) return idle;
    const state = stateOfJob(job);
    return job?.state === "cancelled" ? { ...state, error: undefined, message: `Stopped: ${job.title}` } : state;
  }

  /** Asks for a scan of a library, or of the given places in it. A scan that is already queued is not queued again. */
  async scan(libraryId: number, options: ScanOptions = {}): Promise<void> {
    await this.#ask(orderOf(libraryId, options));
  }

  /** Scans the folders that hold these files. The trash is not part of a library. */
  scanAround(paths: readonly string[]): Promise<void> {
    return this.scanFolders([...new Set(paths.filter((path) => !isInTrash(path)).map((path) => dirname(path)))]);
  }

  /** Scans folders, each in the library in which it lies. One inside another is scanned with it. */
  async scanFolders(folders: readonly string[]): Promise<void> {
    const outermost = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
    for (const { id, rootFolder } of await this.parts.collection.listLibraries(systemViewer)) {
      if (outermost.includes(rootFolder)) await this.scan(id);
      const inside = outermost.filter((folder) => folder.startsWith(`${rootFolder}/`));
      if (inside.length > 0) await this.scan(id, { scope: inside });
    }
  }

  /** Takes up what no plugin could read until now. */
  async resumeLeft(): Promise<void> {
    const left = this.#left;
    this.#left = [];
    for (const order of left) await this.#ask(order);
  }

  /** Scans every library; files that are unchanged are not opened. */
  async scanAll(): Promise<void> {
    for (const { id } of await this.#libraries()) await this.scan(id);
  }

  /**
   * Scans every library within a job of another kind, which shows the progress.
   * @throws {Error} with what every library that could not be scanned says
   */
  async scanAllWithin(control: JobControl, options: ScanOptions = {}): Promise<string> {
    const messages: string[] = [];
    const errors: string[] = [];
    const telling = announcing(control, this.parts.announce);
    for (const { id, name } of await this.#libraries()) {
      try {
        messages.push(await this.#perform(orderOf(id, options), telling));
      } catch (thrown) {
        control.signal.throwIfAborted();
        errors.push(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
    }
    if (errors.length > 0) throw new Error(errors.join(" "));
    return messages.join("; ") || "Nothing to scan";
  }

  /** What a restart cut off is done again; what was read stays, so that only the rest is opened. */
  resumable(): ResumableJob[] {
    const resume: ResumableJob["resume"] = async ({ input }, control) => {
      const order = scanOrderSchema.parse(input);
      const type = (await this.parts.collection.listLibraries(systemViewer)).find(
        ({ id }) => id === order.libraryId,
      )?.type;
      if (type !== undefined) await this.parts.formats.untilOfType(type, control.signal);
      const work = this.#perform(order, control);
      this.#follow(control.jobId, work);
      return work;
    };
    return [scanKind, changesKind].map((kind) => ({ kind, resume, onChange: this.parts.announce }));
  }

  /** Forgets the files of deleted libraries; if one comes back, its files are read again. */
  forgetLibrariesBut(libraryIds: readonly number[]): Promise<void> {
    return this.parts.index.keepOnly(libraryIds);
  }

  /** Stops the running scan and those that wait. What was read stays. */
  async cancel(): Promise<void> {
    const live = [...this.#live];
    for (const [jobId, ended] of live) {
      await this.parts.jobs.cancel(jobId).catch((thrown: unknown) => {
        // It ended by itself just now.
        if (!isLongboxError(thrown) || thrown.code !== "operations/job-ended") throw thrown;
      });
      await ended;
    }
  }

  async release(): Promise<void> {
    await Promise.all([...this.#scans].map((scan) => scan.release()));
    await Promise.all(this.#live.values());
  }

  async #ask(order: ScanOrder): Promise<void> {
    const library = (await this.parts.collection.listLibraries(systemViewer)).find(({ id }) => id === order.libraryId);
    const key = JSON.stringify(order);
    if (!library || this.#waiting.has(key)) return;
    this.#waiting.add(key);
    const { jobs, signal, announce } = this.parts;
    const { kind, ...kept } = kindOf(order);
    const work = (control: JobControl) => {
      // From now on another like it is not the same: this one may have passed what has changed since.
      this.#waiting.delete(key);
      return this.#perform(order, control);
    };
    try {
      const handle = await jobs.run(kind, titleOf(order, library), work, {
        ...kept,
        input: order,
        signal,
        onChange: announce,
      });
      this.#follow(
        handle.id,
        handle.ended.finally(() => this.#waiting.delete(key)),
      );
    } catch (thrown) {
      this.#waiting.delete(key);
      throw thrown;
    }
  }

  #follow(jobId: number, ended: Promise<unknown>): void {
    const forget = () => this.#live.delete(jobId);
    this.#live.set(jobId, ended.then(forget, forget));
  }

  async #perform(order: ScanOrder, control: ScanControl): Promise<string> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    const library = libraries.find(({ id }) => id === order.libraryId);
    if (!library) return "The library was deleted.";
    if (this.parts.formats.ofType(library.type).length === 0) {
      this.#left = [...this.#left, order];
      return `${library.name}: no plugin that is running reads files of such libraries`;
    }
    control.progress(0, 0, `Scanning ${library.name}`);
    const rootFolders = libraries.map(({ rootFolder }) => rootFolder);
    const scan = new ScanningLibrary(this.parts);
    this.#scans.add(scan);
    try {
      return await this.parts.turns.wait("The library is being scanned", async () => {
        control.signal.throwIfAborted();
        return scan.perform({ library, order, rootFolders }, control);
      });
    } finally {
      this.#scans.delete(scan);
    }
  }

  async #libraries(): Promise<readonly { readonly id: number; readonly name: string }[]> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    await this.forgetLibrariesBut(libraries.map(({ id }) => id));
    return libraries;
  }
}

/** Whether a job of this kind scans. */
export function isScan({ kind }: Job): boolean {
  return kinds.includes(kind);
}
