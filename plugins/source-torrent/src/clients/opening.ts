import type { PluginContext } from "@longbox/sdk";
import type { ClientEntry } from "../settings.js";
import type { TorrentProgram } from "./program.js";
import { Qbittorrent } from "./qbittorrent.js";
import { QbittorrentSession } from "./qbittorrent-session.js";
import { Transmission } from "./transmission.js";
import { TransmissionRpc } from "./transmission-rpc.js";

/** The program of an entry; nothing is asked of it yet. */
export function programOf(entry: ClientEntry, context: Pick<PluginContext, "host">): TorrentProgram {
  return entry.kind === "qbittorrent"
    ? new Qbittorrent(new QbittorrentSession(context, entry), entry)
    : new Transmission(new TransmissionRpc(context, entry), entry);
}
