// Traces of what requests cause, for plugins that send them to a collector.
import { randomBytes } from "node:crypto";
import { releasable, type KernelTraces, type Releasable, type TraceOptions, type TraceSpan } from "@longbox/sdk";
import type { RoutedRequest } from "../http/routing/dispatcher.js";
import { currentOwner } from "../plugins/containment/attribution.js";
import { currentCause, type RequestCause } from "../plugins/containment/request-cause.js";
import type { OutgoingExchange } from "../outgoing/outgoing-observer.js";
import { SpanFollower } from "./span-follower.js";

/** What the spans of one request have in common. */
interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** From 0 to 1, the same at each server that a trace passes: below the wanted share, the trace is kept. */
  readonly sample: number;
}

type Measured = Omit<TraceSpan, "traceId" | "spanId" | "parentSpanId" | "startedAt">;

/** `00-<trace id>-<parent id>-<flags>`, as the W3C's Trace Context has it; ids of nothing but zeros are invalid. */
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
const longestStatement = 2_000;

export class Traces implements KernelTraces {
  readonly #contexts = new WeakMap<RequestCause, TraceContext>();
  readonly #followers = new Set<SpanFollower>();

  onSpans(listener: Parameters<KernelTraces["onSpans"]>[0], { share = 1 }: TraceOptions = {}): Releasable {
    const follower = new SpanFollower(listener, share);
    this.#followers.add(follower);
    return releasable(() => {
      this.#followers.delete(follower);
      follower.stop();
    });
  }

  /** A request has been answered, in whose course this is called. @param milliseconds - until the answer began */
  answered({ method, path, route, owner }: RoutedRequest, status: number, milliseconds: number): void {
    const context = this.#context();
    if (context === undefined) return;
    this.#tell(context, {
      kind: "request",
      name: `${method} ${route}`,
      owner,
      milliseconds,
      failed: status >= 500,
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "url.path": path,
        "http.response.status_code": status,
      },
    });
  }

  /** @param sql - the statement, without the values of its parameters */
  queried(owner: string, sql: string, milliseconds: number): void {
    const context = this.#context();
    if (context === undefined) return;
    const operation = /^[a-z]+/i.exec(sql)?.[0].toUpperCase() ?? "QUERY";
    this.#tellChild(context, {
      kind: "query",
      name: operation,
      owner,
      milliseconds,
      failed: false,
      attributes: { "db.operation.name": operation, "db.query.text": sql.slice(0, longestStatement) },
    });
  }

  /** Another server was asked. Neither the path nor the query are told: they may hold a key. */
  exchanged({ method, url, status, milliseconds }: OutgoingExchange): void {
    const context = this.#context();
    if (context === undefined) return;
    this.#tellChild(context, {
      kind: "outgoing",
      name: `${method} ${url.host}`,
      owner: currentOwner()?.id ?? "kernel",
      milliseconds,
      failed: status === undefined || status >= 500,
      attributes: {
        "http.request.method": method,
        "server.address": url.hostname,
        "url.scheme": url.protocol.slice(0, -1),
        ...(status === undefined ? { "error.type": "no-answer" } : { "http.response.status_code": status }),
      },
    });
  }

  /** The trace of the request which caused the running code, if a plugin follows it. */
  #context(): TraceContext | undefined {
    if (this.#followers.size === 0) return undefined;
    const cause = currentCause();
    if (cause === undefined) return undefined;
    let context = this.#contexts.get(cause);
    if (context === undefined) this.#contexts.set(cause, (context = contextOf(cause.traceparent)));
    return context;
  }

  #tellChild({ traceId, spanId, sample }: TraceContext, measured: Measured): void {
    this.#tell({ traceId, spanId: newId(8), parentSpanId: spanId, sample }, measured);
  }

  #tell({ sample, ...context }: TraceContext, measured: Measured): void {
    // What waited for something else was measured without that time; by the end is as near as it can be told.
    const span = {
      ...context,
      ...measured,
      startedAt: performance.timeOrigin + performance.now() - measured.milliseconds,
    };
    for (const follower of this.#followers) follower.add(span, sample);
  }
}

function contextOf(traceparent: string | undefined): TraceContext {
  const [, given, parentSpanId] = traceparentForm.exec(traceparent ?? "") ?? [];
  const traceId = given ?? newId(16);
  // The last 56 bits are random.
  const sample = Number.parseInt(traceId.slice(-14), 16) / 2 ** 56;
  return { traceId, spanId: newId(8), sample, ...(parentSpanId !== undefined && { parentSpanId }) };
}

const newId = (bytes: number) => randomBytes(bytes).toString("hex");
