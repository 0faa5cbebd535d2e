import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import worker, { Worker, type WorkerOptions } from "node:worker_threads";
import { usePackedModules } from "../../memory/packed-modules.js";
import { restWhenIdle } from "../../memory/resting.js";
import { countZlibCalls, newZlibCalls, stopZlibCalls, type ZlibCalls } from "../containment/zlib-calls.js";
import { giveWay } from "./giving-way.js";
import { shareSingletonsWithAll } from "./host-singletons.js";

/** What a thread of a plugin is started with. */
export interface ThreadStart {
  readonly module: string;
  /** Its `workerData`. */
  readonly data: unknown;
  /** Its own, and those of the threads that it ends with; none where it ends with its process. */
  readonly zlibCalls: readonly ZlibCalls[];
}

// A thread of a plugin starts here, so that its module finds the host's singletons and its own `workerData`.
const { module, data, zlibCalls } = worker.workerData as ThreadStart;
giveWay();
if (zlibCalls.length > 0) countZlibCalls(zlibCalls);
restWhenIdle();
usePackedModules();
// Modules of other plugins may be imported here, too: see `workerUrl` in the SDK.
shareSingletonsWithAll();
(worker as { workerData: unknown }).workerData = data;

/** Threads that a plugin's thread starts begin here too, because module resolution is set up per thread. */
class NestedWorker extends Worker {
  readonly #calls: ZlibCalls;

  constructor(file: string | URL, options: WorkerOptions = {}) {
    const isFile = !options.eval && (file instanceof URL ? file.protocol === "file:" : true);
    const calls = newZlibCalls();
    if (!isFile) super(file, options);
    else
      super(new URL(import.meta.url), {
        ...options,
        workerData: {
          module: file instanceof URL ? fileURLToPath(file) : file,
          data: options.workerData as unknown,
          zlibCalls: [calls, ...zlibCalls],
        } satisfies ThreadStart,
      });
    this.#calls = calls;
  }

  override async terminate(): Promise<number> {
    await stopZlibCalls(this.#calls);
    return await super.terminate();
  }
}
(worker as { Worker: typeof Worker }).Worker = NestedWorker;
syncBuiltinESMExports();
await import(pathToFileURL(module).href);
