import type { Releasable } from "@longbox/sdk";
import { isLongboxError } from "@longbox/sdk/light";
import { UnreadableArchive } from "../unreadable.js";
import type { FromUnpackThread, ToUnpackThread, UnpackResults, UnpackTask } from "./tasks.js";

/** A thread, however it was started. */
export interface UnpackThread {
  post(message: ToUnpackThread): void;
  onMessage(listener: (message: FromUnpackThread) => void): void;
  /** @param listener - Hears why it ended, unless it was released */
  onEnd(listener: (cause?: unknown) => void): void;
  release(): void | Promise<void>;
}

/** The limits of a thread. */
export interface UnpackLimits {
  /** The longest a task may last, in milliseconds. */
  readonly taskMs: number;
  /** The longest a page may take to be drawn, in milliseconds. */
  readonly drawMs: number;
  /** How long an unused thread stays, in milliseconds. */
  readonly idleMs: number;
  /**
   * How much more memory the process may take during a task. What is unpacked and drawn lies outside of the heap that a
   * thread can be limited to.
   */
  readonly memoryBytes: number;
}

const usualLimits: UnpackLimits = { taskMs: 120_000, drawMs: 45_000, idleMs: 20_000, memoryBytes: 384 * 1024 * 1024 };
const lookEveryMs = 20;

interface Waiting {
  readonly task: UnpackTask;
  readonly resolve: (result: never) => void;
  readonly reject: (thrown: unknown) => void;
}

const tookTooLong = () => new UnreadableArchive("timeout", "Reading the file takes too long.");
const tooMuchMemory = () => new UnreadableArchive("too-large", "Reading the file takes too much memory.");

/** Of the archive, unless the plugin stops, which ends the thread in the middle of any. */
function diedOf(cause: unknown): Error {
  if (isLongboxError(cause)) return cause;
  if ((cause as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY") return tooMuchMemory();
  return new UnreadableArchive("damaged", "The archive is damaged: it cannot be unpacked.");
}

/**
 * Unpacks archives in a thread, one after the other, each in bounded time and memory; a thread that takes too much is
 * ended and replaced.
 */
export class Unpacker implements Releasable {
  readonly #queue: Waiting[] = [];
  #thread: UnpackThread | undefined;
  #current: { waiting: Waiting; id: number; watch: NodeJS.Timeout } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #released = false;

  readonly #limits: UnpackLimits;

  constructor(
    private readonly start: () => UnpackThread,
    limits: Partial<UnpackLimits> = {},
  ) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** @param signal - ends the task when it aborts, with the thread where it has begun @throws {UnreadableArchive} */
  run<Task extends UnpackTask>(task: Task, signal?: AbortSignal): Promise<UnpackResults[Task["kind"]]> {
    if (this.#released) return Promise.reject(new Error("The unpacking thread has ended."));
    return new Promise((resolve, reject) => {
      const waiting = { task, resolve, reject };
      this.#queue.push(waiting);
      signal?.addEventListener("abort", () => this.#giveUp(waiting), { once: true });
      this.#next();
    });
  }

  async release(): Promise<void> {
    this.#released = true;
    clearTimeout(this.#idle);
    for (const waiting of this.#queue.splice(0)) waiting.reject(new Error("The unpacking thread has ended."));
    await this.#drop(new Error("The unpacking thread has ended."));
  }

  #next(): void {
    if (this.#current) return;
    const waiting = this.#queue.shift();
    clearTimeout(this.#idle);
    if (!waiting) {
      this.#idle = setTimeout(() => void this.#drop(undefined), this.#limits.idleMs).unref();
      return;
    }
    this.#current = { waiting, id: ++this.#lastId, watch: this.#watch(waiting.task) };
    this.#thread ??= this.#begin();
    this.#thread.post({ id: this.#lastId, task: waiting.task });
  }

  /** The next task must not wait for one whose result is no longer needed. */
  #giveUp(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    if (at >= 0) waiting.reject(tookTooLong());
    else if (this.#current?.waiting === waiting) void this.#drop(tookTooLong());
  }

  #watch({ kind }: UnpackTask): NodeJS.Timeout {
    const ends = performance.now() + (kind === "pdf-page" ? this.#limits.drawMs : this.#limits.taskMs);
    const mostBytes = process.memoryUsage.rss() + this.#limits.memoryBytes;
    return setInterval(() => {
      if (performance.now() > ends) void this.#drop(tookTooLong());
      else if (process.memoryUsage.rss() > mostBytes) void this.#drop(tooMuchMemory());
    }, lookEveryMs);
  }

  #begin(): UnpackThread {
    const thread = this.start();
    thread.onMessage((message) => this.#answer(message));
    thread.onEnd((cause) => {
      if (this.#thread === thread) void this.#drop(diedOf(cause));
    });
    return thread;
  }

  #answer(message: FromUnpackThread): void {
    const current = this.#current;
    if (current?.id !== message.id) return;
    this.#current = undefined;
    clearInterval(current.watch);
    // The thread answers by the shapes of its tasks, which only the caller of `run` knows here.
    if (message.ok) current.waiting.resolve(message.result as never);
    else
      current.waiting.reject(
        message.reason ? new UnreadableArchive(message.reason, message.message) : new Error(message.message),
      );
    this.#next();
  }

  /** Ends the thread with its current task; the next task gets a new thread. */
  async #drop(why: Error | undefined): Promise<void> {
    const { thread, current } = { thread: this.#thread, current: this.#current };
    this.#thread = undefined;
    this.#current = undefined;
    clearInterval(current?.watch);
    await thread?.release();
    current?.waiting.reject(why);
    if (!this.#released) this.#next();
  }
}
