import { LongboxError, type PluginWorker, type Releasable, type TaskAnswer, type TaskRequest } from "@longbox/sdk";
import { IndexUnavailable } from "../errors.js";
import type { IndexTasks } from "./protocol.js";

type IndexWorker = PluginWorker<TaskRequest, TaskAnswer>;

/** After this time without a task the thread is idle. Less would be felt: to start it takes a tenth of a second. */
const idleMs = 60_000;

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * The thread that holds the index. Unlike a `TaskThread` it is never ended for being slow, and for being idle only by
 * {@link rest}, because the index is in its memory. When it dies, the tasks that wait fail, and {@link onDied} is
 * called so that it can be started again.
 */
export class IndexThread implements Releasable {
  readonly #start: () => IndexWorker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #idle = setTimeout(() => this.#isFree && this.onIdle(), idleMs).unref();
  #worker: IndexWorker | undefined;
  #lastId = 0;
  #isReleased = false;
  #isResting = false;
  onDied: () => void = () => {};
  onIdle: () => void = () => {};
  /** After a rest, called before the first task is given to the new thread, which knows nothing. */
  onWoken: () => void = () => {};

  constructor(start: () => IndexWorker) {
    this.#start = start;
  }

  /** @throws {IndexUnavailable} when the thread ends before it answers */
  run<Task extends keyof IndexTasks>(
    task: Task,
    input: IndexTasks[Task]["input"],
  ): Promise<IndexTasks[Task]["output"]> {
    if (this.#isReleased) return Promise.reject(new IndexUnavailable());
    const worker = this.#worker ?? this.#begin();
    const { promise, resolve, reject } = Promise.withResolvers<IndexTasks[Task]["output"]>();
    const id = ++this.#lastId;
    // The thread answers by the shapes of its tasks.
    this.#waiting.set(id, { resolve: (output) => resolve(output as IndexTasks[Task]["output"]), reject });
    worker.post({ id, task, input });
    return promise;
  }

  /** Puts off the time when the thread is idle, for a task that relies on what an earlier one has told the thread. */
  stayAwake(): void {
    this.#idle.refresh();
  }

  /** Ends the thread, with what it holds, until the next task. */
  async rest(): Promise<void> {
    const worker = this.#worker;
    this.#isResting = true;
    this.#worker = undefined;
    await worker?.release();
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#idle);
    this.#failAll(new IndexUnavailable());
    await this.#worker?.release();
  }

  get #isFree(): boolean {
    return this.#worker !== undefined && this.#waiting.size === 0 && !this.#isReleased;
  }

  #begin(): IndexWorker {
    const worker = (this.#worker = this.#start());
    worker.onMessage((answer) => this.#settle(answer));
    worker.ended.then(
      () => this.#ended(worker, undefined),
      (cause: unknown) => this.#ended(worker, cause),
    );
    const wasResting = this.#isResting;
    this.#isResting = false;
    if (wasResting) this.onWoken();
    return worker;
  }

  #settle(answer: TaskAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    this.#idle.refresh();
    if (!("error" in answer)) return waiting?.resolve(answer.output);
    const { kind, code, message, details } = answer.error;
    waiting?.reject(new LongboxError(kind, code, message, details));
  }

  #ended(worker: IndexWorker, cause: unknown): void {
    // It was asked to rest.
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#failAll(new IndexUnavailable(cause));
    if (!this.#isReleased) this.onDied();
  }

  #failAll(fault: IndexUnavailable): void {
    for (const { reject } of this.#waiting.values()) reject(fault);
    this.#waiting.clear();
  }
}
