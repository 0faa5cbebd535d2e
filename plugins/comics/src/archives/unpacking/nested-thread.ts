import { Worker } from "node:worker_threads";
import type { FromUnpackThread } from "./tasks.js";
import type { UnpackThread } from "./unpacker.js";

/** Starts the unpacking thread from another thread, whose end it shares. */
export function startNestedThread(module: URL): UnpackThread {
  const worker = new Worker(module, { stdin: false });
  worker.on("error", () => undefined);
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on("message", (message: FromUnpackThread) => listener(message)),
    onEnd: (listener) => void worker.once("exit", listener),
    async release() {
      await worker.terminate();
    },
  };
}
