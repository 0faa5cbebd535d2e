// Spans in the JSON encoding of OTLP 1: ids in hexadecimal digits, enumerations as numbers, 64-bit integers as texts.
// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
// OpenTelemetry's own serializer brings 8 MB of packages along for the metrics and logs that it knows as well.
import type { TraceSpan } from "@longbox/sdk";

export interface Resource {
  /** By which the collector lists this server. */
  readonly service: string;
  /** The version of the server. */
  readonly version: string;
}

const server = 2;
const client = 3;
const kinds: Readonly<Record<TraceSpan["kind"], number>> = { request: server, query: client, outgoing: client };
const error = 2;

/** The body of an `ExportTraceServiceRequest`. */
export function tracesBody(spans: readonly TraceSpan[], { service, version }: Resource): object {
  const resource = { attributes: attributesOf({ "service.name": service, "service.version": version }) };
  const scopeSpans = [...Map.groupBy(spans, ({ owner }) => owner)].map(([owner, own]) => ({
    scope: { name: owner },
    spans: own.map(spanBody),
  }));
  return { resourceSpans: [{ resource, scopeSpans }] };
}

function spanBody(span: TraceSpan): object {
  const { traceId, spanId, parentSpanId, kind, name, startedAt, milliseconds, failed, attributes, owner } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + milliseconds),
    attributes: attributesOf({ ...attributes, "longbox.owner": owner }),
    status: failed ? { code: error } : {},
  };
}

function attributesOf(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: string | number): object {
  if (typeof value === "string") return { stringValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A double holds milliseconds since 1970 to a quarter of a microsecond, and their nanoseconds not at all. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1_000_000)));
}
