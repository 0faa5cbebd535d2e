import type { KernelTraces, TraceSpan } from "@longbox/sdk";
import { causedBy } from "../plugins/containment/request-cause.js";

/** The time between two deliveries, in milliseconds. */
const everyMs = 1_000;
const mostInBatch = 512;
/** What comes while this many wait is dropped and counted. */
const mostWaiting = 4_096;

/** Collects spans for one listener, and hands them over in batches. */
export class SpanFollower {
  readonly #listener: Parameters<KernelTraces["onSpans"]>[0];
  readonly #share: number;
  readonly #timer: NodeJS.Timeout;
  #waiting: TraceSpan[] = [];
  #dropped = 0;
  #isDelivering = false;

  constructor(listener: Parameters<KernelTraces["onSpans"]>[0], share: number) {
    this.#listener = listener;
    this.#share = share;
    // A delivery is caused by no request, or it would be traced itself.
    this.#timer = causedBy(undefined, () => setInterval(() => void this.#deliver(), everyMs).unref());
  }

  /** @param sample - from 0 to 1 for a whole trace */
  add(span: TraceSpan, sample: number): void {
    if (sample >= this.#share) return;
    if (this.#waiting.length < mostWaiting) this.#waiting.push(span);
    else this.#dropped += 1;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#waiting = [];
  }

  async #deliver(): Promise<void> {
    if (this.#isDelivering || (this.#waiting.length === 0 && this.#dropped === 0)) return;
    this.#isDelivering = true;
    const spans = this.#waiting.splice(0, mostInBatch);
    const dropped = this.#dropped;
    this.#dropped = 0;
    try {
      await this.#listener({ spans, dropped });
    } catch {
      // Its plugin has stopped, or has reported what went wrong: these spans are lost.
      this.#dropped += spans.length;
    } finally {
      this.#isDelivering = false;
    }
  }
}
