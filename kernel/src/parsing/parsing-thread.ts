import { Worker } from "node:worker_threads";
import { releasable, type PluginWorker, type TaskAnswer, type TaskRequest } from "@longbox/sdk";
import { runAs } from "../plugins/containment/attribution.js";
import { causedBy } from "../plugins/containment/request-cause.js";

export interface ParsingThreadOptions {
  readonly name: string;
  /** The thread's module, which ends with `answerTasks`. */
  readonly module: URL;
  /** The thread ends when its objects need more. */
  readonly heapMegabytes: number;
}

/**
 * Starts a thread of the kernel for a `TaskThread` that reads what came from outside: it gets none of the kernel's
 * environment, and what it prints is dropped. It outlives the plugin and the request for which it is started.
 */
export function startParsingThread(options: ParsingThreadOptions): PluginWorker<TaskRequest, TaskAnswer> {
  return causedBy(undefined, () => runAs(undefined, () => startThread(options)));
}

function startThread({ name, module, heapMegabytes }: ParsingThreadOptions): PluginWorker<TaskRequest, TaskAnswer> {
  const worker = new Worker(module, {
    name,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  worker.stdout.resume();
  worker.stderr.resume();
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
