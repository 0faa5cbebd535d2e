import type { LongboxClient } from "@longbox/sdk/client";
import { Player } from "./player.js";

let only: Player | undefined;

/** The player of this window. */
export function playerOf(longbox: LongboxClient): Player {
  only ??= new Player(longbox);
  return only;
}
