import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { LongboxError, releasable, type PluginWorker, type Releasable, type WorkerLimits } from "@longbox/sdk";
import { runAs } from "../containment/attribution.js";
import { newZlibCalls, stopZlibCalls, type ZlibCalls } from "../containment/zlib-calls.js";
import type { Activation } from "./activation.js";
import { startPluginProcess } from "./plugin-process.js";
import type { ThreadStart } from "./worker-bootstrap.js";

const bootstrap = new URL("./worker-bootstrap.js", import.meta.url);

/** Starts one of the workers that the manifest declares, on the host's copies of the shared packages. */
export function startPluginWorker<In, Out>(
  activation: Activation,
  name: string,
  { data, limits = {} }: { readonly data: unknown; readonly limits?: WorkerLimits | undefined },
): PluginWorker<In, Out> {
  const module = workerModule(activation, name);
  if (limits.processMegabytes !== undefined) {
    const memoryBytes = limits.processMegabytes * 1_000_000;
    const started = startPluginProcess<In, Out>(activation, name, { module, data, memoryBytes });
    reportEnd(activation, name, { ended: started.ended, limits });
    return started;
  }
  const calls = newZlibCalls();
  const worker = new Worker(bootstrap, {
    workerData: { module, data, zlibCalls: [calls] } satisfies ThreadStart,
    name: `${activation.id}/${name}`,
    stdin: false,
    ...(limits.heapMegabytes !== undefined && { resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes } }),
  });
  const ended = whenEnded(worker, `The worker "${name}" of "${activation.id}"`);
  reportEnd(activation, name, { ended: ended.ended, limits });
  return overWorker<In, Out>({ worker, calls }, activation, ended);
}

function reportEnd(
  activation: Activation,
  name: string,
  { ended, limits }: { readonly ended: Promise<void>; readonly limits: WorkerLimits },
): void {
  ended.catch((fault: unknown) => limits.expendable || activation.reportFault(fault, `the worker "${name}"`));
}

/** The URL of a declared worker's module. */
export function workerUrl(activation: Activation, name: string): string {
  return pathToFileURL(workerModule(activation, name)).href;
}

/** @throws {LongboxError} `kernel/undeclared-worker` */
function workerModule({ plugin }: Activation, name: string): string {
  const file = plugin.manifest.workers[name];
  if (file === undefined)
    throw new LongboxError(
      "internal",
      "kernel/undeclared-worker",
      `The plugin "${plugin.id}" declares no worker "${name}".`,
    );
  return path.join(plugin.folder, file);
}

interface Ending {
  readonly ended: Promise<void>;
  /** From now on the end of the worker is expected. */
  readonly release: () => void;
}

function whenEnded(worker: Worker, name: string): Ending {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let released = false;
  worker.once("error", (fault) => (released ? resolve() : reject(fault)));
  worker.once("exit", (code) =>
    code === 0 || released ? resolve() : reject(new Error(`${name} ended with code ${code}.`)),
  );
  return { ended, release: () => void (released = true) };
}

function overWorker<In, Out>(
  { worker, calls }: { readonly worker: Worker; readonly calls: ZlibCalls },
  activation: Activation,
  ending: Ending,
): PluginWorker<In, Out> {
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer as ArrayBuffer[]),
    onMessage: (listener) => listen(worker, (message) => runAs(activation, () => listener(message as Out))),
    ended: ending.ended,
    async release() {
      ending.release();
      await stopZlibCalls(calls);
      await worker.terminate();
    },
  };
}

function listen(worker: Worker, heard: (message: unknown) => void): Releasable {
  worker.on("message", heard);
  return releasable(() => void worker.off("message", heard));
}
