import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OfferedTorrent {
  readonly title: string;
  readonly guid?: string;
  /** Where it is fetched, relative to the server or anywhere; a magnet link, too. */
  readonly link: string;
  readonly sizeBytes?: number;
  readonly seeders?: number;
  readonly infoHash?: string;
  readonly magnet?: string;
  readonly category?: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An indexer that speaks Torznab, on loopback. */
export class TorznabServer implements AsyncDisposable {
  readonly offers: OfferedTorrent[] = [];
  /** Whether `offset` counts; many indexers answer with the first page always. */
  knowsOffset = true;
  /** Paths and queries of all requests. */
  readonly asked: string[] = [];
  /** Answers of other paths, and in place of the usual one of `/api`. */
  readonly routes = new Map<string, Handler | string | Uint8Array>();
  #served = 0;
  readonly #server = createServer((request, response) => {
    this.asked.push(request.url ?? "");
    const url = new URL(request.url ?? "/", "http://here");
    const route = this.routes.get(url.pathname);
    if (typeof route === "function") route(request, response);
    else if (route !== undefined) response.end(route);
    else if (url.pathname === "/api") this.#answer(url.searchParams, response);
    else response.writeHead(404).end();
  });

  constructor(readonly apiKey: string) {}

  static async start(apiKey: string): Promise<TorznabServer> {
    const server = new TorznabServer(apiKey);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * Serves a torrent file and offers it; the key stands in its address, as with real indexers.
   * @returns its path, which no other has
   */
  offer(bytes: Uint8Array, offered: Omit<OfferedTorrent, "link">): string {
    this.#served += 1;
    const path = `/download/${this.#served}.torrent`;
    this.routes.set(path, bytes);
    this.offers.push({ sizeBytes: 10_000_000, seeders: 5, ...offered, link: `${path}?apikey=${this.apiKey}` });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(query: URLSearchParams, response: ServerResponse): void {
    response.setHeader("content-type", "application/xml");
    if (query.get("t") === "caps") return void response.end(abilities);
    if (query.get("apikey") !== this.apiKey)
      return void response.end('<error code="100" description="Incorrect user credentials"/>');
    const words = (query.get("q") ?? "").toLowerCase().split(" ");
    const categories = (query.get("cat") ?? "").split(",").filter((each) => each !== "");
    const found = this.offers.filter(
      ({ title, category = "7030" }) =>
        words.every((word) => title.toLowerCase().includes(word)) &&
        (categories.length === 0 || categories.includes(category)),
    );
    const offset = this.knowsOffset ? Number(query.get("offset") ?? 0) : 0;
    const page = found.slice(offset, offset + Math.min(mostItems, Number(query.get("limit") ?? 50)));
    response.end(feedOf(page.map((offer) => this.#itemOf(offer))));
  }

  #itemOf({ link, category = "7030", ...offer }: OfferedTorrent): string {
    const url = new URL(link, this.url).href;
    const said = Object.entries({
      category,
      seeders: offer.seeders,
      infohash: offer.infoHash,
      magneturl: offer.magnet,
      size: offer.sizeBytes,
    });
    const attributes = said.flatMap(([name, value]) =>
      value === undefined ? [] : [`<torznab:attr name="${name}" value="${escaped(String(value))}"/>`],
    );
    return `<item><title>${escaped(offer.title)}</title><guid>${escaped(offer.guid ?? url)}</guid>
      <pubDate>Sun, 01 Mar 2026 10:00:00 +0000</pubDate>
      <enclosure url="${escaped(url)}" length="${offer.sizeBytes ?? 0}" type="application/x-bittorrent"/>
      ${attributes.join("")}</item>`;
  }
}

/** The document around items. */
export function feedOf(items: readonly string[]): string {
  return `<?xml version="1.0"?><rss version="2.0" xmlns:torznab="http://torznab.com/schemas/2015/feed"><channel>
    <title>Stand-in</title>${items.join("\n")}</channel></rss>`;
}

const mostItems = 100;

const abilities = `<?xml version="1.0"?><caps><server title="Stand-in" version="1.2"/><limits max="${mostItems}" default="50"/>
  <searching><search available="yes" supportedParams="q"/></searching><categories>
  <category id="3000" name="Audio"><subcat id="3030" name="Audiobook"/></category>
  <category id="7000" name="Books"><subcat id="7020" name="EBook"/><subcat id="7030" name="Comics"/></category>
  </categories></caps>`;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
