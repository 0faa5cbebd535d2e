import { Readable } from "node:stream";
import { UpstreamFailure, type Content, type RangeBytes } from "@longbox/sdk";
import type { Source } from "./source.js";

type RangesContent = Extract<Content, { kind: "ranges" }>;

/**
 * Content that a plugin makes or fetches range by range. Its end, or the client's leaving, aborts what is still being
 * read.
 */
export function rangesSource(content: RangesContent): Source {
  const reading = new AbortController();
  const giveUp = () => reading.abort(new DOMException("These bytes are no longer needed.", "AbortError"));
  return {
    contentType: content.contentType,
    length: content.sizeBytes,
    atHand: false,
    lastModified: undefined,
    tag: undefined,
    async part(range) {
      if (content.sizeBytes === 0) return new Uint8Array();
      const { start, end } = range ?? { start: 0, end: content.sizeBytes - 1 };
      return asBody(await content.read(start, end, reading.signal), end - start + 1);
    },
    sent() {},
    giveUp,
    close: giveUp,
  };
}

async function asBody(bytes: RangeBytes, length: number): Promise<Uint8Array | Readable> {
  if (!(bytes instanceof Uint8Array)) return Readable.from(await begun(bytes), { objectMode: false });
  if (bytes.byteLength === length) return bytes;
  throw new UpstreamFailure("kernel/wrong-length", `The content has ${bytes.byteLength} bytes instead of ${length}.`);
}

/**
 * Waits for the first piece, so that a failure at the beginning is an answer of its own and no answer that breaks off.
 */
export async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
