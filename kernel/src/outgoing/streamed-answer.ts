import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import type { StreamedAnswer } from "@longbox/sdk";
import type * as Undici from "undici";
import { AnswerTooLarge } from "./outgoing-errors.js";
import type { AnswerLimit } from "./limited-answer.js";
import type { Hop } from "./redirecting.js";

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** What servers send although it was not asked for. */
const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Asks without the streams of the web in between. */
export function askStreamed(quietMs: number) {
  return {
    async ask(
      { request }: typeof Undici,
      { url, init }: Hop,
      given: { signal: AbortSignal; dispatcher: Undici.Agent },
    ): Promise<RawAnswer> {
      const headers = { "accept-encoding": "identity", ...Object.fromEntries(new Headers(init.headers)) };
      const quiet = { headersTimeout: quietMs, bodyTimeout: quietMs };
      const answer = await request(url, { ...given, ...quiet, headers });
      const { statusCode: status, body } = answer;
      // A connection may break before the body is read, which then says so.
      body.on("error", () => undefined);
      return { status, headers: headersOf(answer.headers), body };
    },
    discard: ({ body }: RawAnswer) => void body.destroy(),
  };
}

/**
 * The answer with a body that ends with an error after so many bytes, counted after decompression.
 * @throws {AnswerTooLarge} at once when the header says so already
 */
export function limitStream(
  { status, headers, body }: RawAnswer,
  { host, href }: URL,
  { maxBytes, translate, over }: AnswerLimit,
): StreamedAnswer {
  const coding = headers.get("content-encoding");
  const close = () => {
    over();
    body.destroy();
  };
  if (coding === null && Number(headers.get("content-length") ?? 0) > maxBytes) {
    close();
    throw new AnswerTooLarge(host, maxBytes);
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of decoded(body, coding) as AsyncIterable<Uint8Array>) {
        length += chunk.byteLength;
        if (length > maxBytes) throw new AnswerTooLarge(host, maxBytes);
        yield chunk;
      }
    } catch (fault) {
      throw translate(fault);
    } finally {
      close();
    }
  }
  return { status, headers, url: href, chunks, discard: close };
}

function decoded(body: Readable, coding: string | null): AsyncIterable<unknown> {
  const decoder = coding === null ? undefined : decoders[coding.trim().toLowerCase()];
  return decoder ? body.compose(decoder()) : body;
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}
