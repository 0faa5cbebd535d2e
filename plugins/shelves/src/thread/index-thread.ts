import { LongboxError, type PluginWorker, type Releasable, type TaskAnswer, type TaskRequest } from "@longbox/sdk";
import { IndexUnavailable } from "../errors.js";
import type { IndexTasks } from "./protocol.js";

type IndexWorker = PluginWorker<TaskRequest, TaskAnswer>;

interface Waiting {
  readonly resolve: (output: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * The thread that holds the index. Unlike a `TaskThread` it is never ended for being idle or slow, because the index is
 * in its memory. When it dies, the tasks that wait fail, and {@link onDied} is called so that it can be started again.
 */
export class IndexThread implements Releasable {
  readonly #start: () => IndexWorker;
  readonly #waiting = new Map<number, Waiting>();
  #worker: IndexWorker | undefined;
  #lastId = 0;
  #isReleased = false;
  onDied: () => void = () => {};

  constructor(start: () => IndexWorker) {
    this.#start = start;
  }

  /** @throws {IndexUnavailable} when the thread ends before it answers */
  run<Task extends keyof IndexTasks>(
    task: Task,
    input: IndexTasks[Task]["input"],
  ): Promise<IndexTasks[Task]["output"]> {
    if (this.#isReleased) return Promise.reject(new IndexUnavailable());
    const worker = (this.#worker ??= this.#begin());
    const { promise, resolve, reject } = Promise.withResolvers<IndexTasks[Task]["output"]>();
    const id = ++this.#lastId;
    // The thread answers by the shapes of its tasks.
    this.#waiting.set(id, { resolve: (output) => resolve(output as IndexTasks[Task]["output"]), reject });
    worker.post({ id, task, input });
    return promise;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    this.#failAll(new IndexUnavailable());
    await this.#worker?.release();
  }

  #begin(): IndexWorker {
    const worker = this.#start();
    worker.onMessage((answer) => this.#settle(answer));
    worker.ended.then(
      () => this.#died(undefined),
      (cause: unknown) => this.#died(cause),
    );
    return worker;
  }

  #settle(answer: TaskAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!("error" in answer)) return waiting?.resolve(answer.output);
    const { kind, code, message, details } = answer.error;
    waiting?.reject(new LongboxError(kind, code, message, details));
  }

  #died(cause: unknown): void {
    this.#worker = undefined;
    this.#failAll(new IndexUnavailable(cause));
    if (!this.#isReleased) this.onDied();
  }

  #failAll(fault: IndexUnavailable): void {
    for (const { reject } of this.#waiting.values()) reject(fault);
    this.#waiting.clear();
  }
}
