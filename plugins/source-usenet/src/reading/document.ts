/** A release as an indexer lists it; texts as they are written there. */
export interface FeedItem {
  readonly title: string;
  readonly guid: string;
  readonly link: string;
  readonly comments: string;
  readonly publishedAt: string;
  readonly enclosures: ReadonlyArray<{ readonly url: string; readonly type: string; readonly length: string }>;
  /** The attributes of newznab, in lower case; of repeated ones the first. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What an indexer can do. */
export interface Capabilities {
  readonly title: string;
  readonly version: string;
  /** How many results one answer holds at most; undefined where it does not say. */
  readonly mostResults: number | undefined;
  /** The ids of categories and of those below them. */
  readonly categories: readonly string[];
}

/** What an indexer answers. */
export type IndexerDocument =
  | { readonly kind: "feed"; readonly items: readonly FeedItem[]; readonly total: number | undefined }
  | { readonly kind: "capabilities"; readonly capabilities: Capabilities }
  | { readonly kind: "error"; readonly code: number; readonly description: string };

/** What an NZB file names. */
export interface NzbFile {
  readonly path: string;
  /** As posted, which is a few per cent more than the file has. */
  readonly sizeBytes: number;
}

export type ReadingTasks = {
  /** An answer of the API. */
  document: { input: Uint8Array; output: IndexerDocument };
  nzb: { input: Uint8Array; output: readonly NzbFile[] };
};
