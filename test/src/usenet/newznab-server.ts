import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { escapeXml } from "./xml.js";

export interface Listed {
  readonly title: string;
  readonly nzb: Uint8Array | string;
  /** Default 7030. */
  readonly category?: string;
  /** In bytes; default that of the NZB. */
  readonly size?: number;
  /** Default today. */
  readonly postedAt?: Date;
  readonly password?: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A newznab indexer on loopback: capabilities, search with paging, and the NZB files behind addresses with the key. */
export class NewznabServer implements AsyncDisposable {
  readonly apiKey = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";
  /** By guid. */
  readonly listed = new Map<string, Listed>();
  /** The questions, without those for capabilities. */
  readonly searches: URLSearchParams[] = [];
  /** How many NZB files were fetched. */
  fetched = 0;
  mostResults = 100;
  /** Answers in place of the API: to a search, and to the fetching of an NZB. */
  onSearch: Handler | undefined;
  onFetch: Handler | undefined;
  readonly #server = createServer((request, response) => this.#answer(request, response));

  static async start(): Promise<NewznabServer> {
    const server = new NewznabServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  list(guid: string, release: Listed): void {
    this.listed.set(guid, release);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    const xml = (body: string) =>
      response
        .writeHead(200, { "content-type": "application/xml" })
        .end(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
    if (pathname.startsWith("/getnzb/")) return this.#give(pathname.slice(8, -4), request, response);
    if (pathname !== "/api") return void response.writeHead(404).end("Not found");
    if (searchParams.get("t") === "caps") return void xml(this.#capabilities());
    if (this.onSearch) return this.onSearch(request, response);
    if (searchParams.get("apikey") !== this.apiKey)
      return void xml('<error code="100" description="Incorrect user credentials"/>');
    if (searchParams.get("t") !== "search") return void xml('<error code="202" description="No such function"/>');
    this.searches.push(searchParams);
    xml(this.#feed(searchParams));
  }

  #give(guid: string, request: IncomingMessage, response: ServerResponse): void {
    this.fetched += 1;
    if (this.onFetch) return this.onFetch(request, response);
    const release = this.listed.get(guid);
    const { searchParams } = new URL(request.url ?? "/", this.url);
    if (searchParams.get("r") !== this.apiKey) return void response.writeHead(403).end();
    if (release) response.writeHead(200, { "content-type": "application/x-nzb" }).end(release.nzb);
    else response.writeHead(404).end();
  }

  #capabilities(): string {
    const sub = ["7020", "7030"].map((id) => `<subcat id="${id}" name="${id}"/>`).join("");
    return `<caps><server version="1.2" title="News Test"/><limits max="${this.mostResults}" default="50"/><searching><search available="yes" supportedParams="q"/></searching><categories><category id="7000" name="Books">${sub}</category><category id="3000" name="Audio"><subcat id="3030" name="Audiobook"/></category></categories></caps>`;
  }

  /** As indexers do: every word of the question stands in the title. */
  #feed(question: URLSearchParams): string {
    const words = wordsOf(question.get("q") ?? "");
    const categories = (question.get("cat") ?? "").split(",");
    const found = [...this.listed].filter(([, { title, category = "7030" }]) => {
      const has = wordsOf(title);
      const fits = categories.some((each) => each === category || each === `${category.slice(0, -3)}000`);
      return fits && words.every((word) => has.includes(word));
    });
    const offset = Number(question.get("offset") ?? 0);
    const page = found.slice(offset, offset + Math.min(this.mostResults, Number(question.get("limit") ?? 50)));
    const items = page.map(([guid, release]) => this.#item(guid, release)).join("");
    return `<rss version="2.0" xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/"><channel><title>News Test</title><newznab:response offset="${offset}" total="${found.length}"/>${items}</channel></rss>`;
  }

  #item(guid: string, release: Listed): string {
    const { title, nzb, category = "7030", size = nzb.length, postedAt = new Date(), password } = release;
    const attributes = { category, size: String(size), ...(password !== undefined && { password }) };
    const said = Object.entries(attributes).map(([name, value]) => `<newznab:attr name="${name}" value="${value}"/>`);
    const address = `/getnzb/${encodeURIComponent(guid)}.nzb?i=1&amp;r=${this.apiKey}`;
    return `<item><title>${escapeXml(title)}</title><guid isPermaLink="true">${this.url}/details/${guid}</guid><link>${this.url}${address}</link><pubDate>${postedAt.toUTCString()}</pubDate><enclosure url="${address}" length="${size}" type="application/x-nzb"/>${said.join("")}</item>`;
  }
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
