import type { Tally } from "./tally.ts";

/** Generous, because a busy machine is slow: how long answers took is in the report, and is no fault of its own. */
const limitMs = 180_000;

export interface Asked {
  readonly status: number;
  readonly body: any;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly allows?: readonly number[];
  readonly accept?: string;
}

/** Asks as one user, and tells the tally of each answer. An answer that is no JSON counts by its length. */
export class Client {
  readonly actor: string;
  readonly #url: string;
  readonly #key: string;
  readonly #tally: Tally;

  constructor(actor: string, place: { readonly url: string; readonly key: string; readonly tally: Tally }) {
    this.actor = actor;
    this.#url = place.url;
    this.#key = place.key;
    this.#tally = place.tally;
  }

  get(path: string, options: AskOptions = {}): Promise<Asked> {
    return this.#ask("GET", path, options);
  }

  post(path: string, body: unknown, options: AskOptions = {}): Promise<Asked> {
    return this.#ask("POST", path, { ...options, body });
  }

  /** A stream of events, which is read to its end or until the signal aborts. Answers how many lines came. */
  async listen(path: string, signal: AbortSignal): Promise<number> {
    let lines = 0;
    const begun = performance.now();
    try {
      const answer = await fetch(this.#url + path, { headers: this.#headers("text/event-stream"), signal });
      this.#told({ method: "GET", path, status: answer.status, code: undefined, begun });
      if (!answer.body) return 0;
      for await (const chunk of answer.body) lines += Buffer.from(chunk).toString().split("\n").length - 1;
    } catch (error) {
      if (!signal.aborted) this.#tally.failed(this.actor, `GET ${path}: ${(error as Error).message}`);
    }
    return lines;
  }

  async #ask(method: string, path: string, options: AskOptions): Promise<Asked> {
    const begun = performance.now();
    const { accept = "application/json, */*" } = options;
    try {
      const answer = await fetch(this.#url + path, {
        method,
        headers: this.#headers(accept),
        signal: AbortSignal.timeout(limitMs),
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
      const body = isJson ? JSON.parse(bytes.toString()) : bytes.length;
      this.#told({ method, path, status: answer.status, code: body?.code, begun }, options.allows);
      return { status: answer.status, body };
    } catch (error) {
      this.#tally.failed(this.actor, `${method} ${path}: ${(error as Error).message}`);
      return { status: 0, body: undefined };
    }
  }

  #headers(accept: string): Record<string, string> {
    return { "x-api-key": this.#key, "content-type": "application/json", accept };
  }

  #told(
    { begun, ...answer }: { method: string; path: string; status: number; code: string | undefined; begun: number },
    allows: readonly number[] = [],
  ): void {
    this.#tally.answered({ ...answer, actor: this.actor, ms: performance.now() - begun, allows });
  }
}
