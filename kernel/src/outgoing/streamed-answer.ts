import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type { StreamedAnswer } from "@longbox/sdk";
import type * as Undici from "undici";
import { AnswerTooLarge } from "./outgoing-errors.js";
import type { AnswerLimit } from "./limited-answer.js";
import { ReceivedBody } from "./received-body.js";
import type { Hop } from "./redirecting.js";

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReceivedBody;
}

/** What servers send although it was not asked for. */
const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Asks without the streams of the web, and of Node, in between. */
export function askStreamed(quietMs: number) {
  return {
    agents: "streams" as const,
    async ask(
      _: typeof Undici,
      { url, init }: Hop,
      { signal, dispatcher }: { signal: AbortSignal; dispatcher: Undici.Agent },
    ): Promise<RawAnswer> {
      signal.throwIfAborted();
      const body = new ReceivedBody();
      const abort = () => body.close(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      const headers = { "accept-encoding": "identity", ...Object.fromEntries(new Headers(init.headers)) };
      const quiet = { headersTimeout: quietMs, bodyTimeout: quietMs };
      const { origin, pathname, search } = url;
      const asked = { origin, path: pathname + search, method: "GET", headers, ...quiet } as const;
      // The connection of a large body is not kept: its end then ends a body of any framing.
      dispatcher.dispatch({ ...asked, reset: true }, body);
      const { status, headers: answered } = await body.head;
      return { status, headers: headersOf(answered), body };
    },
    discard: ({ body }: RawAnswer) => body.close(new Error("The answer is not needed.")),
  };
}

/**
 * The answer with a body that ends with an error after so many bytes, counted after decompression.
 * @throws {AnswerTooLarge} at once when the header says so already
 */
export function limitStream({ status, headers, body }: RawAnswer, url: URL, limit: AnswerLimit): StreamedAnswer {
  const coding = headers.get("content-encoding");
  const close = () => {
    limit.over();
    body.close(new Error("The answer is not needed any more."));
  };
  if (coding === null && Number(headers.get("content-length") ?? 0) > limit.maxBytes) {
    close();
    throw new AnswerTooLarge(url.host, limit.maxBytes);
  }
  async function* chunks({ reuseMemory = false }: { reuseMemory?: boolean } = {}): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of decoded(body, coding)) {
        length += chunk.byteLength;
        if (length > limit.maxBytes) throw new AnswerTooLarge(url.host, limit.maxBytes);
        yield reuseMemory ? chunk : new Uint8Array(chunk);
      }
    } catch (fault) {
      throw limit.translate(fault);
    } finally {
      close();
    }
  }
  return { status, headers, url: url.href, chunks, discard: close };
}

function decoded(body: ReceivedBody, coding: string | null): AsyncIterable<Uint8Array> {
  const decoder = coding === null ? undefined : decoders[coding.trim().toLowerCase()];
  if (!decoder) return body.chunks();
  return Readable.from(copies(body.chunks())).compose(decoder()) as AsyncIterable<Uint8Array>;
}

/** A stream reads ahead, while the chunk before is still in use. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield new Uint8Array(chunk);
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}
