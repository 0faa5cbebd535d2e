import { answerTasks } from "@longbox/sdk/worker";
import type { ParsingTasks } from "./parsing-tasks.js";
import { readTorrent } from "./torrents/torrent.js";
import { readAbilities } from "./torznab/abilities.js";
import { readFeed } from "./torznab/feed.js";

answerTasks<ParsingTasks>({ feed: readFeed, abilities: readAbilities, torrent: readTorrent });
