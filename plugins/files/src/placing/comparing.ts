import type { Holding } from "@longbox/collection/contract";
import type { Inspection } from "../contract.js";

/** Whether a file is better than the one that an issue has: readable, longer, or as long and tagged. */
export function isBetter(
  { measure, tagged, error }: Pick<Inspection, "measure" | "tagged" | "error">,
  held: Pick<Holding, "valid" | "pages" | "seconds" | "tagged">,
): boolean {
  if (error !== undefined) return false;
  if (!held.valid) return true;
  const [mine, theirs] =
    measure.kind === "pages"
      ? [measure.pages, held.pages]
      : measure.kind === "seconds"
        ? [measure.seconds, held.seconds ?? 0]
        : [0, 0];
  return mine === theirs ? tagged && !held.tagged : mine > theirs;
}
