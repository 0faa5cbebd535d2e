import { extensionPoint } from "@longbox/sdk";
import type { Resting } from "./releases.js";
import type { Grab } from "./sources.js";

/** Why a client could not finish. All but `client` and `disk` blocklist the release. */
export type ClientFailure =
  /** Articles or pieces are missing. */
  | "incomplete"
  /** What arrived is damaged and cannot be repaired. */
  | "damaged"
  | "password"
  /** The client refused the file, as a duplicate or as unusable. */
  | "refused"
  /** The client's own trouble: it is tried again with the same release. */
  | "client"
  /** The client has no space left: it is tried again later. */
  | "disk";

/** How far a download of a client is. */
export type ClientDownload = {
  readonly id: string;
  /** In bytes; 0 while it is not known. */
  readonly sizeBytes: number;
  /** 0 to 1. */
  readonly progress: number;
  readonly bytesPerSecond?: number | undefined;
  readonly secondsLeft?: number | undefined;
} & (
  | { readonly state: "queued" | "downloading" | "paused" | "processing" }
  | {
      readonly state: "completed";
      /**
       * The absolute path of the file or folder on this server, after the path mappings of the client's settings.
       * Downloads reads it, and refuses links and what is not inside.
       */
      readonly path: string;
    }
  | { readonly state: "failed"; readonly failure: ClientFailure; readonly reason: string }
);

/** What a download is added with. */
export interface ClientOrder {
  /** 8 to 40 letters, digits and hyphens. Belongs to this attempt alone; `find` knows the download by it. */
  readonly key: string;
  /** The release's title, for people who look into the client. */
  readonly title: string;
  readonly signal: AbortSignal;
}

/**
 * A program that downloads for Longbox: SABnzbd, NZBGet, qBittorrent, Transmission. One for each entry of a list
 * setting.
 */
export interface DownloadClient {
  /** As that of a source: the plugin's id, `:`, and the id of the entry. */
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly protocol: "usenet" | "torrent";
  /**
   * It goes on sharing what is done: files are hard-linked or copied, never moved, and removal is left to its rules.
   */
  readonly shares: boolean;
  /** Whether an imported download is removed from the client, by its settings. Ignored while it shares. */
  readonly removesImported: boolean;
  /**
   * Adds a download. Called once for each key, save after a stop in between: then `find` is asked first.
   * @returns the client's id of it. A download that the client has already, by another key, is `failed` as `refused`.
   * @throws {BadInput} the client refuses it: the release is blocklisted, the message is the reason
   * @throws {UpstreamFailure} the client cannot be asked now: tried again later
   */
  add(grab: Grab, order: ClientOrder): Promise<{ readonly id: string }>;
  /**
   * The download that was added with this key; undefined when there is none. After a restart in the middle of `add`,
   * this decides whether it is added again, so that the client is left with no download that no item names. A client
   * that cannot store a key puts it into the name of the download, or knows torrents by `infoHash`.
   */
  find(order: {
    readonly key: string;
    readonly infoHash?: string | undefined;
  }): Promise<{ readonly id: string } | undefined>;
  /**
   * How far these downloads are. One that the client does not have is left out: after it was missing for five minutes
   * it counts as lost, so a short gap between the client's queue and history does no harm. Called every few seconds
   * while one of them is under way, and never otherwise.
   * @throws {UpstreamFailure} the client cannot be asked now
   */
  poll(ids: readonly string[]): Promise<readonly ClientDownload[]>;
  /** Removes a download; of one that is gone nothing. @throws {UpstreamFailure} */
  remove(id: string, options: { readonly deleteFiles: boolean }): Promise<void>;
  /** Whether its host is left alone now. */
  resting?(): Promise<Resting | undefined>;
}
export const DownloadClients = extensionPoint<DownloadClient>("downloadClients", "1.0.0");
