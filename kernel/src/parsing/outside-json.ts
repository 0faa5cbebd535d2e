import { Worker } from "node:worker_threads";
import { releasable, TaskThread, type PluginWorker, type TaskAnswer, type TaskRequest } from "@longbox/sdk";
import { inject, injectable } from "../injection.js";
import { Stopping } from "../kernel-tokens.js";
import { runAs } from "../plugins/containment/attribution.js";
import { causedBy } from "../plugins/containment/request-cause.js";
import { readJson, UnreadableJson, type JsonBounds, type JsonProblem } from "./json-reading.js";
import type { Mask } from "./schema-mask.js";

export interface JsonInput {
  readonly bytes: Uint8Array;
  readonly bounds: JsonBounds;
  /** What is wanted of the document. */
  readonly mask: Mask;
}

export type JsonTasks = { read: { input: JsonInput; output: unknown } };

/** Up to this length a document is read at once, since a thread would take longer; nothing longer is, ever. */
export const readAtOnceBytes = 64 * 1024;
const limitMs = 10_000;
const heapMegabytes = 512;

/**
 * Reads JSON that came from outside: what is long in a thread, which starts when it is needed and ends when it is idle.
 */
@injectable()
export class OutsideJson {
  readonly #thread = new TaskThread<JsonTasks>({ start: () => unowned(startThread), limitMs });

  constructor(@inject(Stopping) stopping: AbortSignal) {
    stopping.addEventListener("abort", () => void this.#thread.release(), { once: true });
  }

  /**
   * Reads a document. The bytes must not change meanwhile.
   * @throws {UnreadableJson} also for one that takes too long, or more memory than the thread may have
   */
  async read(input: JsonInput): Promise<unknown> {
    const { bytes, bounds, mask } = input;
    if (bytes.byteLength <= readAtOnceBytes) return readJson(bytes, bounds, mask);
    try {
      return await this.#thread.run("read", input);
    } catch (fault) {
      const { code, message, details } = fault as UnreadableJson;
      if (code === "kernel/json-unreadable")
        throw new UnreadableJson((details as { problem: JsonProblem }).problem, message);
      if (code === "kernel/task-too-long" || code === "kernel/task-failed")
        throw new UnreadableJson("too-many-values", "It takes too long, or too much memory, to be read.", fault);
      throw fault;
    }
  }
}

/** The thread outlives the plugin and the request for which it is started. */
function unowned<T>(work: () => T): T {
  return causedBy(undefined, () => runAs(undefined, work));
}

function startThread(): PluginWorker<TaskRequest, TaskAnswer> {
  const worker = new Worker(new URL("./json-thread.js", import.meta.url), {
    name: "json",
    env: {},
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  worker.unref();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  worker.once("error", reject);
  worker.once("exit", () => resolve());
  return {
    ended,
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on("message", listener);
      return releasable(() => void worker.off("message", listener));
    },
    async release() {
      await worker.terminate();
    },
  };
}
