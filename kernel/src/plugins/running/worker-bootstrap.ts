import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import worker, { Worker, type WorkerOptions } from "node:worker_threads";
import { usePackedModules } from "../../memory/packed-modules.js";
import { restWhenIdle } from "../../memory/resting.js";
import { giveWay } from "./giving-way.js";
import { shareSingletonsWithAll } from "./host-singletons.js";

// A thread of a plugin starts here, so that its module finds the host's singletons and its own `workerData`.
const { module, data } = worker.workerData as { module: string; data: unknown };
giveWay();
restWhenIdle();
usePackedModules();
// Modules of other plugins may be imported here, too: see `workerUrl` in the SDK.
shareSingletonsWithAll();
(worker as { workerData: unknown }).workerData = data;

/** Threads that a plugin's thread starts begin here too, because module resolution is set up per thread. */
class NestedWorker extends Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const isFile = !options.eval && (file instanceof URL ? file.protocol === "file:" : true);
    if (!isFile) super(file, options);
    else
      super(new URL(import.meta.url), {
        ...options,
        workerData: {
          module: file instanceof URL ? fileURLToPath(file) : file,
          data: options.workerData as unknown,
        },
      });
  }
}
(worker as { Worker: typeof Worker }).Worker = NestedWorker;
syncBuiltinESMExports();
await import(pathToFileURL(module).href);
