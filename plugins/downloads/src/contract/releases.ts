/** How a release reaches this server: fetched by Longbox itself, or by a download client. */
export type Protocol = "direct" | "usenet" | "torrent";

/** What a search is for. */
export interface ReleaseQuery {
  /** The title of the series as the library writes it; what a person typed, where `typed` is true. */
  readonly series: string;
  /** Other titles of the series. Ask for them only when the title found nothing. */
  readonly aliases: readonly string[];
  /** The year in which the series began. */
  readonly year?: number | undefined;
  readonly publisher?: string | undefined;
  /** The id of the library type: `comic`, `manga`, `ebook`, `audiobook` … Choose categories by it. */
  readonly libraryType: string;
  /** The issue; undefined in a search for packs, and where the whole series is searched. */
  readonly issue?: { readonly number: string; readonly title?: string | undefined } | undefined;
  /** Packs are wanted: releases that hold several issues. */
  readonly packs: boolean;
  /** A person typed `series` as it stands: search for these words alone. */
  readonly typed: boolean;
  /** How many releases at most, 1 to 200. */
  readonly limit: number;
}

/**
 * What a source or indexer offers, as it describes it. All of it comes from outside, and is checked before it is used.
 */
export interface Release {
  /** Stable and unique within the source, 1 to 500 characters: the blocklist and the queue know the release by it. */
  readonly guid: string;
  /** The human title, at most 500 characters: `Moth.Patrol.003.2019.Digital-GROUP`. It is read by `files.names`. */
  readonly title: string;
  readonly protocol: Protocol;
  /**
   * What the source needs to get it: a URL, or an id of its own, at most 4,000 characters. May hold a key: it is kept
   * on the server, given back to the source alone, and never stands in an answer, a log or the history.
   */
  readonly reference: string;
  /** In bytes; undefined where it is not known. */
  readonly sizeBytes?: number | undefined;
  /** ISO 8601 in UTC. */
  readonly publishedAt?: string | undefined;
  /** The page that describes it, without keys. */
  readonly infoUrl?: string | undefined;
  /** Torrents: how many have all of it; 0 makes it unacceptable. */
  readonly seeders?: number | undefined;
  /** Torrents: the lower-case hex hash, of which the queue never has two. */
  readonly infoHash?: string | undefined;
  /** It is said to need a password. */
  readonly passwordProtected?: boolean | undefined;
  /** The names of the files in it, where the source knows them. */
  readonly fileNames?: readonly string[] | undefined;
  /** `cbz`, `epub` …, where the source knows better than the title says. */
  readonly format?: string | undefined;
  /** It holds several issues, as the source says; otherwise the title decides. */
  readonly pack?: boolean | undefined;
}

/** What every method of a source is given. */
export interface SearchControl {
  /** Aborts when the search is no longer needed, or the plugin stops. */
  readonly signal: AbortSignal;
  /** For `context.host(url).fetch`: a person waits, or it is background work. */
  readonly urgency: "person" | "background";
}

/** What a connection test says. Values in it are shown to people: no keys. */
export interface TestOutcome {
  readonly ok: boolean;
  /** One sentence: what works, or what is wrong and what to do about it. */
  readonly message: string;
  readonly version?: string | undefined;
}

/** Why a source, indexer or client is not asked now. */
export interface Resting {
  /** ISO 8601 in UTC. */
  readonly until: string;
  readonly reason: string;
}
