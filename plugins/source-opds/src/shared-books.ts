import type { RemoteBook, RemoteBookPart, RemoteBookSource } from "@longbox/books/contract";
import type { SearchControl } from "@longbox/downloads/contract";
import { NotFound, UpstreamFailure, type PluginContext } from "@longbox/sdk";
import type { Asking } from "./asking.js";
import { absolute, acquisition, imageOf, nextOf, subsectionOf } from "./links.js";
import type { FeedEntry } from "./reading/feed.js";

/** Beyond these a catalog is too large to be shown as a whole. */
const most = { feeds: 1000, books: 20_000 };
const longestId = 500;
const longestCover = 2000;
const largestBytes = 256 * 1024 * 1024;
const longestMs = 5 * 60_000;

/** Formats of books, the one that is read best first. */
const formats: ReadonlyArray<readonly [RegExp, string]> = [
  [/epub\+zip/u, "epub"],
  [/mobi8|x-azw3/u, "azw3"],
  [/x-mobipocket-ebook/u, "mobi"],
  [/fictionbook/u, "fb2"],
  [/application\/pdf/u, "pdf"],
  [/text\/plain/u, "txt"],
];

/** All books of a catalog, as if they were here: each is fetched when it is opened. */
export class SharedBooks implements RemoteBookSource {
  readonly id: string;
  readonly title: string;

  constructor(
    private readonly asking: Asking,
    private readonly context: Pick<PluginContext, "host">,
  ) {
    this.id = asking.entry.id.toLowerCase().replaceAll(/[^a-z\d-]/gu, "-");
    this.title = asking.entry.name;
  }

  /**
   * The whole catalog is one part; of one that is too large the second part fails, so that nothing of it is given up.
   */
  async list(after: string | undefined, signal: AbortSignal): Promise<RemoteBookPart> {
    if (after !== undefined)
      throw new UpstreamFailure("source-opds/too-large", "The catalog is too large to be shown as a whole.");
    const books = new Map<string, RemoteBook>();
    const isWhole = await this.#crawl(books, { signal, urgency: "background" });
    return { books: [...books.values()], next: isWhole ? undefined : "rest" };
  }

  async fetch(bookId: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const answer = await this.context.host(bookId).fetch(bookId, {
      signal,
      maxBytes: largestBytes,
      timeoutMs: longestMs,
      headers: this.asking.headersFor(bookId),
      ...(!this.asking.isOwn(bookId) && { publicOnly: true }),
    });
    if (answer.ok && answer.body) return answer.body;
    await answer.body?.cancel();
    if (answer.status === 404 || answer.status === 410)
      throw new NotFound("source-opds/no-such-book", "The catalog does not have the book any more.");
    throw new UpstreamFailure("source-opds/no-answer", `The catalog answered ${answer.status}.`);
  }

  /** Follows every feed once. @returns whether the whole catalog was read */
  async #crawl(books: Map<string, RemoteBook>, control: SearchControl): Promise<boolean> {
    const waiting = [this.asking.entry.url];
    const seen = new Set(waiting);
    for (let read = 0; waiting.length > 0; read++) {
      if (read >= most.feeds || books.size >= most.books) return false;
      const url = waiting.shift()!;
      const feed = await this.asking.feed(url, control);
      const found = [nextOf(feed, url)];
      for (const entry of feed.entries) {
        const book = bookOf(entry, url);
        if (book) books.set(book.id, book);
        const below = book ? undefined : subsectionOf(entry);
        if (below) found.push(absolute(below.href, url));
      }
      for (const next of found) {
        if (next === undefined || seen.has(next)) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
    return true;
  }
}

function coverOf(entry: FeedEntry, feedUrl: string): string | undefined {
  const image = imageOf(entry);
  const address = image && absolute(image.href, feedUrl);
  return address === undefined || address.length > longestCover ? undefined : address;
}

function bookOf(entry: FeedEntry, feedUrl: string): RemoteBook | undefined {
  const offers = entry.links
    .filter(({ rel }) => acquisition.test(rel))
    .map((link) => ({ link, rank: formats.findIndex(([type]) => type.test(link.type)) }))
    .filter(({ rank }) => rank !== -1)
    .toSorted((one, other) => one.rank - other.rank);
  const [best] = offers;
  const id = best && absolute(best.link.href, feedUrl);
  const title = entry.title.trim();
  if (!best || id === undefined || id.length > longestId || title === "") return undefined;
  return {
    id,
    format: formats[best.rank]![1],
    version: entry.updated,
    sizeBytes: best.link.length,
    cover: coverOf(entry, feedUrl),
    reading: {
      title,
      people: entry.authors.map((name) => ({ name, role: "author" })),
      language: entry.language || undefined,
      description: entry.summary?.replaceAll(/<[^<>]*>/gu, " ").trim() || undefined,
    },
  };
}
