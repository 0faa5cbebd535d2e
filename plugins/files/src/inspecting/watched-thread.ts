import type { PluginWorker, Releasable } from "@longbox/sdk";
import type { FromWorker, ToWorker } from "../scan/messages.js";
import { CurrentFile, sharedCurrentFile } from "./current-file.js";

/** The limits for inspecting one file. */
export interface InspectionLimits {
  readonly longestMs: number;
  /** How much more memory the process may take meanwhile. */
  readonly mostBytes: number;
}

/** A thread died while it inspected a file, or was ended because of it. */
export class DiedOfFile extends Error {
  constructor(
    readonly path: string,
    /** A sentence that is stored with the file and shown to users. */
    readonly reason: string,
  ) {
    super(`The inspecting thread died of a file: ${reason}`);
  }
}

export interface WatchedThreadParts {
  readonly worker: PluginWorker<ToWorker, FromWorker>;
  readonly limits: InspectionLimits;
  /** Of the plugin that the thread ends with. */
  readonly signal: AbortSignal;
}

/** Beyond the limit, so that a thread that can still end a file by itself does so first. */
const graceMs = 2000;
const lookEveryMs = 200;
const tooMuchMemory = "Reading the file takes too much memory.";

/** A thread that looks into files, and is ended when one of them takes too long or too much memory. */
export class WatchedThread implements Releasable {
  readonly shared = sharedCurrentFile();
  readonly #current = new CurrentFile(this.shared);
  readonly #watch: NodeJS.Timeout;
  readonly #died = Promise.withResolvers<never>();
  readonly #listening: Releasable[] = [];
  readonly #startedAtMs = performance.now();
  #hasEnded = false;
  #hasAbandoned = false;
  #sequence = 0;
  #since = performance.now();
  #bytesBefore = process.memoryUsage.rss();

  readonly #worker: PluginWorker<ToWorker, FromWorker>;
  readonly limits: InspectionLimits;

  constructor(parts: WatchedThreadParts) {
    const { worker, signal } = parts;
    this.#worker = worker;
    this.limits = parts.limits;
    this.#watch = setInterval(() => this.#look(), lookEveryMs);
    // It is raced against the work; a thread that dies between two tasks fails the next one.
    this.#died.promise.catch(() => undefined);
    const ended = (cause: unknown) => {
      this.#hasEnded = true;
      // When the plugin stops, its threads are ended in the middle of any file.
      const path = signal.aborted ? undefined : this.#current.path;
      const isMemory = (cause as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
      const reason = isMemory ? tooMuchMemory : "The file cannot be read: it stops whatever reads it.";
      this.#died.reject(path === undefined ? asError(cause) : new DiedOfFile(path, reason));
    };
    worker.ended.then(() => ended(new Error("The inspecting thread ended.")), ended);
    worker.onMessage(({ kind }) => {
      if (kind === "abandoned") this.#hasAbandoned = true;
    });
  }

  /** Rejects when the thread dies: with {@link DiedOfFile} when it did so over a file. */
  get died(): Promise<never> {
    return this.#died.promise;
  }

  /** Whether it can do more work: it runs, is not too old, and nothing that it gave up may still go on in it. */
  isFit(oldestMs: number): boolean {
    return !this.#hasEnded && !this.#hasAbandoned && performance.now() - this.#startedAtMs < oldestMs;
  }

  post(message: ToWorker): void {
    this.#worker.post(message);
  }

  onMessage(listener: (message: FromWorker) => void): void {
    this.#listening.push(this.#worker.onMessage(listener));
  }

  /** Its work is done: who listened to it hears no more. */
  forget(): void {
    for (const one of this.#listening.splice(0)) void one.release();
  }

  async release(): Promise<void> {
    this.#hasEnded = true;
    clearInterval(this.#watch);
    await this.#worker.release();
  }

  #look(): void {
    const { sequence, path } = this.#current;
    if (sequence !== this.#sequence || path === undefined) {
      this.#sequence = sequence;
      this.#since = performance.now();
      this.#bytesBefore = process.memoryUsage.rss();
    } else if (performance.now() - this.#since > this.limits.longestMs + graceMs)
      this.#died.reject(new DiedOfFile(path, "Reading the file takes too long."));
    else if (process.memoryUsage.rss() - this.#bytesBefore > this.limits.mostBytes)
      this.#died.reject(new DiedOfFile(path, tooMuchMemory));
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
