/** The size of each, in bytes: a scanned page fits. */
export const bufferBytes = 2 * 1024 * 1024;
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
