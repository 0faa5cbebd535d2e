import { Readable } from "node:stream";
import { BrokenFrame } from "./frames.js";
import type { Referring, SpecialKind } from "./values.js";

interface Calling {
  call(target: number, method: string, given: unknown[]): Promise<unknown>;
  readonly referring: Referring;
}

/** Longer pieces are cut, so that one does not fill the connection. */
const pieceBytes = 256 * 1024;

/**
 * Streams and other things that are iterated asynchronously. The reader requests one piece at a time, at most one
 * ahead of the piece that it uses, so that a slow reader slows the writer down.
 */
export function streamKind({ call, referring }: Calling): SpecialKind {
  return {
    tag: "t",
    write(value) {
      if (!(Symbol.asyncIterator in value)) return undefined;
      return { v: referring.send(new Source(value as AsyncIterable<unknown>)), readable: value instanceof Readable };
    },
    read(told) {
      const { v, readable } = (told ?? {}) as { v?: unknown; readable?: unknown };
      if (typeof v !== "number") throw new BrokenFrame("A stream has no number.");
      const number = v;
      const source = referring.receive(number, { kind: "object", fields: {}, methods: [] });
      const pieces = read(
        () => call(number, "pull", []),
        () => call(number, "stop", []),
        source,
      );
      return readable === true ? Readable.from(pieces, { objectMode: false, highWaterMark: pieceBytes }) : pieces;
    },
  };
}

class Source {
  readonly #iterator: AsyncIterator<unknown>;
  #rest: Uint8Array | undefined;

  constructor(iterable: AsyncIterable<unknown>) {
    this.#iterator = iterable[Symbol.asyncIterator]();
  }

  async pull(): Promise<{ done: boolean; value?: unknown }> {
    if (this.#rest !== undefined) return this.#cut(this.#rest);
    const { done, value } = await this.#iterator.next();
    if (done === true) return { done: true };
    return value instanceof Uint8Array ? this.#cut(value) : { done: false, value };
  }

  async stop(): Promise<void> {
    await this.#iterator.return?.();
  }

  #cut(bytes: Uint8Array): { done: false; value: Uint8Array } {
    this.#rest = bytes.byteLength > pieceBytes ? bytes.subarray(pieceBytes) : undefined;
    return { done: false, value: bytes.subarray(0, pieceBytes) };
  }
}

/** @param held - keeps the source on the other side for as long as it is read */
async function* read(
  pull: () => Promise<unknown>,
  stop: () => Promise<unknown>,
  held: object,
): AsyncGenerator<unknown> {
  let isAtEnd = false;
  try {
    let next = pull();
    for (;;) {
      const piece = (await next) as { done?: unknown; value?: unknown };
      if (piece.done === true) break;
      next = pull();
      // What follows is asked for already; that it failed shows when it is used.
      next.catch(() => undefined);
      yield piece.value;
    }
    isAtEnd = true;
  } finally {
    void held;
    // The other side may be gone, and with it what would have to be stopped.
    if (!isAtEnd) await stop().catch(() => undefined);
  }
}
