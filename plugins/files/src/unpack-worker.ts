import { parentPort } from "node:worker_threads";
import type { FromUnpackThread, ToUnpackThread, UnpackTask } from "./archives/unpacking/tasks.js";
import { UnreadableArchive } from "./archives/unreadable.js";

const port = parentPort;
if (!port) throw new Error("This module is the unpacking thread of the files plugin.");

port.on("message", ({ id, task }: ToUnpackThread) => {
  void perform(task).then(
    (result) => port.postMessage({ id, ok: true, result } satisfies FromUnpackThread),
    (thrown: unknown) => {
      const reason = thrown instanceof UnreadableArchive ? thrown.reason : undefined;
      port.postMessage({ id, ok: false, reason, message: thrown instanceof Error ? thrown.message : String(thrown) } satisfies FromUnpackThread);
    },
  );
});

/** Each format's code is loaded when it is first needed: most libraries hold one of them. */
async function perform(task: UnpackTask): Promise<unknown> {
  if (task.kind === "count-pdf") return (await import("./archives/unpacking/pdf.js")).countPdfPages(task.path);
  if (task.kind === "pdf-page") return (await import("./archives/unpacking/pdf.js")).readPdfPage(task.path, task.page);
  if (task.kind === "unzip") return (await import("./archives/unpacking/seven-zip.js")).unpackSmallZip(task.zip);
  if (task.format === "rar") {
    const { extractRar, listRar } = await import("./archives/unpacking/rar.js");
    return task.kind === "list" ? listRar(task.path) : extractRar(task.path, task.names, task.folder);
  }
  const { extractSevenZip, listSevenZip } = await import("./archives/unpacking/seven-zip.js");
  return task.kind === "list" ? listSevenZip(task.path) : extractSevenZip(task.path, task.names, task.folder);
}
