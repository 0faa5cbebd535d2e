import type { Torrent } from "./torrents/torrent.js";
import type { AbilitiesAnswer } from "./torznab/abilities.js";
import type { Feed } from "./torznab/feed.js";

/** What the thread does with what came from outside. */
export type ParsingTasks = {
  feed: { input: Uint8Array; output: Feed };
  abilities: { input: Uint8Array; output: AbilitiesAnswer };
  torrent: { input: Uint8Array; output: Torrent };
};
