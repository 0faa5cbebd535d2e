import type { Readable } from "node:stream";

/** Bytes in memory that is used again: a piece is overwritten when the next but one is asked for. */
export interface Pieces {
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Opened content: its length and time are known, and any part of it can be read. It must be closed. */
export interface Source {
  readonly contentType: string;
  readonly length: number | undefined;
  /** The bytes are in memory already. */
  readonly atHand: boolean;
  readonly lastModified: Date | undefined;
  /** A tag made of size and time, for content that came without a validator. */
  readonly tag: string | undefined;
  /** The bytes from `start` to `end`, included; without a range all of them. */
  part(range?: { readonly start: number; readonly end: number }): Promise<Uint8Array | Readable | Pieces>;
  /** Everything that `part` gave has been handed to the system. */
  sent(): void;
  /** The client has gone: what is still being read for it need not be. */
  giveUp?(): void;
  close(): void;
}
