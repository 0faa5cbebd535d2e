import type { ClientDownload } from "@longbox/downloads/contract";

/** A torrent that a client has. */
export interface HeldTorrent {
  /** 40 digits of lower-case hex: that of version 1, else that of version 2, cut to this length. */
  readonly hash: string;
  /** By which the client knows it. */
  readonly id: string;
  /** Tags or labels. */
  readonly labels: readonly string[];
  /** Added a moment ago and neither labelled nor started: the second step did not come. */
  readonly isUnfinished: boolean;
  readonly download: DistributiveOmit<ClientDownload, "id">;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface NewTorrent {
  readonly hash: string;
  readonly label: string;
  /** The bytes of a torrent file, or a magnet link. */
  readonly content: Uint8Array | string;
  readonly signal: AbortSignal;
}

export interface Description {
  readonly version: string;
  /** Where it saves what Longbox adds, as the client calls it. */
  readonly folder: string;
}

/** What Longbox asks of a torrent program. All of it throws `UpstreamFailure` when the program cannot be asked now. */
export interface TorrentProgram {
  /** @throws {BadInput} the program refuses the torrent */
  add(torrent: NewTorrent): Promise<void>;
  withHashes(hashes: readonly string[]): Promise<readonly HeldTorrent[]>;
  withLabel(label: string): Promise<readonly HeldTorrent[]>;
  /** Gives a torrent the label of another attempt, and lets it go on. */
  relabel(torrent: HeldTorrent, label: string): Promise<void>;
  remove(torrent: HeldTorrent, options: { readonly deleteFiles: boolean }): Promise<void>;
  describe(signal: AbortSignal): Promise<Description>;
}
