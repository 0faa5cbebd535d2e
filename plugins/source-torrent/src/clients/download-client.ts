import type { ClientDownload, ClientOrder, DownloadClient, Grab } from "@longbox/downloads/contract";
import { BadInput, type PluginContext } from "@longbox/sdk";
import { isUsable, type ClientEntry } from "../settings.js";
import { idOf, isOwnLabel, labelOf, readId } from "./labels.js";
import type { HeldTorrent, TorrentProgram } from "./program.js";

/** A torrent program as the queue of downloads knows it. */
export function downloadClientOf(
  entry: ClientEntry,
  program: TorrentProgram,
  context: Pick<PluginContext, "host">,
): DownloadClient {
  const client = new LabelledClient(program);
  return {
    id: `source-torrent:${entry.id}`,
    name: entry.name,
    enabled: entry.enabled && isUsable(entry),
    protocol: "torrent",
    shares: true,
    removesImported: false,
    add: (grab, order) => client.add(grab, order),
    find: (order) => client.find(order),
    poll: (ids) => client.poll(ids),
    remove: (id, options) => client.remove(id, options),
    resting: async () => (isUsable(entry) ? context.host(entry.url).state().resting : undefined),
  };
}

class LabelledClient {
  constructor(private readonly program: TorrentProgram) {}

  async add(grab: Grab, { key, signal }: ClientOrder): Promise<{ readonly id: string }> {
    if (grab.infoHash === undefined) throw refused("Nothing says which torrent it is.");
    const hash = shortHash(grab.infoHash);
    const label = labelOf(key);
    const [held] = await this.program.withHashes([hash]);
    if (!held || (await this.#removeFailed(held)))
      await this.program.add({ hash, label, signal, content: grab.kind === "file" ? grab.bytes : grab.uri });
    else if (!held.isUnfinished && !held.labels.some(isOwnLabel))
      throw refused("The client has this torrent already, and not from Longbox.");
    else if (!held.labels.includes(label)) await this.program.relabel(held, label);
    return { id: idOf(hash, key) };
  }

  /** What failed there in an earlier attempt would fail again, if it was gone on with. */
  async #removeFailed(held: HeldTorrent): Promise<boolean> {
    if (held.download.state !== "failed" || !held.labels.some(isOwnLabel)) return false;
    await this.program.remove(held, { deleteFiles: true });
    return true;
  }

  async find({ key, infoHash }: { readonly key: string; readonly infoHash?: string | undefined }) {
    const [labelled] = await this.program.withLabel(labelOf(key));
    if (labelled) return { id: idOf(labelled.hash, key) };
    if (infoHash === undefined) return undefined;
    const [held] = await this.program.withHashes([shortHash(infoHash)]);
    if (!held?.isUnfinished) return undefined;
    await this.program.relabel(held, labelOf(key));
    return { id: idOf(held.hash, key) };
  }

  async poll(ids: readonly string[]): Promise<ClientDownload[]> {
    const held = await this.program.withHashes([...new Set(ids.map((id) => readId(id).hash))]);
    const byHash = new Map(held.map((torrent) => [torrent.hash, torrent.download]));
    return ids.flatMap((id) => {
      const download = byHash.get(readId(id).hash);
      return download ? [{ ...download, id }] : [];
    });
  }

  async remove(id: string, options: { readonly deleteFiles: boolean }): Promise<void> {
    const { hash, key } = readId(id);
    const [held] = await this.program.withHashes([hash]);
    // Without a label it is that of an attempt which has just begun.
    const isOthers = held?.isUnfinished === true || held?.labels.some(isOwnLabel) === true;
    if (held && (held.labels.includes(labelOf(key)) || !isOthers)) await this.program.remove(held, options);
  }
}

/** Programs cut the hash of version 2 to the length of version 1. */
const shortHash = (infoHash: string) => infoHash.slice(0, 40);
const refused = (reason: string) => new BadInput("source-torrent/client-refuses", reason);
