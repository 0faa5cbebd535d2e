import type { CollectionContract } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { Counted } from "../counting/counting.js";
import type { Chance } from "./chance.js";

/** Where quests come from. */
export interface Desk {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
}

/** The user for whom quests are drawn. */
export interface Reader {
  readonly viewer: Viewer;
  readonly counted: readonly Counted[];
  readonly today: string;
  readonly chance: Chance;
}
