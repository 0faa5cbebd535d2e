import inspector from "node:inspector";
import { getCallSites } from "node:util";
import { Worker } from "node:worker_threads";
import { whoRuns } from "../plugins/containment/attribution.js";
import { noteBlockingCalls, noteEverything } from "../plugins/containment/blocking-calls.js";
import { currentCause, describeCause } from "../plugins/containment/request-cause.js";
import { BlockingMark } from "./blocking-mark.js";
import { abandonKey, closeWatchVariable, heartbeatMs, sightingKey, type Sighting } from "./protocol.js";
import type { WatchThreadGiven } from "./watch-thread.js";

/** How long the kernel looks more closely after it got stuck at an unknown place. */
const closeWatchMs = 60 * 60_000;

/** What this process does for its supervisor. */
export interface Watched {
  /** Called twice a second, as long as the event loop turns. */
  turned(): void;
  /** Called while the process stands still, and is killed next. */
  abandonRequests(): void;
}

/**
 * Lets the supervisor find out who is to blame when this process is stuck outside of JavaScript, and tells twice a
 * second that the event loop turns.
 */
export function watchForBlocking(dataFolder: string, { turned, abandonRequests }: Watched): void {
  Object.assign(globalThis, { [Symbol.for(sightingKey)]: toldSighting, [Symbol.for(abandonKey)]: abandonRequests });
  if (process.env[closeWatchVariable] === "1") watchClosely(dataFolder);
  else {
    const mark = BlockingMark.open(dataFolder);
    noteBlockingCalls((id) => mark.set(id, id === undefined ? undefined : toldCause()));
  }
  const wantedInspector = inspector.url() !== undefined;
  setInterval(() => {
    whoRuns.turned();
    turned();
    // The supervisor has asked where we are, and we go on: no other program on this machine should find a debugger
    // open.
    if (!wantedInspector && inspector.url() !== undefined) inspector.close();
  }, heartbeatMs).unref();
}

/** As many functions of a stack as `getCallSites` can tell. */
const mostFrames = 200;

/** What this process was at when it was interrupted for this. */
function toldSighting(): string {
  const stack = getCallSites(mostFrames).map(({ scriptName, lineNumber, functionName }) => ({
    url: scriptName,
    line: lineNumber,
    functionName,
  }));
  return JSON.stringify({ stack, cause: toldCause() } satisfies Sighting);
}

/** For which request this process runs now, as text; undefined for what no request causes. */
function toldCause(): string | undefined {
  const cause = currentCause();
  return cause && JSON.stringify(describeCause(cause));
}

/** A thread beside this one sees who runs at any moment, and writes down who does not stop. It takes some 12 MB. */
function watchClosely(dataFolder: string): void {
  noteEverything(closeWatchMs, toldCause);
  const given: WatchThreadGiven = { shared: whoRuns.shared, dataFolder };
  const worker = new Worker(new URL("./watch-thread.js", import.meta.url), {
    name: "watch",
    workerData: given,
    stdin: false,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  setTimeout(() => void worker.terminate(), closeWatchMs).unref();
}
