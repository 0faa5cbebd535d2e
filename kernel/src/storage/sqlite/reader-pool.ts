import { constants, setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { LongboxError } from "@longbox/sdk";
import { ownTimeout } from "../../own-timers.js";
import type { ReadableDatabase } from "../engines/driver.js";
import { StatementEnded } from "../engines/statement-ended.js";
import { StorageClosed } from "../storage-closed.js";
import type { CheckpointQuestion, ReaderAnswer, ReaderQuestion, ReaderThread } from "./reader-thread.js";

export interface ReaderLimits {
  /** How long a question may keep a thread. */
  readonly statementMs: number;
  /** What a thread does so long after its question was given up counts as endless. */
  readonly leftBehindMs: number;
}

interface Waiting {
  readonly question: ReaderQuestion | CheckpointQuestion;
  readonly giveUp: (fault: unknown) => void;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (fault: unknown) => void;
}

interface Asking extends Pick<ReadableDatabase, "reads"> {
  readonly signal: AbortSignal | undefined;
}

interface Reader {
  readonly worker: Worker;
  systemId: number | undefined;
  /** What the thread is doing now. */
  busyWith: Waiting | undefined;
  /** Ends the thread when it is idle for long, or gives its question up when it takes too long. */
  timer: NodeJS.Timeout | undefined;
}

const maxThreads = 2;
/** A thread ends after this time without a question: it takes 15 to 30 MB, and starts again within 50 ms. */
const idleMs = 60_000;
/** How long the end waits for threads; SQLite may keep one for much longer. */
const lastWaitMs = 500;

/**
 * A few threads that read databases, and write their logs to their files. One question at a time each; the rest wait in
 * line.
 *
 * SQLite cannot be interrupted from Node, so a question that is given up leaves its thread behind, which ends as soon
 * as SQLite returns, and until then only gets what time others leave; another takes its place. One that does not return
 * soon is the last of its database: what is read there from then on belongs into a process, which can be ended.
 */
export class ReaderPool {
  readonly #readers = new Set<Reader>();
  readonly #line: Waiting[] = [];
  readonly #endless = new Set<string>();
  readonly #limits: ReaderLimits;
  #released = false;

  constructor(limits: ReaderLimits = { statementMs: 300_000, leftBehindMs: 60_000 }) {
    this.#limits = limits;
  }

  /** Whether a question about a file was given up, and its thread did not return. */
  hasLeftBehind(path: string): boolean {
    return this.#endless.has(path);
  }

  /** @param reads - what is under way, to be given up with the storage */
  read(question: ReaderQuestion, asking: Asking): Promise<unknown[]> {
    return this.#ask(question, asking);
  }

  /** Whether a thread would begin at once. */
  get isFree(): boolean {
    return this.#line.length === 0 && (this.#readers.size < maxThreads || this.#idle() !== undefined);
  }

  /** Writes what the log of an open database holds to its file. */
  async checkpoint(path: string): Promise<void> {
    await this.#ask({ path, isCheckpoint: true }, { signal: undefined, reads: new Set() });
  }

  async #ask(question: Waiting["question"], { signal, reads }: Asking): Promise<unknown[]> {
    if (this.#released) throw new StorageClosed();
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    const giveUp = (fault: unknown) => {
      this.#abandon(waiting);
      reject(fault);
    };
    const waiting: Waiting = { question, giveUp, resolve, reject };
    const aborted = () => giveUp(signal?.reason);
    const ending = { end: () => giveUp(new StorageClosed()) };
    signal?.addEventListener("abort", aborted, { once: true });
    reads.add(ending);
    this.#line.push(waiting);
    this.#next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", aborted);
      reads.delete(ending);
    }
  }

  /** Makes every thread close a file. */
  forget(path: string): void {
    this.#endless.delete(path);
    for (const reader of this.#readers) reader.worker.postMessage({ forget: path });
  }

  async release(): Promise<void> {
    this.#released = true;
    const closed = new StorageClosed();
    for (const waiting of this.#line.splice(0)) waiting.reject(closed);
    for (const reader of this.#readers) reader.busyWith?.reject(closed);
    const ending = Promise.all([...this.#readers].map((reader) => reader.worker.terminate()));
    await Promise.race([ending, pause(lastWaitMs, undefined, { ref: false })]);
  }

  #next(): void {
    const idle = this.#idle() ?? this.#start();
    const waiting = idle && this.#line.shift();
    if (!waiting) return;
    clearTimeout(idle.timer);
    idle.busyWith = waiting;
    const { statementMs } = this.#limits;
    const tooLong = () => waiting.giveUp(new StatementEnded(`it ran for ${statementMs / 1_000} seconds`));
    idle.timer = ownTimeout(tooLong, statementMs).unref();
    idle.worker.ref();
    idle.worker.postMessage(waiting.question);
  }

  #idle(): Reader | undefined {
    return [...this.#readers].find((reader) => !reader.busyWith);
  }

  #start(): Reader | undefined {
    if (this.#readers.size >= maxThreads || this.#line.length === 0) return undefined;
    const reader: Reader = {
      worker: new Worker(new URL("./reader-thread.js", import.meta.url), { name: "database reader" }),
      systemId: undefined,
      busyWith: undefined,
      timer: undefined,
    };
    this.#readers.add(reader);
    reader.worker.on("message", (told: ReaderAnswer | ReaderThread) => {
      if ("systemId" in told) reader.systemId = told.systemId;
      else this.#settle(reader, told);
    });
    reader.worker.on("error", (fault) =>
      this.#settle(reader, { fault: { message: fault instanceof Error ? fault.message : String(fault) } }),
    );
    reader.worker.on("exit", () => this.#lose(reader));
    reader.worker.unref();
    return reader;
  }

  #settle(reader: Reader, answer: ReaderAnswer): void {
    const waiting = reader.busyWith;
    clearTimeout(reader.timer);
    reader.busyWith = undefined;
    reader.worker.unref();
    if ("rows" in answer) waiting?.resolve(answer.rows);
    else waiting?.reject(Object.assign(new Error(answer.fault.message), answer.fault));
    this.#next();
    if (!reader.busyWith) this.#rest(reader);
  }

  #rest(reader: Reader): void {
    clearTimeout(reader.timer);
    reader.timer = ownTimeout(() => {
      if (reader.busyWith) return;
      this.#readers.delete(reader);
      void reader.worker.terminate();
    }, idleMs).unref();
  }

  #lose(reader: Reader): void {
    this.#readers.delete(reader);
    clearTimeout(reader.timer);
    reader.busyWith?.reject(
      new LongboxError("unavailable", "kernel/reader-ended", "The thread that read the database ended."),
    );
    this.#next();
  }

  #abandon(waiting: Waiting): void {
    const place = this.#line.indexOf(waiting);
    if (place >= 0) this.#line.splice(place, 1);
    const reader = [...this.#readers].find((each) => each.busyWith === waiting);
    if (!reader) return;
    reader.busyWith = undefined;
    clearTimeout(reader.timer);
    this.#readers.delete(reader);
    const late = setTimeout(() => this.#endless.add(waiting.question.path), this.#limits.leftBehindMs).unref();
    void reader.worker.terminate().finally(() => clearTimeout(late));
    yieldToAll(reader.systemId);
    this.#next();
  }
}

/** Only Linux has a priority for each thread. */
function yieldToAll(systemId: number | undefined): void {
  if (systemId === undefined) return;
  try {
    setPriority(systemId, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended meanwhile.
  }
}
