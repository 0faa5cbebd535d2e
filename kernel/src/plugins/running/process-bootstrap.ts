import { Worker } from "node:worker_threads";
import { giveWayAsProcess } from "./giving-way.js";
import { tooMuchMemoryCode, type ProcessStart } from "./process-protocol.js";
import type { ThreadStart } from "./worker-bootstrap.js";

// A worker of a plugin that runs in a process of its own starts here. The module runs in a thread, as elsewhere; this
// thread passes messages on, and stays free to see how much memory is taken.
const lookEveryMs = 20;

giveWayAsProcess();

process.once("message", ({ module, data, memoryBytes }: ProcessStart) => {
  const worker = new Worker(new URL("./worker-bootstrap.js", import.meta.url), {
    workerData: { module, data, zlibCalls: [] } satisfies ThreadStart,
  });
  process.on("message", (message) => worker.postMessage(message));
  worker.on("message", (message: object) => process.send?.(message));
  worker.once("error", (fault) => {
    process.stderr.write(`${String(fault)}\n`);
    process.exit(1);
  });
  worker.once("exit", (code) => process.exit(code));
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) process.exit(tooMuchMemoryCode);
  }, lookEveryMs);
});
// The server has ended, in whatever way.
process.once("disconnect", () => process.exit(0));
