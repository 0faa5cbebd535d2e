import path from "node:path";
import { Worker } from "node:worker_threads";
import { LongboxError, releasable, type PluginWorker, type Releasable } from "@longbox/sdk";
import { runAs } from "./attribution.js";
import type { Activation } from "./activation.js";

const bootstrap = new URL("./worker-bootstrap.js", import.meta.url);

/** Starts one of the workers that the manifest declares, on the host's copies of the shared packages. */
export function startPluginWorker<In, Out>(activation: Activation, name: string, data: unknown): PluginWorker<In, Out> {
  const { plugin } = activation;
  const file = plugin.manifest.workers[name];
  if (file === undefined) throw new LongboxError("internal", "kernel/undeclared-worker", `The plugin "${plugin.id}" declares no worker "${name}".`);
  const worker = new Worker(bootstrap, {
    workerData: { folder: plugin.folder, module: path.join(plugin.folder, file), data },
    name: `${plugin.id}/${name}`,
    stdin: false,
  });
  return overWorker<In, Out>(worker, activation, name);
}

function overWorker<In, Out>(worker: Worker, activation: Activation, name: string): PluginWorker<In, Out> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let released = false;
  worker.once("error", (fault) => (released ? resolve() : reject(fault)));
  worker.once("exit", (code) => (code === 0 || released ? resolve() : reject(new Error(`The worker "${name}" of "${activation.id}" ended with code ${code}.`))));
  ended.catch((fault: unknown) => activation.reportFault(fault, `the worker "${name}"`));
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer as ArrayBuffer[]),
    onMessage: (listener) => listen(worker, (message) => runAs(activation, () => listener(message as Out))),
    ended,
    async release() {
      released = true;
      await worker.terminate();
    },
  };
}

function listen(worker: Worker, heard: (message: unknown) => void): Releasable {
  worker.on("message", heard);
  return releasable(() => void worker.off("message", heard));
}
