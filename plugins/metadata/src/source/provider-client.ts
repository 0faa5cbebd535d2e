import {
  HostFailure,
  isHostFailure,
  isLongboxError,
  pause,
  retryAfterSeconds,
  type Answer,
  type Fetch,
  type OutgoingHost,
} from "@longbox/sdk";
import { z } from "zod";
import type { AskOptions } from "../contract.js";
import { BudgetSpent, KeyRefused, ProviderFailure } from "../upstream-errors.js";
import { keyFor } from "../audience.js";
import { answerLimits, type KeptAnswers } from "./answers.js";
import type { ProviderTrouble } from "./trouble.js";

const envelopeSchema = z.object({
  status_code: z.coerce.number(),
  error: z.string().optional(),
  number_of_total_results: z.coerce.number().catch(0),
  results: z.unknown(),
});
export type Envelope = Pick<z.output<typeof envelopeSchema>, "number_of_total_results" | "results">;

export interface ProviderAccess {
  readonly baseUrl: string;
  readonly key: string;
  readonly userAgent: string;
  readonly keepMs: number;
}

export interface ProviderClientParts {
  readonly fetch: Fetch;
  readonly access: () => Promise<ProviderAccess>;
  readonly host: (baseUrl: string) => OutgoingHost;
  readonly trouble: ProviderTrouble;
  readonly answers: KeptAnswers;
  readonly timing: { readonly timeoutMs: number; readonly firstDelayMs: number; readonly longestWaitMs: number };
}

const maxBytes = 20 * 1024 * 1024;
const staleMs = 30 * 86_400_000;
const tries = { person: 3, background: 5 } as const;

/** The client of a provider with ComicVine's protocol, with a request budget, retries and a cache. */
export class ProviderClient {
  readonly #parts: ProviderClientParts;

  constructor(parts: ProviderClientParts) {
    this.#parts = parts;
  }

  /**
   * @param path - Below the base URL, with a trailing slash, such as `volume/4050-5001/`
   * @returns undefined when the provider says that there is no such thing
   * @throws {UpstreamFailure} for all other failures
   */
  async ask(
    path: string,
    parameters: Readonly<Record<string, string>>,
    options: AskOptions,
  ): Promise<Envelope | undefined> {
    const access = await this.#parts.access();
    const url = new URL(`${access.baseUrl.replace(/\/+$/, "")}/${path}`);
    for (const [name, value] of Object.entries({ ...parameters, format: "json" }).toSorted())
      url.searchParams.set(name, value);
    const key = keyFor(url.href, options.viewer);
    const answer = await this.#parts.answers.fetch(key, agesOf(options, access.keepMs), () =>
      this.#insist(url, access, options),
    );
    return (answer as Envelope | null) ?? undefined;
  }

  async #insist(url: URL, access: ProviderAccess, options: AskOptions): Promise<Envelope | null> {
    const kind =
      url.pathname
        .split("/")
        .filter((part) => part !== "" && !/^\d+-\d+$/.test(part))
        .at(-1) ?? "";
    const host = this.#parts.host(access.baseUrl);
    const request = { kind, urgency: options.urgency, ...(options.signal && { signal: options.signal }) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await host.run(() => this.#once(url, access, options.signal), request);
        this.#parts.trouble.note(undefined);
        return answer;
      } catch (fault) {
        if (fault instanceof KeyRefused || isHostFailure(fault)) this.#parts.trouble.note(fault.message);
        const waitMs = this.#waitMs(attempt, fault);
        if (waitMs === undefined || attempt >= tries[options.urgency]) throw inOwnWords(fault);
        await pause(waitMs, options.signal);
      }
    }
  }

  /**
   * The delay before the next attempt: doubled each time, with jitter, and longer when the provider asks for it.
   * Undefined when a retry is useless.
   */
  #waitMs(attempt: number, fault: unknown): number | undefined {
    const resting = isLongboxError(fault) && fault.code === "kernel/host-resting";
    if (!isHostFailure(fault) && !resting) return undefined;
    const { firstDelayMs, longestWaitMs } = this.#parts.timing;
    const ownMs = firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
    const waitMs = Math.max(ownMs, (fault.retryAfterSeconds ?? 0) * 1000);
    return waitMs > longestWaitMs ? undefined : waitMs;
  }

  async #once(url: URL, access: ProviderAccess, signal: AbortSignal | undefined): Promise<Envelope | null> {
    const keyed = new URL(url);
    keyed.searchParams.set("api_key", access.key);
    try {
      const response = await this.#parts.fetch(keyed, {
        headers: { accept: "application/json", "user-agent": access.userAgent },
        maxBytes,
        timeoutMs: this.#parts.timing.timeoutMs,
        ...(signal && { signal }),
      });
      return judge(response, await readEnvelope(response));
    } catch (fault) {
      if (isLongboxError(fault) && fault.code === "kernel/answer-too-large")
        throw new ProviderFailure("The provider's answer is too large.", { cause: fault });
      if (isHostFailure(fault) && fault.code.startsWith("kernel/") && fault.code !== "kernel/host-failed")
        throw new HostFailure("The provider cannot be reached.", { cause: fault });
      throw fault;
    }
  }
}

/** How old a cached answer may be: normally, and when the provider fails. */
function agesOf({ fresh, since }: AskOptions, keepMs: number): { maxAgeMs: number; staleMs: number } {
  if (fresh) return { maxAgeMs: 0, staleMs: 0 };
  if (since === undefined) return { maxAgeMs: keepMs, staleMs };
  const maxAgeMs = Math.max(0, Date.now() - since);
  return { maxAgeMs, staleMs: maxAgeMs };
}

/** Translates the kernel's errors about a host to errors about the provider. */
function inOwnWords(fault: unknown): unknown {
  if (!isLongboxError(fault)) return fault;
  if (fault.code === "kernel/host-budget-spent") return new BudgetSpent(fault.retryAfterSeconds ?? 60);
  if (fault.code === "kernel/host-resting")
    return new ProviderFailure("Requests to the provider are suspended for a while.", {
      cause: fault,
      retryAfterSeconds: fault.retryAfterSeconds,
    });
  return isHostFailure(fault)
    ? new ProviderFailure(fault.message, { cause: fault, retryAfterSeconds: fault.retryAfterSeconds })
    : fault;
}

function judge(response: Answer, envelope: z.output<typeof envelopeSchema> | undefined): Envelope | null {
  const after = retryAfterSeconds(response.headers.get("retry-after"));
  const wait = after === undefined ? {} : { retryAfterSeconds: after };
  if (response.status === 401 || response.status === 403 || envelope?.status_code === 100)
    throw new KeyRefused("The provider refuses the key.");
  if (response.status === 404 || envelope?.status_code === 101) return null;
  if (response.status === 420 || response.status === 429 || envelope?.status_code === 107)
    throw new HostFailure("The provider asks for fewer requests.", wait);
  if (response.status >= 400) throw new HostFailure(`The provider answers ${response.status}.`, wait);
  if (!envelope) throw new HostFailure("The provider's answer is not JSON.", wait);
  if (envelope.status_code !== 1)
    throw new ProviderFailure(`The provider refuses the request: ${envelope.error ?? envelope.status_code}.`);
  return { number_of_total_results: envelope.number_of_total_results, results: envelope.results };
}

/**
 * @returns undefined for what is no envelope, such as a page that says that the provider rests
 * @throws {ProviderFailure}
 */
async function readEnvelope(response: Answer): Promise<z.output<typeof envelopeSchema> | undefined> {
  try {
    return await response.json(envelopeSchema, answerLimits);
  } catch (fault) {
    if (!isLongboxError(fault) || fault.code !== "kernel/answer-unreadable") throw fault;
    const { problem } = fault.details as { problem: string };
    if (response.ok && (problem === "too-deep" || problem === "too-many-values"))
      throw new ProviderFailure("The provider's answer holds more than can be read.", { cause: fault });
    return undefined;
  }
}
