import { parentPort } from "node:worker_threads";
import { otherFormats } from "./archives/other-formats.js";
import { startNestedThread } from "./archives/unpacking/nested-thread.js";
import { Unpacker } from "./archives/unpacking/unpacker.js";
import type { FromWorker, KnownFile, ToWorker } from "./scan/messages.js";
import { scanRoot } from "./scan/scan-thread.js";

/** Batches that may wait to be stored: enough to keep both sides busy, few enough to keep memory flat. */
const batchesAhead = 3;
/** No archive is worth a longer wait during a scan. */
const longestUnpackingMs = 30_000;

const port = parentPort;
if (!port) throw new Error("This module is the scanning thread of the files plugin.");

// A format that hangs or crashes takes only the thread below this one with it.
const unpacker = new Unpacker(() => startNestedThread(new URL("./unpack-worker.js", import.meta.url)), { taskMs: longestUnpackingMs, idleMs: 5000 });
const known = new Map<string, KnownFile>();
let waiting = 0;
let isCancelled = false;
let roomMade: (() => void) | undefined;

const talk = {
  send(message: FromWorker) {
    if (message.kind === "batch") waiting++;
    port.postMessage(message);
  },
  async untilRoom() {
    while (waiting >= batchesAhead && !isCancelled) await new Promise<void>((resolve) => (roomMade = resolve));
  },
  cancelled: () => isCancelled,
};

port.on("message", (message: ToWorker) => {
  if (message.kind === "known") for (const file of message.files) known.set(file.path, file);
  else if (message.kind === "stored") waiting--;
  else if (message.kind === "cancel") isCancelled = true;
  else
    void scanRoot(message.root, known, otherFormats(unpacker), talk).then(
      (outcome) => port.postMessage({ kind: "done", outcome } satisfies FromWorker),
      // A failure of the thread itself ends it, and the scan says so.
      (thrown) => setImmediate(() => { throw thrown; }),
    );
  roomMade?.();
});
