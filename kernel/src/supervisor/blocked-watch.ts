import inspector from "node:inspector";
import { Worker } from "node:worker_threads";
import { whoRuns } from "../plugins/attribution.js";
import { noteBlockingCalls, noteEverything } from "../plugins/blocking-calls.js";
import { closeWatchVariable, heartbeatMs } from "./protocol.js";
import type { WatchThreadGiven } from "./watch-thread.js";

/** How long the kernel looks more closely after it got stuck nobody knew where. */
const closeWatchMs = 60 * 60_000;

/**
 * Lets a thread beside this one know who runs, so that the supervisor can be told who is to blame when this one is stuck
 * outside of JavaScript; and tells, twice a second, that the event loop turns.
 */
export function watchForBlocking(dataFolder: string, turned: () => void): void {
  noteBlockingCalls();
  if (process.env[closeWatchVariable] === "1") noteEverything(closeWatchMs);
  const given: WatchThreadGiven = { shared: whoRuns.shared, dataFolder };
  new Worker(new URL("./watch-thread.js", import.meta.url), { name: "watch", workerData: given, stdin: false, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 } }).unref();
  const wantedInspector = inspector.url() !== undefined;
  setInterval(() => {
    whoRuns.turned();
    turned();
    // The supervisor has asked where we are, and we go on: nobody else on this machine shall find a debugger open.
    if (!wantedInspector && inspector.url() !== undefined) inspector.close();
  }, heartbeatMs).unref();
}
