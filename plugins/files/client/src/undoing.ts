import type { LongboxClient } from "@longbox/sdk/client";
import { t } from "@longbox/sdk/ui";
import type { Undone } from "@longbox/files/api";

/** Puts a batch back. @returns a sentence about it @throws {Error} when some of it had to stay */
export async function undo(longbox: LongboxClient, batchId: number): Promise<string> {
  const { moved, failed } = await longbox.api<Undone>(`/api/library/moves/${batchId}/undo`, { method: "POST" });
  const back = t("undoing.filesAreBackWhere", { moved });
  if (failed[0])
    throw new Error(
      `${back} ${t("undoing.files", { failed: failed.length })} could not be put back: ${failed[0].error}`,
    );
  return back;
}
