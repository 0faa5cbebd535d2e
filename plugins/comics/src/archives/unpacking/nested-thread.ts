import { Worker } from "node:worker_threads";
import type { FromUnpackThread } from "./tasks.js";
import type { UnpackThread } from "./unpacker.js";

/** As much as the scanning thread itself may have. */
const heapMegabytes = 256;

/** Starts the unpacking thread from another thread, whose end it shares. */
export function startNestedThread(module: URL): UnpackThread {
  const worker = new Worker(module, { stdin: false, resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on("message", (message: FromUnpackThread) => listener(message)),
    onEnd(listener) {
      worker.once("error", listener);
      worker.once("exit", () => listener());
    },
    async release() {
      await worker.terminate();
    },
  };
}
