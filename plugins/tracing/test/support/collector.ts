// A collector that takes OTLP 1 over HTTP in its JSON encoding, and is as strict as the protocol is.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`))
    .refine((text) => /[^0]/.test(text));
const instant = z.string().regex(/^\d{19}$/);
const span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: instant,
  endTimeUnixNano: instant,
  attributes,
  status: z.strictObject({ code: z.literal(2).optional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
});

export type CollectedSpan = z.output<typeof span> & { readonly scope: string; readonly values: Record<string, string> };
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** What each request carried, and when it came. */
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly service: string | undefined }[];
  /** Answers the next requests instead; undefined takes spans again. */
  answer: Answer | undefined;
}

const plain = (list: z.output<typeof attributes>) =>
  Object.fromEntries(list.map(({ key, value: one }) => [key, String(Object.values(one)[0])]));

export async function startCollector(): Promise<Collector> {
  const server = createServer((incoming, response) => void take(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans: [],
    requests: [],
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await incoming.toArray()).join("");
    const body = request.safeParse(JSON.parse(text));
    const isRight = incoming.url === "/v1/traces" && incoming.headers["content-type"] === "application/json";
    if (!body.success || !isRight) return void response.writeHead(400).end(body.error?.message);
    const [first] = body.data.resourceSpans;
    collector.requests.push({
      headers: incoming.headers,
      service: first && plain(first.resource.attributes)["service.name"],
    });
    if (collector.answer !== undefined) return collector.answer(incoming, response);
    for (const { scopeSpans } of body.data.resourceSpans)
      for (const { scope, spans } of scopeSpans)
        collector.spans.push(...spans.map((one) => ({ ...one, scope: scope.name, values: plain(one.attributes) })));
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  }
  return collector;
}
