import type { Releasable } from "@longbox/sdk";
import { UnreadableArchive } from "../unreadable.js";
import type { FromUnpackThread, ToUnpackThread, UnpackResults, UnpackTask } from "./tasks.js";

/** A thread, however it was started. */
export interface UnpackThread {
  post(message: ToUnpackThread): void;
  onMessage(listener: (message: FromUnpackThread) => void): void;
  onEnd(listener: () => void): void;
  release(): void | Promise<void>;
}

interface Waiting {
  readonly task: UnpackTask;
  readonly resolve: (result: never) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Unpacks archives in a thread, one after the other, each in bounded time; a thread that takes too long is ended and replaced. */
export class Unpacker implements Releasable {
  readonly #queue: Waiting[] = [];
  #thread: UnpackThread | undefined;
  #current: { waiting: Waiting; id: number; timer: NodeJS.Timeout } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #released = false;

  /** @param limits - Milliseconds: the longest a task may take, and how long an unused thread stays */
  constructor(
    private readonly start: () => UnpackThread,
    private readonly limits: { readonly taskMs: number; readonly idleMs: number } = { taskMs: 120_000, idleMs: 20_000 },
  ) {}

  /** @throws {UnreadableArchive} */
  run<Task extends UnpackTask>(task: Task): Promise<UnpackResults[Task["kind"]]> {
    if (this.#released) return Promise.reject(new Error("The unpacking thread has ended."));
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject });
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
      this.#idle = setTimeout(() => void this.#drop(undefined), this.limits.idleMs).unref();
      return;
    }
    const timer = setTimeout(() => void this.#drop(new UnreadableArchive("timeout", "The archive takes too long to unpack.")), this.limits.taskMs);
    this.#current = { waiting, id: ++this.#lastId, timer };
    this.#thread ??= this.#begin();
    this.#thread.post({ id: this.#lastId, task: waiting.task });
  }

  #begin(): UnpackThread {
    const thread = this.start();
    thread.onMessage((message) => this.#answer(message));
    thread.onEnd(() => {
      if (this.#thread === thread) void this.#drop(new UnreadableArchive("damaged", "The archive is damaged: it cannot be unpacked."));
    });
    return thread;
  }

  #answer(message: FromUnpackThread): void {
    const current = this.#current;
    if (current?.id !== message.id) return;
    this.#current = undefined;
    clearTimeout(current.timer);
    if (message.ok) current.waiting.resolve(message.result as never);
    else current.waiting.reject(message.reason ? new UnreadableArchive(message.reason, message.message) : new Error(message.message));
    this.#next();
  }

  /** Ends the thread and whatever it was doing; the next task gets a new one. */
  async #drop(why: Error | undefined): Promise<void> {
    const { thread, current } = { thread: this.#thread, current: this.#current };
    this.#thread = undefined;
    this.#current = undefined;
    clearTimeout(current?.timer);
    await thread?.release();
    current?.waiting.reject(why);
    if (!this.#released) this.#next();
  }
}
