import { basename, dirname } from "node:path";
import { systemViewer, type Logger, type Releasable } from "@longbox/sdk";
import type { CollectionContract, Library } from "@longbox/collection/contract";
import type { FolderTurns } from "../folder-turns.js";
import type { Formats } from "../formats/formats.js";
import type { WatchedThread } from "../inspecting/watched-thread.js";
import { isInTrash } from "../moving/trash.js";
import { Progress, type RunningState } from "../running-state.js";
import type { ScanRoot } from "./messages.js";
import type { ScanIndex } from "./scan-index.js";
import type { ScanJobs } from "./scan-jobs.js";
import type { ScanResult } from "./scan-result.js";
import type { ScanRequest, ScanRequests } from "./scan-requests.js";
import { ScanRun } from "./scan-run.js";
import type { BatchStoring } from "./storing-batch.js";

export interface ScannerParts {
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly index: ScanIndex;
  readonly requests: ScanRequests;
  readonly storing: BatchStoring;
  readonly turns: FolderTurns;
  readonly startThread: () => WatchedThread;
  readonly jobs: ScanJobs;
  readonly announce: () => void;
  /** Hears which folders a scan of these places found. */
  readonly foundFolders: (scope: readonly string[], folders: readonly string[]) => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** How many paths one line of the log names. */
const mostNamed = 20;

/** Scans libraries, one after the other, in a thread of its own. */
export class Scanner implements Releasable {
  readonly #progress: Progress;
  #working: Promise<void> | undefined;
  #run: ScanRun | undefined;
  #isAsked = false;
  /** How many others show what is being scanned as a job of theirs. */
  #followers = 0;
  /** How the last scan of each whole library ended. */
  readonly #outcomes = new Map<number, ScanResult>();

  constructor(private readonly parts: ScannerParts) {
    this.#progress = new Progress(parts.announce);
  }

  get state(): RunningState {
    return this.#progress.state;
  }

  /** How the last scan of a whole library ended; undefined while it has not been scanned since the start. */
  outcomeOf(libraryId: number): ScanResult | undefined {
    return this.#outcomes.get(libraryId);
  }

  /** Asks for a scan of a library, or of the given places in it. It begins at once, or after those that were asked for before. */
  async scan(
    libraryId: number,
    options: { scope?: readonly string[]; everything?: boolean; acceptsEmpty?: boolean } = {},
  ): Promise<void> {
    await this.parts.requests.add({
      libraryId,
      scope: options.scope ?? [],
      everything: options.everything ?? false,
      acceptsEmpty: options.acceptsEmpty ?? false,
    });
    this.#wake();
  }

  /** Scans the folders that hold these files. What lies in a trash is no part of a library. */
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

  /** Takes up what a stop cut off. */
  async resume(): Promise<void> {
    if ((await this.parts.requests.list()).length > 0) this.#wake();
  }

  /** Scans every library; files that are unchanged are not opened. */
  async scanAll(options: { everything?: boolean } = {}): Promise<void> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    await this.forgetLibrariesBut(libraries.map((library) => library.id));
    for (const library of libraries) await this.scan(library.id, options);
  }

  /** Forgets the files of deleted libraries; if one comes back, its files are read again. */
  forgetLibrariesBut(libraryIds: readonly number[]): Promise<void> {
    return this.parts.index.keepOnly(libraryIds);
  }

  /** Stops the running scan and forgets those that wait. What was read stays. */
  async cancel(): Promise<void> {
    await this.parts.requests.clear();
    if (!this.#working) return;
    this.#stopThis();
    await this.#working;
  }

  /** Asks for scans from within a job, which shows them: none of those until nothing is being scanned gets a job of its own. */
  async follow(ask: () => Promise<void>): Promise<void> {
    this.#followers++;
    try {
      await ask();
      while (this.#working) await this.#working;
    } finally {
      this.#followers--;
    }
  }

  async release(): Promise<void> {
    this.#progress.release();
    await this.#run?.release();
    await this.#working;
  }

  #stopThis(): void {
    this.#run?.cancel();
  }

  #wake(): void {
    this.#isAsked = true;
    this.#working ??= this.#work();
  }

  /**
   * Requests that arrive during the last check are not lost, because nothing can run between the check of `#isAsked`
   * and the end.
   */
  async #work(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false;
        await this.#performAll();
      }
    } finally {
      this.#working = undefined;
    }
  }

  async #performAll(): Promise<void> {
    const left = new Set<number>();
    const next = async () => (await this.parts.requests.list()).find(({ id }) => !left.has(id));
    for (let request = await next(); request && !this.parts.signal.aborted; request = await next()) {
      this.parts.requests.begin(request.id);
      const done = await this.#perform(request);
      if (this.parts.signal.aborted) return;
      if (done) await this.parts.requests.finish(request.id);
      else {
        left.add(request.id);
        this.parts.requests.leave();
      }
    }
  }

  /** Never throws: what went wrong is in the state and in the log. @returns false when it waits for a plugin that reads such files */
  async #perform(request: ScanRequest): Promise<boolean> {
    this.#run = new ScanRun({ ...this.parts, progress: this.#progress });
    try {
      const libraries = await this.parts.collection.listLibraries(systemViewer);
      const library = libraries.find(({ id }) => id === request.libraryId);
      if (!library) return true;
      this.#progress.begin(`Scanning ${library.name}`);
      if (this.parts.formats.ofType(library.type).length === 0) {
        this.#end(request, { message: `${library.name}: no plugin that is running reads files of such libraries` });
        return false;
      }
      const rootFolders = libraries.map(({ rootFolder }) => rootFolder);
      const ended = this.parts.turns
        .wait("The library is being scanned", () => this.#scanLibrary(library, request, rootFolders))
        .catch((thrown: unknown) => this.#failed(request, thrown));
      if (isShown(request) && this.#followers === 0)
        this.parts.jobs.show({
          title: titleOf(request, library),
          state: () => this.state,
          ended,
          stop: () => this.#stopThis(),
        });
      this.#end(request, await ended);
    } catch (thrown) {
      this.#end(request, this.#failed(request, thrown));
    }
    return true;
  }

  #failed({ libraryId }: ScanRequest, thrown: unknown): ScanResult {
    if (!this.parts.signal.aborted) this.parts.log.error("A scan failed", { libraryId, error: thrown });
    return { error: "The scan failed; the log says why." };
  }

  #end({ libraryId, scope }: ScanRequest, result: ScanResult): void {
    if (this.parts.signal.aborted) return;
    if (scope.length === 0) this.#outcomes.set(libraryId, result);
    this.#progress.end(result);
  }

  async #scanLibrary(library: Library, request: ScanRequest, rootFolders: readonly string[]): Promise<ScanResult> {
    const scope = request.scope.length > 0 ? request.scope : [library.rootFolder];
    const root: ScanRoot = {
      libraryId: library.id,
      rootFolder: library.rootFolder,
      type: library.type,
      scope,
      everything: request.everything,
      acceptsEmpty: request.acceptsEmpty,
    };
    const tally = { placed: 0, moved: 0, removed: 0 };
    const outcome = await this.#run!.perform(root, rootFolders, tally);
    if (outcome.ended === "refused") {
      this.parts.log.warn("A scan changed nothing", { library: library.name, reason: outcome.reason });
      return { error: outcome.reason };
    }
    if (outcome.ended === "cancelled") return { message: `Stopped: ${library.name}` };
    // Those that were seen elsewhere are not gone: the index has them under their new paths by now.
    const missing = (await this.parts.index.findByPaths(outcome.missing)).map((row) => row.path);
    const gone =
      request.scope.length > 0
        ? missing
        : [...missing, ...(await this.parts.index.listOutside(library.id, library.rootFolder))];
    await this.#remove(gone);
    tally.removed = gone.length;
    this.parts.log.info("A library was scanned", { library: library.name, ...tally });
    const { unreadable } = outcome;
    if (unreadable.length > 0)
      this.parts.log.warn("Some of a library could not be read", {
        library: library.name,
        count: unreadable.length,
        paths: unreadable.slice(0, mostNamed),
      });
    const rest = unreadable.length > 0 ? `; ${unreadable.length} could not be read, the log names them` : "";
    return { message: `${library.name}: ${tally.placed} read, ${tally.moved} moved, ${tally.removed} gone${rest}` };
  }

  async #remove(paths: readonly string[]): Promise<void> {
    for (let at = 0; at < paths.length; at += 250) {
      const some = paths.slice(at, at + 250);
      await this.parts.collection.removeFiles(some);
      await this.parts.index.forget(some);
    }
  }
}

/** Folders that were seen to change are not: they would push everything else out of the list of jobs. */
function isShown({ scope, everything }: ScanRequest): boolean {
  return scope.length === 0 || everything;
}

function titleOf({ scope }: ScanRequest, library: Library): string {
  return scope.length === 0
    ? `Scan ${library.name}`
    : `Scan ${scope.map((folder) => basename(folder)).join(", ")} in ${library.name}`;
}
