import {
  HostFailure,
  isHostFailure,
  isLongboxError,
  pause,
  retryAfterSeconds,
  type Answer,
  type Fetch,
  type OutgoingHost,
  type Viewer,
} from "@longbox/sdk";
import type { z } from "zod";
import { OpenLibraryFailure, OpenLibraryRefused } from "../errors.js";
import { answerLimits, type KeptAnswers } from "./answers.js";
import type { Trouble } from "./trouble.js";

export interface AskOptions {
  /** Whether a user waits for the answer, or background work. */
  readonly urgency: "person" | "background";
  /**
   * Users from whom items are hidden have answers of their own: what is cached for others tells what is in the library.
   */
  readonly viewer?: Pick<Viewer, "seesRestricted"> | undefined;
  /** Ask even if there is a cached answer. */
  readonly fresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ClientParts {
  readonly fetch: Fetch;
  readonly host: () => OutgoingHost;
  readonly access: () => { readonly baseUrl: string; readonly userAgent: string; readonly keepMs: number };
  readonly answers: KeptAnswers;
  readonly trouble: Trouble;
}

const timing = { timeoutMs: 20_000, firstDelayMs: 500, longestWaitMs: 15_000 } as const;
const maxBytes = 8 * 1024 * 1024;
const staleMs = 180 * 86_400_000;
/** What Open Library did not have may have been added since. */
const missingMs = 7 * 86_400_000;
const tries = { person: 2, background: 4 } as const;

/** Asks Open Library for JSON: in turn, with retries, and nothing twice. */
export class LibraryClient {
  constructor(private readonly parts: ClientParts) {}

  /**
   * @param path - Below the base URL, with its query, such as `works/OL1W.json`
   * @returns undefined when there is no such thing
   * @throws {OpenLibraryFailure} @throws {OpenLibraryRefused}
   */
  async ask<S extends z.ZodType>(path: string, schema: S, options: AskOptions): Promise<z.output<S> | undefined> {
    const { baseUrl, keepMs } = this.parts.access();
    const url = `${baseUrl.replace(/\/+$/, "")}/${path}`;
    const maxAgeMs = (answer: unknown) => (options.fresh ? 0 : answer === null ? Math.min(missingMs, keepMs) : keepMs);
    const ages = { maxAgeMs, staleMs: options.fresh ? 0 : staleMs };
    const answer = await this.parts.answers.fetch(keyFor(url, options.viewer), ages, () =>
      this.#insist(url, schema, options),
    );
    if (answer === null) return undefined;
    const kept = schema.safeParse(answer);
    // A former version of this plugin kept it in another shape.
    if (kept.success || options.fresh) return schema.parse(answer);
    return await this.ask(path, schema, { ...options, fresh: true });
  }

  async #insist(url: string, schema: z.ZodType, { urgency, signal }: AskOptions): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await this.parts
          .host()
          .run(() => this.#once(url, schema, signal), { urgency, ...(signal && { signal }) });
        this.parts.trouble.note(undefined);
        return answer;
      } catch (fault) {
        signal?.throwIfAborted();
        if (isLongboxError(fault)) this.parts.trouble.note(fault.message);
        const waitMs = waitBefore(attempt, fault);
        if (waitMs === undefined || attempt >= tries[urgency]) throw inOwnWords(fault);
        await pause(waitMs, signal);
      }
    }
  }

  async #once(url: string, schema: z.ZodType, signal: AbortSignal | undefined): Promise<unknown> {
    try {
      const answer = await this.parts.fetch(url, {
        headers: { accept: "application/json", "user-agent": this.parts.access().userAgent },
        maxBytes,
        timeoutMs: timing.timeoutMs,
        ...(signal && { signal }),
      });
      return await read(answer, schema);
    } catch (fault) {
      if (isLongboxError(fault) && fault.code === "kernel/answer-too-large")
        throw new OpenLibraryFailure("The answer of Open Library is too large.", { cause: fault });
      if (isHostFailure(fault) && fault.code.startsWith("kernel/") && fault.code !== "kernel/host-failed")
        throw new HostFailure("Open Library cannot be reached.", { cause: fault });
      throw fault;
    }
  }
}

/** The key of something cached for this viewer. */
export function keyFor(key: string, viewer: AskOptions["viewer"]): string {
  return viewer === undefined || viewer.seesRestricted ? key : `open ${key}`;
}

async function read(answer: Answer, schema: z.ZodType): Promise<unknown> {
  const after = retryAfterSeconds(answer.headers.get("retry-after"));
  const wait = after === undefined ? {} : { retryAfterSeconds: after };
  if (answer.ok) return await readJson(answer, schema);
  await answer.body?.cancel();
  // 422: the search has too few letters.
  if (answer.status === 404 || answer.status === 422) return undefined;
  if (answer.status === 401 || answer.status === 403) throw new OpenLibraryRefused();
  if (answer.status === 429) throw new HostFailure("Open Library asks for fewer requests.", wait);
  throw new HostFailure(`Open Library answers ${answer.status}.`, wait);
}

async function readJson(answer: Answer, schema: z.ZodType): Promise<unknown> {
  try {
    return await answer.json(schema, answerLimits);
  } catch (fault) {
    if (!isLongboxError(fault) || fault.code !== "kernel/answer-unreadable") throw fault;
    const { problem } = fault.details as { problem: string };
    if (problem === "malformed") throw new HostFailure("The answer of Open Library is not JSON.", { cause: fault });
    throw new OpenLibraryFailure("The answer of Open Library has an unexpected format.", { cause: fault });
  }
}

/** Doubled each time, with jitter, and longer when Open Library asks for it. Undefined when a retry is useless. */
function waitBefore(attempt: number, fault: unknown): number | undefined {
  const isResting = isLongboxError(fault) && fault.code === "kernel/host-resting";
  if (!isHostFailure(fault) && !isResting) return undefined;
  const ownMs = timing.firstDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random());
  const waitMs = Math.max(ownMs, (fault.retryAfterSeconds ?? 0) * 1000);
  return waitMs > timing.longestWaitMs ? undefined : waitMs;
}

function inOwnWords(fault: unknown): unknown {
  if (!isLongboxError(fault)) return fault;
  if (fault.code === "kernel/host-resting" || fault.code === "kernel/host-budget-spent")
    return new OpenLibraryFailure("Requests to Open Library are suspended for a while.", {
      cause: fault,
      retryAfterSeconds: fault.retryAfterSeconds,
    });
  if (!isHostFailure(fault)) return fault;
  return new OpenLibraryFailure(fault.message, { cause: fault, retryAfterSeconds: fault.retryAfterSeconds });
}
