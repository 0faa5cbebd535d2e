import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface VolumeSpec {
  readonly id: number;
  readonly name: string;
  readonly start_year?: string | null;
  readonly publisher?: string | null;
  readonly description?: string | null;
  readonly deck?: string | null;
  readonly aliases?: string | null;
  readonly issues: ReadonlyArray<{
    readonly id: number;
    readonly issue_number: string;
    readonly [field: string]: unknown;
  }>;
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Answers that a provider gives on a bad day. */
export const trouble = {
  status:
    (status: number, headers: Record<string, string> = {}): Answer =>
    (response) =>
      response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>Abnormal Traffic Detected</h1>"),
  html: ((response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html>Please wait</html>")) as Answer,
  code:
    (status_code: number, error: string): Answer =>
    (response) =>
      send(response, { status_code, error, results: [] }),
  hangUp: ((response) => response.destroy()) as Answer,
};

/** A provider on loopback that speaks ComicVine's protocol: keys, field lists, filters, sorting and paging. */
export class Provider implements AsyncDisposable {
  readonly volumes = new Map<number, VolumeSpec>();
  readonly arcs = new Map<number, { id: number; name: string; issues: Array<{ id: number; name: string | null }> }>();
  readonly images = new Map<string, Uint8Array>();
  /** Draws the images that are not in the map. */
  draw: (path: string) => Uint8Array | undefined = () => undefined;
  /** Paths and queries that were asked for, keys left out. */
  readonly asked: string[] = [];
  readonly agents = new Set<string>();
  readonly key = "right-key";
  registrations = 0;
  #troubles: Answer[] = [];
  #always: Answer | undefined;
  readonly #server = createServer((request, response) => this.#receive(request, response));

  static async start(): Promise<Provider> {
    const provider = new Provider();
    await new Promise<void>((resolve) => provider.#server.listen(0, "127.0.0.1", resolve));
    return provider;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get settings() {
    return { baseUrl: `${this.origin}/api`, apiKey: this.key, spacingMs: 0, requestsPerHour: 1000 };
  }

  add(...volumes: VolumeSpec[]): this {
    for (const volume of volumes) this.volumes.set(volume.id, volume);
    return this;
  }

  /** The next answers, in order, before those that are right. */
  next(...answers: Answer[]): void {
    this.#troubles.push(...answers);
  }

  always(answer: Answer | undefined): void {
    this.#always = answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.origin);
    this.agents.add(request.headers["user-agent"] ?? "");
    if (url.pathname.startsWith("/images/")) return this.#image(url.pathname, response);
    url.searchParams.delete("api_key");
    this.asked.push(`${url.pathname}?${url.searchParams}`);
    const bad = this.#always ?? this.#troubles.shift();
    if (bad) return bad(response, request);
    this.answer(request, response);
  }

  /** The right answer, for those who decide by themselves when to give it: `always`. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.origin);
    const key = url.searchParams.get("api_key");
    url.searchParams.delete("api_key");
    if (request.method === "POST" && url.pathname === "/api/instances") {
      this.registrations += 1;
      return void response
        .writeHead(201, { "content-type": "application/json" })
        .end(JSON.stringify({ key: this.key }));
    }
    if (key !== this.key)
      return void response
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify({ status_code: 100, error: "Invalid API Key", results: [] }));
    this.#route(url, response);
  }

  #route(url: URL, response: ServerResponse): void {
    const [, resource = "", id = ""] = /^\/api\/([a-z_]+)\/(?:(?:4050|4000|4045)-(\d+)\/)?$/.exec(url.pathname) ?? [];
    const fields = (url.searchParams.get("field_list") ?? "").split(",").filter(Boolean);
    const pick = (row: object) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => fields.length === 0 || fields.includes(name)));
    if (id !== "") {
      const found =
        resource === "volume"
          ? this.#volume(Number(id))
          : resource === "issue"
            ? this.#issues().find((issue) => issue.id === Number(id))
            : this.arcs.get(Number(id));
      return send(
        response,
        found ? { results: pick(found) } : { status_code: 101, error: "Object Not Found", results: [] },
      );
    }
    const rows =
      resource === "search"
        ? this.#search(url.searchParams)
        : resource === "issues"
          ? this.#filtered(url.searchParams.get("filter") ?? "")
          : resource === "volumes"
            ? this.#volumesOf(url.searchParams.get("filter") ?? "")
            : undefined;
    if (!rows) return send(response, { status_code: 102, error: "Error in URL Format", results: [] });
    const limit = Math.min(Number(url.searchParams.get("limit") ?? 100), 100);
    const offset = Number(url.searchParams.get("offset") ?? 0);
    send(response, { number_of_total_results: rows.length, results: rows.slice(offset, offset + limit).map(pick) });
  }

  #volume(id: number) {
    const volume = this.volumes.get(id);
    return (
      volume && {
        start_year: "2019",
        description: null,
        aliases: null,
        deck: null,
        site_detail_url: `${this.origin}/v/4050-${id}/`,
        image: { super_url: `${this.origin}/images/v${id}.png` },
        count_of_issues: volume.issues.length,
        ...volume,
        publisher: volume.publisher === null ? null : { id: 1, name: volume.publisher ?? "Lamplight" },
        issues: volume.issues.map(({ id: issueId, issue_number }) => ({ id: issueId, issue_number, name: null })),
      }
    );
  }

  #issues(volumes: Iterable<VolumeSpec> = this.volumes.values()) {
    return [...volumes].flatMap((volume) =>
      volume.issues.map(
        (issue) =>
          ({
            name: null,
            cover_date: null,
            store_date: null,
            description: null,
            image: { super_url: `${this.origin}/images/i${issue.id}.png` },
            volume: { id: volume.id, name: volume.name },
            site_detail_url: `${this.origin}/i/4000-${issue.id}/`,
            person_credits: [],
            character_credits: [],
            team_credits: [],
            location_credits: [],
            story_arc_credits: [],
            ...issue,
          }) as { id: number; volume: { id: number }; store_date: string | null },
      ),
    );
  }

  /** Words are OR-ed, as the real one does, so that most results are wrong; those with most of the words come first. */
  #search(query: URLSearchParams): object[] {
    const words = (query.get("query") ?? "").toLowerCase().split(/\s+/);
    const shared = (name: string) => words.filter((word) => name.toLowerCase().includes(word)).length;
    const fits = (name: string) => shared(name) > 0;
    if (query.get("resources") === "story_arc") return [...this.arcs.values()].filter((arc) => fits(arc.name));
    return [...this.volumes.values()]
      .map((volume) => ({ volume, count: shared(`${volume.name} ${volume.aliases ?? ""}`) }))
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count)
      .slice(0, 50)
      .map(({ volume }) => this.#volume(volume.id) as object);
  }

  #volumesOf(filter: string): object[] {
    const ids = (/^id:([\d|]+)$/.exec(filter)?.[1] ?? "").split("|").map(Number);
    return ids.flatMap((id) => this.#volume(id) ?? []);
  }

  #filtered(filter: string): object[] {
    const [field, value = ""] = filter.split(":", 2);
    const [from = "", to = ""] = value.split("|");
    const named = field === "volume" ? value.split("|").flatMap((id) => this.volumes.get(Number(id)) ?? []) : undefined;
    return this.#issues(named).filter((issue) =>
      field === "id"
        ? value.split("|").includes(String(issue.id))
        : field === "volume"
          ? value.split("|").includes(String(issue.volume.id))
          : issue.store_date !== null && issue.store_date >= from && issue.store_date <= to,
    );
  }

  #image(path: string, response: ServerResponse): void {
    const bytes = this.images.get(path) ?? this.draw(path);
    this.asked.push(path);
    if (!bytes) return void response.writeHead(404, { "content-type": "text/plain" }).end("no");
    response.writeHead(200, { "content-type": "image/png" }).end(bytes);
  }
}

function send(
  response: ServerResponse,
  body: { status_code?: number; error?: string; number_of_total_results?: number; results: unknown },
): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      error: "OK",
      limit: 100,
      offset: 0,
      number_of_page_results: 1,
      number_of_total_results: 1,
      status_code: 1,
      version: "1.0",
      ...body,
    }),
  );
}
