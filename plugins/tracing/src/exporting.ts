import { isLongboxError, pause, retryAfterSeconds, type Fetch, type Logger, type TraceSpan } from "@longbox/sdk";
import { z } from "zod";
import { tracesBody, type Resource } from "./otlp.js";
import type { TracingSettings } from "./settings.js";
import { CollectorRefused } from "./tracing-errors.js";

/**
 * After these a collector may take the same spans a moment later.
 * https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
 */
const passing = new Set([429, 502, 503, 504]);
/** The kernel keeps some thousand spans meanwhile, and then drops what comes. */
const retriesAfterMs = [1_000, 4_000];
const longestRetryMs = 10_000;
const exchangeMs = 10_000;
const answerBytes = 64 * 1024;
/** The log says again that the collector is out of reach, with what was lost since. */
const complaintMs = 10 * 60_000;

const answerShape = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.coerce.number().default(0), errorMessage: z.string().max(1_000).default("") })
    .optional(),
});

export interface ExporterParts {
  readonly fetch: Fetch;
  readonly log: Logger;
  readonly version: string;
  readonly settings: { readonly current: TracingSettings };
  /** Aborts when the plugin stops. */
  readonly stopping: AbortSignal;
}

/** Sends spans to the collector. What it does not take is lost, and told in the log. */
export class Exporter {
  #lost = 0;
  #complainedAt = -Infinity;
  /** Why the collector does not take spans at present. */
  trouble: string | undefined;

  constructor(private readonly parts: ExporterParts) {}

  /** @throws {LongboxError} `tracing/collector-refused`, or what a request that fails throws */
  async send(spans: readonly TraceSpan[], settings: TracingSettings): Promise<void> {
    const { fetch, version } = this.parts;
    const resource: Resource = { service: settings.service, version };
    const answer = await fetch(settings.address, {
      method: "POST",
      headers: {
        ...Object.fromEntries(settings.headers.map(({ name, value }) => [name, value])),
        "Content-Type": "application/json",
      },
      body: JSON.stringify(tracesBody(spans, resource)),
      timeoutMs: exchangeMs,
      maxBytes: answerBytes,
      redirects: 0,
      signal: this.parts.stopping,
    });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new CollectorRefused(answer.status, retryAfterSeconds(answer.headers.get("retry-after")));
    }
    const taken = answerShape.safeParse(await answer.json().catch(() => ({})));
    const refused = taken.data?.partialSuccess;
    if (refused && refused.rejectedSpans > 0)
      this.parts.log.warn("The collector refused some spans.", {
        refused: refused.rejectedSpans,
        reason: refused.errorMessage,
      });
  }

  /** Sends, again where it may help. Never throws. */
  async deliver(spans: readonly TraceSpan[], dropped: number): Promise<void> {
    this.#lost += dropped;
    if (spans.length === 0) return;
    for (const wait of [...retriesAfterMs, undefined]) {
      const fault = await this.#try(spans);
      if (fault === undefined) return this.#recovered();
      if (this.parts.stopping.aborted) return;
      if (wait === undefined || !mayPass(fault)) return this.#lose(spans.length, fault);
      const asked = fault instanceof CollectorRefused ? (fault.retryAfter ?? 0) * 1000 : 0;
      // Where the plugin stops meanwhile, the next attempt ends at once.
      await pause(Math.min(Math.max(wait, asked), longestRetryMs), this.parts.stopping).catch(() => undefined);
    }
  }

  async #try(spans: readonly TraceSpan[]): Promise<Error | undefined> {
    try {
      await this.send(spans, this.parts.settings.current);
      return undefined;
    } catch (fault) {
      return fault instanceof Error ? fault : new Error(String(fault));
    }
  }

  #recovered(): void {
    if (this.trouble !== undefined)
      this.parts.log.info("The collector takes spans again.", { lostMeanwhile: this.#lost });
    this.trouble = undefined;
    this.#lost = 0;
    this.#complainedAt = -Infinity;
  }

  #lose(count: number, fault: Error): void {
    this.#lost += count;
    this.trouble = fault.message;
    if (performance.now() - this.#complainedAt < complaintMs) return;
    this.#complainedAt = performance.now();
    this.parts.log.warn("Spans could not be sent to the collector.", { lost: this.#lost, error: fault });
  }
}

/** A collector that is away or busy comes back; one that refuses does so again. */
function mayPass(fault: Error): boolean {
  if (fault instanceof CollectorRefused) return passing.has(fault.status);
  return isLongboxError(fault) && ["kernel/server-unreachable", "kernel/fetch-timeout"].includes(fault.code);
}
