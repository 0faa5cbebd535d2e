import { parentPort } from "node:worker_threads";
import { partialMd5 } from "./fingerprints/partial-md5.js";
import { CurrentFile } from "./inspecting/current-file.js";
import { FileInspector } from "./inspecting/file-inspector.js";
import { FileWindow } from "./inspecting/file-window.js";
import type { InspectedPath } from "./inspecting/inspected-path.js";
import { loadFormats, type LoadedFormats } from "./inspecting/loaded-formats.js";
import { unpackList, type FromWorker, type KnownFile, type ToWorker } from "./scan/messages.js";
import { findFileOrFolder } from "./scan/walk.js";
import { scanRoot } from "./scan/scan-thread.js";

/** Batches that may wait to be stored: enough to keep both sides busy, few enough to keep memory flat. */
const batchesAhead = 3;
/** How many files outside of libraries one message describes. */
const toldAtOnce = 20;

const port = parentPort;
if (!port) throw new Error("This module is the scanning thread of the files plugin.");

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
  if (message.kind === "known") for (const file of unpackList(message.files)) known.set(file.path, file);
  else if (message.kind === "stored") waiting--;
  else if (message.kind === "cancel") isCancelled = true;
  else {
    // The thread may have scanned before; what belonged to that has arrived by now.
    waiting = 0;
    isCancelled = false;
    void perform(message).then(
      (answer) => port.postMessage(answer),
      // A failure of the thread itself ends it, and the scan says so.
      (thrown) =>
        setImmediate(() => {
          throw thrown;
        }),
    );
  }
  roomMade?.();
});

async function perform(order: Extract<ToWorker, { kind: "scan" | "inspect" | "fingerprint" }>): Promise<FromWorker> {
  if (order.kind === "fingerprint") return fingerprintAll(order.paths, new CurrentFile(order.shared));
  const { formats, broken } = await loadFormats(order.formats);
  if (broken.length > 0) talk.send({ kind: "broken", formats: broken });
  const inspector = new FileInspector({
    formats,
    current: new CurrentFile(order.shared),
    refused: new Map(order.refused.map(({ path, error }) => [path, error])),
    longestMs: order.longestMs,
    rootFolder: order.kind === "scan" ? order.root.rootFolder : undefined,
    abandoned: () => talk.send({ kind: "abandoned" }),
  });
  if (order.kind === "inspect")
    return { kind: "inspected", files: await inspectAll(order.paths, inspector, formats), last: true };
  const scan = { root: order.root, known, formats, inspector, read: new Set(order.read) };
  const outcome = await scanRoot(scan, talk);
  known.clear();
  return { kind: "done", outcome };
}

/** Looks into files and tells of them a few at a time. @returns those that were not told of yet */
async function inspectAll(
  paths: readonly string[],
  inspector: FileInspector,
  formats: LoadedFormats,
): Promise<InspectedPath[]> {
  let files: InspectedPath[] = [];
  for (const path of paths) {
    const found = findFileOrFolder(path, formats);
    if (!found) continue;
    const { isFolder, ...file } = found;
    const { inspection, ...rest } = await inspector.inspect({ ...file, isFolder, hasCompanions: file.tagsMs > 0 });
    files.push({ ...file, ...rest, inspection: { ...inspection, identity: undefined } });
    if (files.length < toldAtOnce) continue;
    talk.send({ kind: "inspected", files, last: false });
    files = [];
  }
  return files;
}

/** The samples of each file that devices make fingerprints of; a file that cannot be read has none. */
function fingerprintAll(paths: readonly string[], current: CurrentFile): FromWorker {
  const window = new FileWindow();
  const files = paths.map((path) => {
    current.begin(path);
    try {
      window.open(path);
      return { path, partialMd5: partialMd5((offset, length) => window.readUpTo(offset, length)) };
    } catch {
      return { path, partialMd5: undefined };
    } finally {
      window.close();
      current.end();
    }
  });
  return { kind: "fingerprints", files };
}
