import { extensionPoint } from "@longbox/sdk";
import type { Release, ReleaseQuery, Resting, SearchControl, TestOutcome } from "./releases.js";

/** What sources and indexers have in common. One is contributed for each entry of a list setting. */
export interface Searchable {
  /**
   * Stable and unique: the id in the manifest of the plugin that contributes it, alone or followed by `:` and the id of
   * the entry in its list setting, such as `source-opds:3f1c`. At most 100 characters.
   */
  readonly id: string;
  /** How people know it, 1 to 100 characters. */
  readonly name: string;
  /** A person switched it off: it is listed and never asked. */
  readonly enabled: boolean;
  /** Its place among those that no person has ordered: lower numbers come first. Default 25. */
  readonly priority?: number | undefined;
  /**
   * Searches. What it does not know or cannot filter by is left to the queue, which checks every release.
   * @returns at most `query.limit` releases, best first; longer lists are cut
   * @throws {UpstreamFailure} the server cannot be asked now (`kernel/host-resting`, wrong key, no answer that can be
   *   read); other sources are asked all the same, and the person is told the message, which must hold no key
   */
  search(query: ReleaseQuery, control: SearchControl): Promise<readonly Release[]>;
  /**
   * What is new, newest first, for watching a feed without a search. Called every 15 minutes at most. Older pages are
   * read while none of a page's releases was seen, since some were missed then.
   */
  latest?(control: WatchControl): Promise<readonly Release[]>;
  /** Whether its host is left alone now: from `context.host(url).state().resting`. */
  resting?(): Promise<Resting | undefined>;
}

export interface WatchControl extends SearchControl {
  /** Whether any of these was listed by an earlier call, also before a restart; true while there was no such call. */
  hasSeen(releases: readonly Pick<Release, "guid">[]): Promise<boolean>;
}

/** Where a file can be fetched. */
export interface DownloadPlace {
  /** `http:` or `https:`. May hold a key. */
  readonly url: string;
  /** Sent to the origin of `url` and nowhere else. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The address that an admin entered for this source. A place of the same origin may be anywhere; every other place
   * has to be a public address, or one that an admin allows in the server's settings.
   */
  readonly configuredUrl?: string | undefined;
}

/** What Longbox downloads by itself. */
export interface DirectDownload {
  /** At least one; tried in this order. All hold the same bytes. */
  readonly places: readonly DownloadPlace[];
  /** With its ending. Undefined: as the server calls it, or as the release's title and type say. */
  readonly fileName?: string | undefined;
  /** In bytes, exactly; a file of another size is refused. Leave it out where the source only guesses. */
  readonly sizeBytes?: number | undefined;
  /** Lower-case hex; a file with another digest is refused. */
  readonly digest?: { readonly algorithm: "md5" | "sha1" | "sha256"; readonly hex: string } | undefined;
}

/** Searches, and says where Longbox fetches what it found. Its releases have the protocol `direct`. */
export interface DownloadSource extends Searchable {
  readonly kind: "site" | "catalog";
  /**
   * Says where a release is fetched. Asked again for every attempt, since addresses expire.
   * @throws {NotFound} it is gone: the release is blocklisted, and the next candidate tried
   * @throws {UpstreamFailure} the server cannot be asked now: tried again later, a few times
   */
  resolve(release: Release, control: SearchControl): Promise<DirectDownload>;
}

/** A plugin that adds a source has the package keyword `longbox-source`. */
export const DownloadSources = extensionPoint<DownloadSource>("downloadSources", "1.0.0");

/** What is given to a download client. */
export type Grab =
  | {
      /** The bytes of an NZB or torrent file, fetched and checked by the indexer; at most 16 MB (16 777 216). */
      readonly kind: "file";
      /** With its ending, `.nzb` or `.torrent`. */
      readonly name: string;
      readonly bytes: Uint8Array;
      /** Torrents: computed from the bytes, lower-case hex. */
      readonly infoHash?: string | undefined;
      /** What it holds, paths inside the download. Decides on packs before anything is fetched. */
      readonly contents?: readonly { readonly path: string; readonly sizeBytes: number }[] | undefined;
    }
  | { readonly kind: "magnet"; readonly uri: string; readonly infoHash: string };

/** A newznab or torznab server. Its releases have its protocol. */
export interface Indexer extends Searchable {
  readonly protocol: "usenet" | "torrent";
  /**
   * Fetches what a client needs, and checks it: an NZB has files, a torrent no path that leaves its folder.
   * @throws {NotFound} it is gone @throws {BadInput} it cannot be used: not an NZB, no files, `..` in paths; both
   *   blocklist the release, with the message as the reason
   * @throws {UpstreamFailure} the server cannot be asked now: tried again later, a few times
   */
  grab(release: Release, control: SearchControl): Promise<Grab>;
}
export const Indexers = extensionPoint<Indexer>("indexers", "1.0.0");

/** Tries a source with values that are not saved yet: `POST /api/sources/{id}/test`. */
export interface SourceTest {
  /** The id in the manifest of the plugin. */
  readonly id: string;
  /**
   * @param values - one entry of the plugin's list setting as the form has it, or all settings where it has no list;
   *   masks stand for stored secrets and are replaced by `context.settings.unmasked`
   * @returns also when it fails; it throws only `BadInput`, for values that are not valid
   */
  test(values: Readonly<Record<string, unknown>>, control: SearchControl): Promise<TestOutcome>;
}
export const SourceTests = extensionPoint<SourceTest>("sourceTests", "1.0.0");
