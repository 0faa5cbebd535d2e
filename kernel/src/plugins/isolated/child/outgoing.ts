import {
  UpstreamFailure,
  type Answer,
  type FetchOptions,
  type JsonLimits,
  type OutgoingHost,
  type PluginContext,
} from "@longbox/sdk";
import { z } from "zod";
import type { Channel } from "../wire/channel.js";
import { readHere } from "./parsing.js";

/** A request to another server as it crosses. */
export interface ToldFetch {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
}

/** Its answer. */
export interface ToldAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | undefined;
}

const passedOn = [
  "maxBytes",
  "timeoutMs",
  "redirects",
  "publicOnly",
  "redirect",
  "urgency",
  "kind",
  "quietMs",
] as const;

/** Requests to other servers, which the kernel makes: it knows which hosts the plugin may talk to. */
export function innerOutgoing(channel: Channel): Pick<PluginContext, "fetch" | "host"> {
  return {
    async fetch(input, init) {
      return answerOf((await channel.call("fetch", [await tell(input, init)], { rule: "all" })) as ToldAnswer);
    },
    host: (url, limits) => innerHost(channel, new URL(url), limits ?? {}),
  };
}

function innerHost(channel: Channel, url: URL, limits: object): OutgoingHost {
  const ask = (method: string, given: readonly unknown[]) =>
    channel.call("host", [{ url: url.href, limits }, method, ...given], { rule: "all" });
  let state: ReturnType<OutgoingHost["state"]> = { host: url.host, resting: undefined, waiting: 0, running: 0 };
  const look = async () => void (state = (await ask("state", [])) as typeof state);
  const after = async <T>(work: Promise<T>): Promise<T> => work.finally(() => void look().catch(() => undefined));
  // The limits hold from now on, also without a request.
  void look().catch(() => undefined);
  return {
    name: url.host,
    run: <T>(work: () => Promise<T>, request = {}) => after(ask("run", [async () => work(), request])) as Promise<T>,
    async fetch(target, init) {
      return answerOf((await after(ask("fetch", [await tell(target, init)]))) as ToldAnswer);
    },
    async stream(target, { signal, headers, ...options } = {}) {
      const told = await tell(target, { headers: { ...headers }, ...(signal && { signal }), ...options });
      const answer = (await after(ask("stream", [told]))) as ToldAnswer & { readonly discard: () => Promise<void> };
      const { status, url: last } = answer;
      return {
        status,
        headers: answer.headers,
        url: last,
        chunks: () => answer.body ?? noChunks(),
        // A connection that is closed already needs no discarding.
        discard: () => void answer.discard().catch(() => undefined),
      };
    },
    state: () => state,
    // What fails shows at the next request.
    reset: () => void ask("reset", []).then(look, () => undefined),
  };
}

async function* noChunks(): AsyncGenerator<Uint8Array> {}

type Options = FetchOptions & Partial<Record<"urgency" | "kind" | "quietMs", unknown>>;

async function tell(input: string | URL | Request, init: Options = {}): Promise<ToldFetch> {
  const { signal, ...rest } = init;
  const request = new Request(input, { ...rest, ...(rest.body instanceof ReadableStream && { duplex: "half" }) });
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const options = Object.fromEntries(
    passedOn.filter((name) => rest[name] !== undefined).map((name) => [name, rest[name]]),
  );
  const { url, method, headers } = request;
  const given = signal ?? (input instanceof Request ? input.signal : undefined);
  return { url, method, headers, body, options, signal: given ?? undefined };
}

const bodiless = new Set([101, 103, 204, 205, 304]);

function answerOf({ status, statusText, url, redirected, headers, body }: ToldAnswer): Answer {
  const stream = body === undefined || bodiless.has(status) ? null : ReadableStream.from(body);
  const response = new Response(stream, { status, statusText, headers });
  const failing = (told: string, details: object) =>
    new UpstreamFailure(
      "kernel/answer-unreadable",
      `The answer of ${new URL(url).host} cannot be read. ${told}`,
      details,
    );
  const json = async (schema: z.ZodType = z.unknown(), limits?: JsonLimits) =>
    readHere({ bytes: new Uint8Array(await response.arrayBuffer()), schema, limits }, failing);
  return Object.defineProperties(response, {
    json: { value: json },
    url: { value: url },
    redirected: { value: redirected },
  }) as Answer;
}
