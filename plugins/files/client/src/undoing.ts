import type { LongboxClient } from "@longbox/sdk/client";
import { confirm, t } from "@longbox/sdk/ui";
import type { Undone, UndoPlan } from "@longbox/files/api";
import { commonFolder } from "./plan.js";

/**
 * Puts a batch back, after a question that shows how many files would move and where.
 * @returns a sentence about it; undefined when the user does not want it @throws {Error} when some of it had to stay
 */
export async function undo(longbox: LongboxClient, batchId: number): Promise<string | undefined> {
  const path = `/api/library/moves/${batchId}`;
  const plan = await longbox.api<UndoPlan>(`${path}/undo-plan`);
  if (!(await isWanted(plan))) return undefined;
  const { moved, failed } = await longbox.api<Undone>(`${path}/undo`, { method: "POST" });
  const back = t("undoing.filesAreBackWhere", { moved });
  if (failed[0])
    throw new Error(
      `${back} ${t("undoing.filesCouldNotBe", { failed: failed.length, error: longbox.said(failed[0].error) })}`,
    );
  return back;
}

async function isWanted({ count, moves }: UndoPlan): Promise<boolean> {
  const root = commonFolder(moves.flatMap(({ from, to }) => [from, to]));
  const below = (full: string) => full.slice(root.length);
  const more = count - moves.length;
  const answer = await confirm({
    heading: t("undoing.putFilesBack", { count }),
    text: root === "" ? t("undoing.nothingIsOverwritten") : t("undoing.allBelow", { root }),
    plan: [
      ...moves.map(({ from, to }) => t("undoing.fromTo", { from: below(from), to: below(to) })),
      ...(more > 0 ? [t("plan.andFilesMore", { changing: more })] : []),
    ],
    action: t("undoing.moveFilesBack", { count }),
  });
  return answer !== undefined;
}
