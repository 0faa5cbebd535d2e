import { isLongboxError, LongboxError, type ErrorKind } from "./errors.js";
import type { PluginWorker } from "./plugin.js";
import type { Releasable } from "./releasable.js";

/** The tasks of a thread: inputs and outputs by the name of each task. Everything must be cloneable. */
export type TaskShapes = Record<string, { readonly input: unknown; readonly output: unknown }>;

export interface TaskRequest {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
}

export type TaskAnswer =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: TaskError };

/** An error as it crosses from the thread. */
export interface TaskError {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
}

export interface TaskThreadOptions {
  /** Starts the thread: `() => context.worker("parse", undefined, { expendable: true, heapMegabytes: 256 })`. */
  readonly start: () => PluginWorker<TaskRequest, TaskAnswer>;
  /** A task that takes longer is ended together with its thread. Default 30 000. */
  readonly limitMs?: number;
  /** An idle thread ends after this time and starts again when it is needed. Default 30 000. */
  readonly idleMs?: number;
}

interface Waiting {
  readonly resolve: (output: never) => void;
  readonly reject: (thrown: unknown) => void;
}

interface Running {
  readonly worker: PluginWorker<TaskRequest, TaskAnswer>;
  readonly waiting: Map<number, Waiting>;
  watch: NodeJS.Timeout | undefined;
}

/**
 * A thread for tasks such as parsing external input. It starts when it is first needed. A task that takes too long, or
 * more memory than the thread may have, ends the thread and fails the running tasks; the next task starts a new thread.
 */
export class TaskThread<Shapes extends TaskShapes> implements Releasable {
  readonly #options: Required<TaskThreadOptions>;
  #running: Running | undefined;
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #isReleased = false;

  constructor(options: TaskThreadOptions) {
    this.#options = { limitMs: 30_000, idleMs: 30_000, ...options };
  }

  /**
   * Runs a task in the thread. Tasks run one after the other, so that the time limit applies to each task.
   * @throws {LongboxError} what the task threw; `kernel/task-too-long`; `kernel/task-failed` when the thread died of it
   */
  run<Task extends string & keyof Shapes>(
    task: Task,
    input: Shapes[Task]["input"],
    signal?: AbortSignal,
  ): Promise<Shapes[Task]["output"]> {
    const turn = this.#turn.then(() => {
      signal?.throwIfAborted();
      return this.#perform(task, input);
    });
    // The caller gets the failure; the next task only waits for the end.
    this.#turn = turn.catch(() => undefined);
    return turn as Promise<Shapes[Task]["output"]>;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#end(new LongboxError("unavailable", "kernel/stopped", "The plugin was stopped."));
  }

  #perform(task: string, input: unknown): Promise<unknown> {
    if (this.#isReleased) throw new LongboxError("unavailable", "kernel/stopped", "The plugin was stopped.");
    const running = (this.#running ??= this.#start());
    clearTimeout(running.watch);
    running.watch = setTimeout(() => void this.#end(tooLong(task, this.#options.limitMs)), this.#options.limitMs);
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const id = ++this.#lastId;
    running.waiting.set(id, { resolve, reject });
    running.worker.post({ id, task, input });
    return promise.finally(() => this.#rest(running));
  }

  #start(): Running {
    const worker = this.#options.start();
    const running: Running = { worker, waiting: new Map(), watch: undefined };
    worker.onMessage((answer) => {
      const waiting = running.waiting.get(answer.id);
      running.waiting.delete(answer.id);
      if ("error" in answer) waiting?.reject(toError(answer.error));
      // The thread answers by the shapes of its tasks, which only the caller of `run` knows here.
      else waiting?.resolve(answer.output as never);
    });
    worker.ended.then(
      () => this.#died(running, new Error("The thread ended.")),
      (cause: unknown) => this.#died(running, cause),
    );
    return running;
  }

  #died(running: Running, cause: unknown): void {
    if (this.#running === running) this.#running = undefined;
    clearTimeout(running.watch);
    const failed = new LongboxError("bad-input", "kernel/task-failed", "The input cannot be read.", undefined, {
      cause,
    });
    for (const { reject } of running.waiting.values()) reject(failed);
    running.waiting.clear();
  }

  #rest(running: Running): void {
    if (this.#running !== running || running.waiting.size > 0) return;
    clearTimeout(running.watch);
    running.watch = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
  }

  async #end(reason?: LongboxError): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (!running) return;
    clearTimeout(running.watch);
    for (const { reject } of running.waiting.values()) reject(reason);
    running.waiting.clear();
    await running.worker.release();
  }
}

function tooLong(task: string, limitMs: number): LongboxError {
  return new LongboxError(
    "bad-input",
    "kernel/task-too-long",
    `Reading the input takes longer than ${limitMs / 1000} seconds.`,
    { task },
  );
}

function toError({ kind, code, message, details }: TaskError): LongboxError {
  return new LongboxError(kind, code, message, details);
}

/** Serialises an error of a thread. Any error other than a {@link LongboxError} means that the input cannot be read. */
export function toTaskError(thrown: unknown): TaskError {
  if (isLongboxError(thrown)) {
    const { kind, code, message, details } = thrown;
    return { kind, code, message, details };
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return { kind: "bad-input", code: "kernel/task-failed", message: reason.slice(0, 500), details: undefined };
}
