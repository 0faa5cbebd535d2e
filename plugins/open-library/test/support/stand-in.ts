import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface EditionSpec {
  readonly id: string;
  readonly title?: string;
  readonly isbn?: readonly string[];
  /** MARC codes. */
  readonly language?: readonly string[];
  readonly cover?: number;
}

export interface WorkSpec {
  /** `OL1W` */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  /** Ids of authors. */
  readonly authors?: readonly string[];
  readonly year?: number;
  readonly description?: unknown;
  readonly covers?: ReadonlyArray<number | null>;
  readonly subjects?: readonly string[];
  readonly series?: ReadonlyArray<{ readonly name: string; readonly position: string }>;
  readonly editions?: readonly EditionSpec[];
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers that Open Library gives on a bad day. */
export const trouble = {
  html:
    (status: number, headers: Record<string, string> = {}): Answer =>
    (response) =>
      void response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>Not now</h1>"),
  tooMany: ((response) =>
    void response
      .writeHead(429, { "content-type": "application/json" })
      .end('{"status":429,"message":"Too Many Requests"}')) as Answer,
  text:
    (body: string): Answer =>
    (response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(body),
  hangUp: ((response) => void response.destroy()) as Answer,
  /** Sends until the other side has had enough. */
  endless: ((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"docs":[');
    const more = () => {
      while (!response.destroyed && response.write(`"${"x".repeat(65_536)}",`));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  }) as Answer,
};

/** Open Library on loopback: search, works, editions, authors, ISBNs and covers, with the traps of the real one. */
export class StandIn implements AsyncDisposable {
  readonly works = new Map<string, WorkSpec>();
  readonly authors = new Map<string, string>();
  /** Records that were merged or deleted: `/works/OL1W` to another key, or to undefined. */
  readonly moved = new Map<string, string | undefined>();
  readonly images = new Map<number, Uint8Array>();
  /** Paths with their queries, without the list of fields. */
  readonly asked: string[] = [];
  readonly agents = new Set<string>();
  #troubles: Answer[] = [];
  #always: Answer | undefined;
  readonly #server = createServer((request, response) => this.#receive(request, response));

  static async start(): Promise<StandIn> {
    const standIn = new StandIn();
    await new Promise<void>((resolve) => standIn.#server.listen(0, "127.0.0.1", resolve));
    return standIn;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get settings() {
    return { baseUrl: this.origin, coversUrl: this.origin, spacingMs: 0, automatic: false };
  }

  add(...works: WorkSpec[]): this {
    for (const work of works) this.works.set(work.id, work);
    return this;
  }

  /** The next answers, in order, before those that are right. */
  next(...answers: Answer[]): void {
    this.#troubles.push(...answers);
  }

  always(answer: Answer | undefined): void {
    this.#always = answer;
  }

  /** Stops answering once this no longer holds, and says so. */
  until(holds: (() => boolean) | undefined, stopped: () => void = () => {}): void {
    this.#always =
      holds &&
      ((response, request) => {
        if (holds()) return this.#route(new URL(request.url ?? "/", this.origin), response);
        stopped();
      });
  }

  /** Answers so late that a kill can come between two answers. */
  slowly(eachMs: number, before: () => void): void {
    this.#always = (response, request) => {
      before();
      setTimeout(() => this.#route(new URL(request.url ?? "/", this.origin), response), eachMs);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.origin);
    const agent = request.headers["user-agent"] ?? "";
    this.agents.add(agent);
    const shown = new URLSearchParams(url.searchParams);
    shown.delete("fields");
    this.asked.push(
      `${url.pathname}${shown.size > 0 ? `?${decodeURIComponent(String(shown).replaceAll("+", " "))}` : ""}`,
    );
    // Agents of bare libraries are turned away.
    if (!/^[\w-]+\/[\d.]+ \(.+\)$/.test(agent)) return trouble.html(403)(response, request);
    const bad = this.#troubles.shift() ?? this.#always;
    if (bad) return bad(response, request);
    this.#route(url, response);
  }

  #route(url: URL, response: ServerResponse): void {
    if (url.pathname === "/search.json") return this.#search(url.searchParams, response);
    const [, coverId] = /^\/b\/id\/(\d+)-[SML]\.jpg$/.exec(url.pathname) ?? [];
    if (coverId !== undefined) return this.#cover(Number(coverId), url.searchParams, response);
    const [, key] = /^(\/(?:works|books|authors)\/OL\d+[WMA])\.json$/.exec(url.pathname) ?? [];
    const record = key === undefined ? undefined : this.#record(key);
    if (!record) return trouble.html(404)(response, undefined as unknown as IncomingMessage);
    send(response, record);
  }

  #record(key: string): object | undefined {
    if (this.moved.has(key)) {
      const to = this.moved.get(key);
      return { key, ...(to === undefined ? typed("delete") : { ...typed("redirect"), location: to }) };
    }
    const id = key.split("/")[2] ?? "";
    if (key.startsWith("/authors/"))
      return this.authors.has(id) ? { key, ...typed("author"), name: this.authors.get(id) } : undefined;
    if (key.startsWith("/books/")) {
      const work = [...this.works.values()].find(({ editions }) => editions?.some((edition) => edition.id === id));
      return work && { key, ...typed("edition"), works: [{ key: `/works/${work.id}` }] };
    }
    const work = this.works.get(id);
    return (
      work && {
        key,
        ...typed("work"),
        title: work.title,
        ...(work.description !== undefined && { description: work.description }),
        authors: (work.authors ?? []).map((author) => ({
          author: { key: `/authors/${author}` },
          ...typed("author_role"),
        })),
        covers: work.covers ?? [],
        subjects: work.subjects ?? [],
        ...(work.year !== undefined && { first_publish_date: `Mar ${work.year}` }),
      }
    );
  }

  #search(query: URLSearchParams, response: ServerResponse): void {
    const asked = query.get("q") ?? query.get("title") ?? "";
    if (asked.length < 3 || asked === "the") return send(response, { detail: "Query too short" }, 422);
    const fields = (query.get("fields") ?? "key,title,author_name,first_publish_year,cover_i,language").split(",");
    const docs = [...this.works.values()]
      .filter((work) => this.#fits(work, query))
      .slice(0, Number(query.get("limit") ?? 100))
      .map((work) => this.#doc(work, fields, isbnsIn(asked)));
    send(response, { numFound: docs.length, start: 0, numFoundExact: true, q: query.get("q") ?? "", docs });
  }

  #fits(work: WorkSpec, query: URLSearchParams): boolean {
    const q = query.get("q");
    const names = (work.authors ?? []).map((id) => this.authors.get(id) ?? "").join(" ");
    if (q === null) {
      const byAuthor = query.get("author");
      return hasWords(titlesOf(work), query.get("title") ?? "") && (byAuthor === null || hasWords(names, byAuthor));
    }
    const isbns = isbnsIn(q);
    if (isbns.length > 0) return isbnsOf(work).some((isbn) => isbns.includes(isbn));
    return hasWords(`${titlesOf(work)} ${names}`, q);
  }

  /** Fields that are empty are left out, as the real one does. */
  #doc(work: WorkSpec, fields: readonly string[], isbns: readonly string[]): object {
    const { editions = [] } = work;
    const best = editions.find((edition) => edition.isbn?.some((isbn) => isbns.includes(isbn))) ?? editions[0];
    const all: Record<string, unknown> = {
      key: `/works/${work.id}`,
      title: work.title,
      subtitle: work.subtitle,
      author_key: work.authors,
      author_name: work.authors?.map((id) => this.authors.get(id)),
      first_publish_year: work.year,
      language: [...new Set(editions.flatMap(({ language }) => language ?? []))],
      isbn: isbnsOf(work),
      cover_i: work.covers?.find((id) => id !== null && id > 0),
      series_name: work.series?.map(({ name }) => name),
      series_position: work.series?.map(({ position }) => position),
    };
    const picked = Object.entries(all).filter(
      ([name, value]) => fields.includes(name) && value !== undefined && (!Array.isArray(value) || value.length > 0),
    );
    const wantsEditions = fields.some((field) => field.startsWith("editions."));
    return {
      ...Object.fromEntries(picked),
      ...(wantsEditions && best && { editions: { numFound: 1, start: 0, docs: [editionDoc(best)] } }),
    };
  }

  #cover(id: number, query: URLSearchParams, response: ServerResponse): void {
    const image = this.images.get(id);
    if (!image && query.get("default") === "false")
      return void response.writeHead(404, { "content-type": "text/html" }).end("not found");
    response.writeHead(200, { "content-type": "image/jpeg" }).end(image ?? blank);
  }
}

const typed = (type: string) => ({ type: { key: `/type/${type}` } });
const blank = Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1");

function editionDoc({ id, title, isbn, language, cover }: EditionSpec): object {
  return {
    key: `/books/${id}`,
    ...(title !== undefined && { title }),
    ...(isbn && { isbn }),
    ...(language && { language }),
    ...(cover !== undefined && { cover_i: cover }),
  };
}

const titlesOf = ({ title, subtitle, editions = [] }: WorkSpec): string =>
  [title, subtitle, ...editions.map((edition) => edition.title)].filter(Boolean).join(" ");
const isbnsOf = ({ editions = [] }: WorkSpec): string[] => editions.flatMap(({ isbn }) => isbn ?? []);

function isbnsIn(query: string): string[] {
  return /^isbn:\(([\dX OR]+)\)$/.exec(query)?.[1]?.split(" OR ") ?? [];
}

function hasWords(text: string, words: string): boolean {
  const there = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return (words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => there.has(word));
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
