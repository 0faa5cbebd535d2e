import { BadInput } from "@longbox/sdk";
import { z } from "zod";
import type { ClientEntry } from "../settings.js";
import { isOwnLabel } from "./labels.js";
import type { Description, HeldTorrent, NewTorrent, TorrentProgram } from "./program.js";
import { Refusal, type TransmissionRpc } from "./transmission-rpc.js";
import { heldOf, torrentFields, torrentSchema } from "./transmission-states.js";

const anything = z.unknown();
const listSchema = z.object({ torrents: z.array(torrentSchema) });
const sessionSchema = z.object({ version: z.string(), "download-dir": z.string() });

/** Transmission 2.80 and later by its RPC. Labels, by which attempts are known, need 3.00. */
export class Transmission implements TorrentProgram {
  constructor(
    private readonly rpc: TransmissionRpc,
    private readonly entry: ClientEntry,
  ) {}

  /** Stopped at first, so that a torrent that was added and not labelled yet can be told from those of others. */
  async add({ hash, label, content, signal }: NewTorrent): Promise<void> {
    const given =
      typeof content === "string" ? { filename: content } : { metainfo: Buffer.from(content).toString("base64") };
    await this.rpc
      .call("torrent-add", { ...given, paused: true }, { schema: anything, signal })
      .catch((fault: unknown) => {
        // The words differ between versions; that it answered at all says that the torrent is at fault.
        if (fault instanceof Refusal) throw new BadInput("source-torrent/client-refuses", fault.message);
        throw fault;
      });
    await this.#labelAndStart(hash, this.#labelsWith(label));
  }

  withHashes(hashes: readonly string[]): Promise<HeldTorrent[]> {
    return this.#list({ ids: hashes });
  }

  async withLabel(label: string): Promise<HeldTorrent[]> {
    return (await this.#list({})).filter(({ labels }) => labels.includes(label));
  }

  async relabel({ id, labels, isUnfinished }: HeldTorrent, label: string): Promise<void> {
    const kept = isUnfinished ? this.#labelsWith(label) : [...labels.filter((each) => !isOwnLabel(each)), label];
    await this.#labelAndStart(id, kept);
  }

  async remove({ id }: HeldTorrent, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    await this.rpc.call("torrent-remove", { ids: [id], "delete-local-data": deleteFiles }, { schema: anything });
  }

  async describe(signal: AbortSignal): Promise<Description> {
    const session = await this.rpc.call("session-get", {}, { schema: sessionSchema, signal });
    return { version: session.version.split(" ")[0]!, folder: session["download-dir"] };
  }

  async #list(which: { readonly ids?: readonly string[] }): Promise<HeldTorrent[]> {
    const { torrents } = await this.rpc.call(
      "torrent-get",
      { ...which, fields: torrentFields },
      { schema: listSchema },
    );
    return torrents.map((torrent) => heldOf(torrent, this.entry.pathMap));
  }

  async #labelAndStart(id: string, labels: readonly string[]): Promise<void> {
    await this.rpc.call("torrent-set", { ids: [id], labels }, { schema: anything });
    await this.rpc.call("torrent-start", { ids: [id] }, { schema: anything });
  }

  #labelsWith(label: string): string[] {
    return [this.entry.category, label].filter((each) => each !== "");
  }
}
