import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { LongboxError } from "@longbox/sdk";
import type { ReadableDatabase } from "../engines/driver.js";
import { StorageClosed } from "../storage-closed.js";
import type { ReaderAnswer, ReaderQuestion } from "./reader-thread.js";

interface Waiting {
  readonly question: ReaderQuestion;
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (fault: unknown) => void;
}

interface Reader {
  readonly worker: Worker;
  /** What the thread is doing now. */
  busyWith: Waiting | undefined;
  /** Ends the thread when it is idle for long. */
  idle: NodeJS.Timeout | undefined;
}

const maxThreads = 2;
/** A thread ends after this time without a question: it takes 15 to 30 MB, and starts again within 50 ms. */
const idleMs = 60_000;
/** How long the end waits for threads; SQLite may keep one for much longer. */
const lastWaitMs = 500;

/**
 * A few threads that only read databases. One question at a time each; the rest wait in line.
 *
 * SQLite cannot be interrupted from Node, so a question that is given up leaves its thread behind, which ends as soon
 * as SQLite returns; another takes its place.
 */
export class ReaderPool {
  readonly #readers = new Set<Reader>();
  readonly #line: Waiting[] = [];
  #released = false;

  /** @param reads - what is under way, to be given up with the storage */
  async read(
    question: ReaderQuestion,
    { signal, reads }: { readonly signal: AbortSignal | undefined } & Pick<ReadableDatabase, "reads">,
  ): Promise<unknown[]> {
    if (this.#released) throw new StorageClosed();
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    const waiting: Waiting = { question, resolve, reject };
    const giveUp = (fault: unknown) => {
      this.#abandon(waiting);
      reject(fault);
    };
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
    const idle = [...this.#readers].find((reader) => !reader.busyWith) ?? this.#start();
    const waiting = idle && this.#line.shift();
    if (!waiting) return;
    clearTimeout(idle.idle);
    idle.busyWith = waiting;
    idle.worker.ref();
    idle.worker.postMessage(waiting.question);
  }

  #start(): Reader | undefined {
    if (this.#readers.size >= maxThreads || this.#line.length === 0) return undefined;
    const reader: Reader = {
      worker: new Worker(new URL("./reader-thread.js", import.meta.url), { name: "database reader" }),
      busyWith: undefined,
      idle: undefined,
    };
    this.#readers.add(reader);
    reader.worker.on("message", (answer: ReaderAnswer) => this.#settle(reader, answer));
    reader.worker.on("error", (fault) =>
      this.#settle(reader, { fault: { message: fault instanceof Error ? fault.message : String(fault) } }),
    );
    reader.worker.on("exit", () => this.#lose(reader));
    reader.worker.unref();
    return reader;
  }

  #settle(reader: Reader, answer: ReaderAnswer): void {
    const waiting = reader.busyWith;
    reader.busyWith = undefined;
    reader.worker.unref();
    if ("rows" in answer) waiting?.resolve(answer.rows);
    else waiting?.reject(Object.assign(new Error(answer.fault.message), answer.fault));
    this.#next();
    if (!reader.busyWith) this.#rest(reader);
  }

  #rest(reader: Reader): void {
    clearTimeout(reader.idle);
    reader.idle = setTimeout(() => {
      if (reader.busyWith) return;
      this.#readers.delete(reader);
      void reader.worker.terminate();
    }, idleMs).unref();
  }

  #lose(reader: Reader): void {
    this.#readers.delete(reader);
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
    this.#readers.delete(reader);
    void reader.worker.terminate();
    this.#next();
  }
}
