import { readSync } from "node:fs";
import type { LookedAt } from "./looked-at.js";

/** A file by the descriptor of the server's open file, which all threads share. */
export interface OpenDescriptor {
  readonly descriptor: number;
  readonly sizeBytes: number;
}

/** Reads an open file, fewer bytes where it ends. For threads. */
export function openDescriptor({ descriptor, sizeBytes }: OpenDescriptor): Pick<LookedAt, "sizeBytes" | "read"> {
  return {
    sizeBytes,
    read(offset, length) {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    },
  };
}
