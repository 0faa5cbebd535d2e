import { workerData } from "node:worker_threads";
import { readWhoRuns, type Sight } from "../plugins/containment/who-runs.js";
import { BlockingMark } from "./blocking-mark.js";

/** What the thread is given. */
export interface WatchThreadGiven {
  readonly shared: SharedArrayBuffer;
  readonly dataFolder: string;
}

/** Longer than the time between two turns that are told. */
const everyMs = 1_000;

const { shared, dataFolder } = workerData as WatchThreadGiven;
const mark = BlockingMark.open(dataFolder);
let last: Sight = readWhoRuns(shared);

/** A plugin that runs at two looks without anything having happened in between is stuck. */
function look(): void {
  const now = readWhoRuns(shared);
  const stuck = now.turns === last.turns && now.changes === last.changes;
  mark.set(stuck ? now.id : undefined, now.cause);
  last = now;
}

setInterval(look, everyMs);
