import type { StoredDocument } from "@longbox/sdk";
import type { z } from "zod";
import type { Refusals } from "../refusals.js";
import type { Turnstile } from "../turnstile.js";

/** A document whose file may change under it, between two changes, when the data goes to another state. */
export class MovableDocument<T> implements StoredDocument<T> {
  readonly schema: z.ZodType<T>;
  readonly #turns: Turnstile;
  readonly #refusals: Refusals;
  #document: StoredDocument<T>;
  #closed = false;

  constructor(
    document: StoredDocument<T>,
    schema: z.ZodType<T>,
    { turns, refusals }: { readonly turns: Turnstile; readonly refusals: Refusals },
  ) {
    this.#document = document;
    this.schema = schema;
    this.#turns = turns;
    this.#refusals = refusals;
  }

  read(): T {
    this.#refuseClosed();
    return this.#document.read();
  }

  async update(change: (current: T) => T): Promise<T> {
    const free = await this.#turns.enter();
    try {
      this.#refuseClosed();
      return await this.#document.update(change);
    } finally {
      free();
    }
  }

  /** From now on everything is refused: its holder no longer owns what it would write over. */
  close(): void {
    this.#closed = true;
  }

  #refuseClosed(): void {
    if (this.#closed) this.#refusals.refuse();
  }

  become(document: StoredDocument<T>): void {
    this.#document = document;
  }

  /** Goes on as another opening of the same file, so that neither writes over what the other changed. */
  share(other: MovableDocument<T>): void {
    this.#document = other.#document;
  }
}
