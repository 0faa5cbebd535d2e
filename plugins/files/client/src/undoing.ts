import type { LongboxClient } from "@longbox/sdk/client";
import { count } from "@longbox/sdk/ui";
import type { Undone } from "@longbox/files/api";

/** Puts a batch back. @returns a sentence about it @throws {Error} when some of it had to stay */
export async function undo(longbox: LongboxClient, batchId: number): Promise<string> {
  const { moved, failed } = await longbox.api<Undone>(`/api/library/moves/${batchId}/undo`, { method: "POST" });
  const back = `${count(moved, "file")} ${moved === 1 ? "is" : "are"} back where ${moved === 1 ? "it was" : "they were"}.`;
  if (failed[0]) throw new Error(`${back} ${count(failed.length, "file")} could not be put back: ${failed[0].error}`);
  return back;
}
