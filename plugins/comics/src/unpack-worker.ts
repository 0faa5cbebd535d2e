import { parentPort } from "node:worker_threads";
import type { FromUnpackThread, ToUnpackThread, UnpackTask } from "./archives/unpacking/tasks.js";
import { UnreadableArchive } from "./archives/unreadable.js";

const port = parentPort;
if (!port) throw new Error("This module is the unpacking thread of the comics plugin.");

port.on("message", ({ id, task }: ToUnpackThread) => {
  void perform(task).then(
    (result) => port.postMessage({ id, ok: true, result } satisfies FromUnpackThread),
    (thrown: unknown) => {
      const reason = thrown instanceof UnreadableArchive ? thrown.reason : undefined;
      port.postMessage({
        id,
        ok: false,
        reason,
        message: thrown instanceof Error ? thrown.message : String(thrown),
      } satisfies FromUnpackThread);
    },
  );
});

/** Each format's code is loaded when it is first needed: most libraries hold one of them. */
async function perform(task: UnpackTask): Promise<unknown> {
  switch (task.kind) {
    case "count-pdf":
      return (await import("./archives/unpacking/pdf.js")).countPdfPages(task.path);
    case "pdf-page":
      return (await import("./archives/unpacking/pdf.js")).readPdfPage(task.path, task.page);
    case "list-zip":
      return (await import("./archives/unpacking/listing.js")).listZip(task.path);
    case "list-tar":
      return (await import("./archives/unpacking/listing.js")).listTar(task.path);
    case "list-epub":
      return (await import("./archives/epub/list-epub.js")).listEpub(task.path);
    case "read-tags":
      return (await import("./tagging/former-tags.js")).readFormerTags(task);
    case "write-tags":
      return (await import("./tagging/zip-rewriting.js")).writeWithTags(task.path, task.descriptor, task.tags);
    default:
      return (await import("./archives/unpacking/reader-module.js")).performByReader(task);
  }
}
