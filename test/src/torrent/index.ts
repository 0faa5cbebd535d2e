export { bencode } from "./bencode.js";
export type { Bencodable } from "./bencode.js";
export { makeTorrent } from "./making.js";
export type { MadeTorrent, TorrentPlan } from "./making.js";
export { isInstalled, startQbittorrent, startTransmission } from "./programs.js";
export type { RunningClient } from "./programs.js";
export { Swarm } from "./swarm.js";
export { feedOf, TorznabServer } from "./torznab.js";
export type { OfferedTorrent } from "./torznab.js";
