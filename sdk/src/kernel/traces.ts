import type { Releasable } from "../releasable.js";
import { contract } from "../token.js";

/**
 * One piece of work that a request caused, or the request itself, once it is over. Its values are in the terms of
 * OpenTelemetry.
 */
export interface TraceSpan {
  /**
   * 32 hexadecimal digits, the same for everything that one request caused: the client's, where it sent a
   * `traceparent`.
   */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** What caused it; of a request only where the client sent a `traceparent`. */
  readonly parentSpanId?: string;
  /** An answered request, a query to the tables of a plugin, or a request to another server. */
  readonly kind: "request" | "query" | "outgoing";
  /** Such as `GET /api/users/{id}`, `SELECT` or `GET example.org`. */
  readonly name: string;
  /** Whose work it is: `kernel`, or the id of a plugin. */
  readonly owner: string;
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** The answer was a status of 500 or more, or there was none. */
  readonly failed: boolean;
  /**
   * By the names of OpenTelemetry's semantic conventions. No query, no value of a parameter and no secret is among
   * them.
   */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Spans in the order in which they ended. */
export interface TraceSpans {
  readonly spans: readonly TraceSpan[];
  /** How many were dropped since the last time, because the listener was too slow. */
  readonly dropped: number;
}

export interface TraceOptions {
  /** The share of the requests that are traced, from 0 to 1. Default 1. */
  readonly share?: number;
}

/** What requests cause in this server. As long as no plugin listens, nothing is measured for it. */
export interface KernelTraces {
  /** Calls the listener about once a second while there are spans, and not again before its promise has settled. */
  onSpans(listener: (batch: TraceSpans) => void | Promise<void>, options?: TraceOptions): Releasable;
}

/** Traces of requests. Provided by the kernel itself. */
export const KernelTraces = contract<KernelTraces>("kernel.traces", "1.0.0");
