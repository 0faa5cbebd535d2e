import { rm } from "node:fs/promises";
import type { Logger } from "@longbox/sdk";
import type { Moves } from "../moving/moves.js";
import type { PlacementTable } from "../tables.js";
import type { Knowing } from "./knowing.js";
import type { Placements } from "./placements.js";

export interface RecoveringParts {
  readonly placements: Placements;
  readonly moves: Moves;
  readonly knowing: Pick<Knowing, "takeOver">;
  readonly log: Logger;
}

/**
 * After a stop: a file that arrived stays, and is made known when its key comes again or by the next scan; one that did
 * not is taken back, with what it was to replace. Comes after the recovery of the moves.
 */
export async function recoverPlacements(parts: RecoveringParts): Promise<void> {
  for (const placement of await parts.placements.listUnfinished()) {
    const arrived = placement.state === "placed" || (await hasArrived(placement, parts.moves));
    if (arrived) {
      await parts.placements.change(placement.key, { state: "placed" });
      await parts.knowing.takeOver(placement);
    } else {
      if (placement.batch_id !== null) await parts.moves.putBack(placement.batch_id);
      if (placement.staged !== null) await rm(placement.staged, { recursive: true, force: true });
      await parts.placements.drop(placement.key);
    }
    parts.log.warn("A file that was being placed when the server stopped has been put in order", {
      key: placement.key,
      arrived,
    });
  }
}

/** The file itself is the last move of its batch. */
async function hasArrived({ batch_id }: PlacementTable, moves: Moves): Promise<boolean> {
  return batch_id !== null && (await moves.statesOf(batch_id)).at(-1) === "done";
}
