import type { StoredDocument } from "@longbox/sdk";
import type { z } from "zod";
import type { Turnstile } from "./turnstile.js";

/** A document whose file may change under it, between two changes, when the data goes to another state. */
export class MovableDocument<T> implements StoredDocument<T> {
  readonly schema: z.ZodType<T>;
  readonly #turns: Turnstile;
  #document: StoredDocument<T>;

  constructor(document: StoredDocument<T>, schema: z.ZodType<T>, turns: Turnstile) {
    this.#document = document;
    this.schema = schema;
    this.#turns = turns;
  }

  read(): T {
    return this.#document.read();
  }

  async update(change: (current: T) => T): Promise<T> {
    const free = await this.#turns.enter();
    try {
      return await this.#document.update(change);
    } finally {
      free();
    }
  }

  become(document: StoredDocument<T>): void {
    this.#document = document;
  }

  /** Goes on as another opening of the same file, so that neither writes over what the other changed. */
  share(other: MovableDocument<T>): void {
    this.#document = other.#document;
  }
}
