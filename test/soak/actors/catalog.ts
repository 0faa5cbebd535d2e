import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { comicEntries, zip } from "@longbox/test/fixtures";

const feedType = "application/atom+xml;profile=opds-catalog;kind=acquisition";

/** A catalog of OPDS 1.2 on loopback that offers what it is told to, and breaks off every fifth file once. */
export class Catalog implements AsyncDisposable {
  readonly #series: string;
  #offered = "1";
  #asked = 0;
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", this.url);
    void this.#answer(pathname, response).catch(() => response.destroy());
  });

  private constructor(series: string) {
    this.#series = series;
  }

  static async start(series: string): Promise<Catalog> {
    const catalog = new Catalog(series);
    await new Promise<void>((resolve) => catalog.#server.listen(0, "127.0.0.1", resolve));
    return catalog;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  offer(number: string): void {
    this.#offered = number;
  }

  async #answer(path: string, response: ServerResponse): Promise<void> {
    if (path === "/opds") return void response.end(feed("", link("search", "search.xml", opensearch)));
    if (path === "/search.xml") return void response.end(searchOf(this.url));
    if (path === "/find") return void response.end(feed(this.#entry()));
    const number = /^\/files\/(\d+)\.cbz$/.exec(path)?.[1];
    if (number === undefined) return void response.writeHead(404).end();
    const series = this.#series;
    const bytes = zip(await comicEntries({ series, number, pages: 3, tags: { Series: series, Number: number } }));
    response.writeHead(200, { "content-type": "application/vnd.comicbook+zip", "content-length": bytes.length });
    if (this.#asked++ % 5 !== 4) return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  #entry(): string {
    const acquisition = link(
      "http://opds-spec.org/acquisition",
      `/files/${this.#offered}.cbz`,
      "application/vnd.comicbook+zip",
    );
    const title = `${this.#series} #${this.#offered}`;
    return `<entry><id>urn:${this.#offered}</id><title>${title}</title><updated>2026-03-01T10:00:00Z</updated>${acquisition}</entry>`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const opensearch = "application/opensearchdescription+xml";
const link = (rel: string, href: string, type: string) => `<link rel="${rel}" type="${type}" href="${href}"/>`;
const feed = (entries: string, links = "") =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:soak</id><title>Elsewhere</title>${links}${entries}</feed>`;
const searchOf = (url: string) =>
  `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><Url type="${feedType}" template="${url}/find?q={searchTerms}"/></OpenSearchDescription>`;
