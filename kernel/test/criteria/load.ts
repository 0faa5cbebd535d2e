// A steady load of requests, what became of each, and how figures are told.
import { writeSync } from "node:fs";
import { runsLongTests } from "@longbox/test/needs";

/** One request of a load. */
export interface Answered {
  /** Its place in the load, counted from 0. */
  readonly n: number;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** 0 where the connection failed. */
  readonly status: number;
  readonly body: any;
  readonly failure?: string;
}

export interface Asked {
  readonly path: string;
  readonly method?: "GET" | "POST";
}

/** Sends requests at a steady rate, whether or not those before are answered, until it is ended. */
export class Load {
  readonly answers: Answered[] = [];
  #sent = 0;
  readonly #pending = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #request: (n: number) => Asked;

  /** @param request - what the n-th request asks for */
  constructor(
    to: { readonly url: string; readonly headers: Record<string, string>; readonly perSecond: number },
    request: (n: number) => Asked,
  ) {
    this.#url = to.url;
    this.#headers = to.headers;
    this.#request = request;
    const begun = performance.now();
    this.#timer = setInterval(() => {
      const due = ((performance.now() - begun) / 1_000) * to.perSecond;
      while (this.#sent < due) this.#send();
    }, 1_000 / to.perSecond);
  }

  get sent(): number {
    return this.#sent;
  }

  #send(): void {
    const one = this.#ask(this.#sent++);
    this.#pending.add(one);
    void one.finally(() => this.#pending.delete(one));
  }

  async #ask(n: number): Promise<void> {
    const { path, method = "GET" } = this.#request(n);
    const begunAt = performance.now();
    try {
      const answer = await fetch(this.#url + path, { method, headers: this.#headers });
      const text = await answer.text();
      const body = answer.headers.get("content-type")?.includes("json") === true ? JSON.parse(text) : text;
      this.answers.push({ n, begunAt, endedAt: performance.now(), status: answer.status, body });
    } catch (failure) {
      const told = String((failure as Error).cause ?? failure);
      this.answers.push({ n, begunAt, endedAt: performance.now(), status: 0, body: undefined, failure: told });
    }
  }

  /** Sends nothing more, and waits for what is under way. */
  async end(): Promise<readonly Answered[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    return this.answers;
  }
}

/** The time in milliseconds that this part of the answers stayed within; `part` is between 0 and 1. */
export function percentile(answers: readonly Answered[], part: number): number {
  const times = answers.map(({ begunAt, endedAt }) => endedAt - begunAt).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)] ?? 0;
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Writes what a long run measured to standard error, past the reporter, which shows nothing of what passes. */
export function tellFigures(text: string): void {
  if (runsLongTests) writeSync(2, `${text}\n`);
}
