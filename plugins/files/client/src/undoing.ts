import type { LongboxClient } from "@longbox/sdk/client";
import type { MoveBatch, Undone } from "./shapes.js";
import { count } from "./wording.js";

/** The newest batch of the journal, for who may read it. */
export async function newestBatch(longbox: LongboxClient): Promise<MoveBatch | undefined> {
  if (!longbox.may("system.jobs")) return undefined;
  return (await longbox.api<MoveBatch[]>("/api/library/moves"))[0];
}

/** Does something that may move files. @returns the batch it made, as far as it can be undone by whoever asked */
export async function batchOf(longbox: LongboxClient, what: string, work: () => Promise<void>): Promise<MoveBatch | undefined> {
  const before = await newestBatch(longbox);
  await work();
  const after = await newestBatch(longbox);
  return after && after.what === what && after.id !== before?.id && after.moves > 0 ? after : undefined;
}

/** Puts a batch back. @returns a sentence about it @throws {Error} when some of it had to stay */
export async function undo(longbox: LongboxClient, batchId: number): Promise<string> {
  const { moved, failed } = await longbox.api<Undone>(`/api/library/moves/${batchId}/undo`, { method: "POST" });
  const back = `${count(moved, "file")} ${moved === 1 ? "is" : "are"} back where ${moved === 1 ? "it was" : "they were"}.`;
  if (failed[0]) throw new Error(`${back} ${count(failed.length, "file")} could not be put back: ${failed[0].error}`);
  return back;
}
