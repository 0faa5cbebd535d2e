/** The size of each, in bytes: a scanned page fits. */
export const bufferBytes = 2 * 1024 * 1024;
/** Smaller answers cost the collector of garbage less than the buffers that are kept for others. */
const smallBytes = 64 * 1024;
/** Kept for the next answer, at most. */
const mostKept = 8;

/**
 * Buffers for whole answers, used again and again: made for each answer they would be most of what the collector
 * of garbage has to do.
 */
export class AnswerBuffers {
  readonly #kept: Buffer[] = [];

  /** A buffer of at least {@link bufferBytes}; its content is whatever was there. */
  take(): Buffer {
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
  }

  /** Takes a buffer back whose bytes have all been handed to the system. */
  give(buffer: Buffer): void {
    if (this.#kept.length < mostKept) this.#kept.push(buffer);
  }
}

/** At most one buffer, kept until everything of it is sent. */
export function lend(buffers: AnswerBuffers): { take(length: number): Buffer; giveBack(): void } {
  let lent: Buffer | undefined;
  return {
    take: (length) => (length <= smallBytes ? Buffer.allocUnsafe(length) : (lent = buffers.take()).subarray(0, length)),
    giveBack() {
      if (lent) buffers.give(lent);
      lent = undefined;
    },
  };
}
