/** A link of a feed; addresses as they are written there. */
export interface FeedLink {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  /** In bytes. */
  readonly length: number | undefined;
}

export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  /** ISO 8601 in UTC; undefined where it makes no sense. */
  readonly updated: string | undefined;
  readonly authors: readonly string[];
  /** As the catalog writes it. */
  readonly language: string | undefined;
  /** May hold markup. */
  readonly summary: string | undefined;
  readonly links: readonly FeedLink[];
}

/** A feed of either version. */
export interface Feed {
  readonly title: string;
  readonly links: readonly FeedLink[];
  readonly entries: readonly FeedEntry[];
}

/** What the thread does with what a server answered. */
export type ReadingTasks = {
  feed: { input: Uint8Array; output: Feed };
  /** The template of an OpenSearch description; empty where it has none for feeds. */
  description: { input: Uint8Array; output: string };
};

export const mostAuthors = 20;
export const mostEntries = 500;
export const mostLinks = 50;

export function instantOf(text: string | undefined): string | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
