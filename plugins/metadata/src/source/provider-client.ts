import { joinSignals } from "@longbox/sdk";
import { z } from "zod";
import type { AskOptions } from "../contract.js";
import { KeyRefused, ProviderFailure, Transient } from "../upstream-errors.js";
import type { KeptAnswers } from "./answers.js";
import type { Breaker } from "./breaker.js";
import { pause, type Budget } from "./budget.js";

const envelopeSchema = z.object({ status_code: z.coerce.number(), error: z.string().optional(), number_of_total_results: z.coerce.number().catch(0), results: z.unknown() });
export type Envelope = Pick<z.output<typeof envelopeSchema>, "number_of_total_results" | "results">;

export interface ProviderAccess {
  readonly baseUrl: string;
  readonly key: string;
  readonly userAgent: string;
  readonly keepMs: number;
}

export interface ProviderClientParts {
  readonly fetch: typeof fetch;
  readonly access: () => Promise<ProviderAccess>;
  readonly budget: Budget;
  readonly breaker: Breaker;
  readonly answers: KeptAnswers;
  readonly timing: { readonly timeoutMs: number; readonly firstDelayMs: number; readonly longestWaitMs: number };
}

const maxBytes = 20 * 1024 * 1024;
const staleMs = 30 * 86_400_000;
const tries = { person: 3, background: 5 } as const;

/** Asks a provider that speaks ComicVine's language: within its budget, again when it stumbles, and never twice for the same. */
export class ProviderClient {
  readonly #parts: ProviderClientParts;

  constructor(parts: ProviderClientParts) {
    this.#parts = parts;
  }

  /**
   * @param path - Below the base URL, with a trailing slash, such as `volume/4050-5001/`
   * @returns undefined when the provider says that there is no such thing
   * @throws {UpstreamFailure} for every other trouble
   */
  async ask(path: string, parameters: Readonly<Record<string, string>>, options: AskOptions): Promise<Envelope | undefined> {
    const access = await this.#parts.access();
    const url = new URL(`${access.baseUrl.replace(/\/+$/, "")}/${path}`);
    for (const [name, value] of Object.entries({ ...parameters, format: "json" }).toSorted()) url.searchParams.set(name, value);
    const maxAgeMs = options.fresh ? 0 : access.keepMs;
    const answer = await this.#parts.answers.fetch(url.href, { maxAgeMs, staleMs: options.fresh ? 0 : staleMs }, () => this.#insist(url, access, options));
    return (answer as Envelope | null) ?? undefined;
  }

  async #insist(url: URL, access: ProviderAccess, options: AskOptions): Promise<Envelope | null> {
    const kind = url.pathname.split("/").filter((part) => part !== "" && !/^\d+-\d+$/.test(part)).at(-1) ?? "";
    for (let attempt = 1; ; attempt += 1) {
      this.#parts.breaker.check();
      try {
        const answer = await this.#parts.budget.spend(kind, options.urgency, () => this.#once(url, access, options.signal), options.signal);
        this.#parts.breaker.succeeded();
        return answer;
      } catch (fault) {
        if (fault instanceof KeyRefused) this.#parts.breaker.refused(fault.message);
        if (!(fault instanceof Transient)) throw fault;
        this.#parts.breaker.failed(fault.message);
        const delayMs = this.#delay(attempt, fault);
        if (attempt >= tries[options.urgency] || delayMs > this.#parts.timing.longestWaitMs) throw new ProviderFailure(fault.message, { cause: fault, retryAfterSeconds: fault.retryAfterSeconds });
        await pause(delayMs, options.signal);
      }
    }
  }

  /** Twice as long each time, with jitter; longer when the provider asks for it. */
  #delay(attempt: number, fault: Transient): number {
    const own = this.#parts.timing.firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
    return Math.max(own, (fault.retryAfterSeconds ?? 0) * 1000);
  }

  async #once(url: URL, access: ProviderAccess, signal: AbortSignal | undefined): Promise<Envelope | null> {
    const keyed = new URL(url);
    keyed.searchParams.set("api_key", access.key);
    const limit = AbortSignal.timeout(this.#parts.timing.timeoutMs);
    const until = joinSignals(signal, limit);
    let response: Response;
    let text: string;
    try {
      response = await this.#parts.fetch(keyed, { headers: { accept: "application/json", "user-agent": access.userAgent }, signal: until.signal });
      text = await readText(response);
    } catch (fault) {
      signal?.throwIfAborted();
      if (fault instanceof ProviderFailure) throw fault;
      throw new Transient("The provider cannot be reached.", { cause: limit.aborted ? "timeout" : describe(fault) });
    } finally {
      until.release();
    }
    return judge(response, text);
  }
}

/** Addresses hold the key, so only the kind of a network fault is passed on. */
const describe = (fault: unknown) => (fault instanceof Error ? ((fault.cause as { code?: string } | undefined)?.code ?? fault.name) : "unknown");

function judge(response: Response, text: string): Envelope | null {
  const after = Number(response.headers.get("retry-after"));
  const retryAfterSeconds = Number.isFinite(after) && after > 0 ? after : undefined;
  const envelope = envelopeSchema.safeParse(parseJson(text)).data;
  if (response.status === 401 || response.status === 403 || envelope?.status_code === 100) throw new KeyRefused("The provider refuses the key.");
  if (response.status === 404 || envelope?.status_code === 101) return null;
  if (response.status === 420 || response.status === 429 || envelope?.status_code === 107) throw new Transient("The provider asks for fewer questions.", { retryAfterSeconds });
  if (response.status >= 400) throw new Transient(`The provider answers ${response.status}.`, { retryAfterSeconds });
  if (!envelope) throw new Transient("The provider answers with something that is not JSON.", { retryAfterSeconds });
  if (envelope.status_code !== 1) throw new ProviderFailure(`The provider refuses the question: ${envelope.error ?? envelope.status_code}.`);
  return { number_of_total_results: envelope.number_of_total_results, results: envelope.results };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ProviderFailure("The provider's answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

