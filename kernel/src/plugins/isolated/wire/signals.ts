import type { Reading, SpecialKind, Writing } from "./values.js";

/** Lets signals abort on the other side, too, for as long as the call lasts that they were given to. */
export class SignalCrossing implements SpecialKind {
  readonly tag = "a";
  readonly #received = new Map<number, AbortController>();
  readonly #abort: (number: number, reason: string) => void;
  #next = 1;

  constructor(abort: (number: number, reason: string) => void) {
    this.#abort = abort;
  }

  write(value: object, { afterwards }: Writing): unknown {
    if (!(value instanceof AbortSignal)) return undefined;
    if (value.aborted) return { reason: reasonOf(value) };
    const number = this.#next;
    this.#next += 1;
    const heard = () => this.#abort(number, reasonOf(value));
    value.addEventListener("abort", heard, { once: true });
    afterwards(() => value.removeEventListener("abort", heard));
    return { number };
  }

  read(told: unknown, { afterwards }: Reading): AbortSignal {
    const { number, reason } = (told ?? {}) as { number?: unknown; reason?: unknown };
    const controller = new AbortController();
    if (typeof number !== "number") {
      controller.abort(abortError(reason));
      return controller.signal;
    }
    this.#received.set(number, controller);
    afterwards(() => this.#received.delete(number));
    return controller.signal;
  }

  /** The other side says that a signal has aborted. */
  aborted(number: number, reason: unknown): void {
    this.#received.get(number)?.abort(abortError(reason));
    this.#received.delete(number);
  }

  abortAll(reason: Error): void {
    for (const controller of this.#received.values()) controller.abort(reason);
    this.#received.clear();
  }
}

const reasonOf = ({ reason }: AbortSignal) => (reason instanceof Error ? reason.message : String(reason)).slice(0, 500);

const abortError = (reason: unknown) =>
  new DOMException(typeof reason === "string" ? reason : "It was aborted.", "AbortError");
