import { UpstreamFailure, type ErrorOptionsExtra } from "../errors.js";

const brand = Symbol.for("longbox.host-failure");

/** A temporary failure of another server: it cannot be reached, is overloaded, or limits the rate of requests. */
export class HostFailure extends UpstreamFailure {
  constructor(message: string, options: ErrorOptionsExtra & { code?: string } = {}) {
    super(options.code ?? "kernel/host-failed", message, undefined, options);
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Whether a thrown value is a {@link HostFailure}, whichever copy of the SDK made it. */
export function isHostFailure(thrown: unknown): thrown is HostFailure {
  return thrown instanceof Error && brand in thrown;
}

const longestRestSeconds = 3_600;

/**
 * The seconds of a `Retry-After` header, in either of its forms, at most an hour. Undefined when the header is missing
 * or invalid.
 */
export function retryAfterSeconds(header: string | null | undefined, nowMs = Date.now()): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === "") return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(longestRestSeconds, Math.max(0, Math.ceil(seconds)));
}
