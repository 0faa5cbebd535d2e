import type { DownloadClient } from "@longbox/downloads/contract";
import { isWebAddress } from "../settings.js";
import type { AskingClient } from "./asking-client.js";
import { Nzbget } from "./nzbget.js";
import { Sabnzbd } from "./sabnzbd.js";

/** An entry of the settings as downloads uses it. */
export function clientOf(asking: AskingClient): DownloadClient {
  const { id, name, kind, enabled, url, removeImported } = asking.entry;
  const program = kind === "sabnzbd" ? new Sabnzbd(asking) : new Nzbget(asking);
  return {
    id: `source-usenet:${id}`,
    name,
    enabled: enabled && isWebAddress(url),
    protocol: "usenet",
    shares: false,
    removesImported: removeImported,
    add: (grab, order) => program.add(grab, order),
    find: ({ key }) => program.find(key),
    poll: (ids) => program.poll(ids),
    remove: (downloadId, { deleteFiles }) => program.remove(downloadId, deleteFiles),
    resting: () => asking.resting(),
  };
}
