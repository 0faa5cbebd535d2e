import { workerData } from "node:worker_threads";
import { readWhoRuns, type Sight } from "../plugins/who-runs.js";
import { clearBlockingMark, writeBlockingMark } from "./blocked-note.js";

/** What the thread is given. */
export interface WatchThreadGiven {
  readonly shared: SharedArrayBuffer;
  readonly dataFolder: string;
}

/** Longer than the time between two turns that are told. */
const everyMs = 1_000;

const { shared, dataFolder } = workerData as WatchThreadGiven;
let last: Sight = readWhoRuns(shared);
let marked = false;

/** Whoever runs at two looks without anything having happened in between is stuck. */
function look(): void {
  const now = readWhoRuns(shared);
  const stuck = now.id !== undefined && now.turns === last.turns && now.changes === last.changes;
  last = now;
  if (stuck === marked) return;
  marked = stuck;
  if (stuck) writeBlockingMark(dataFolder, now.id!);
  else clearBlockingMark(dataFolder);
}

clearBlockingMark(dataFolder);
setInterval(look, everyMs);
