/**
 * The category of an error, with HTTP semantics but without status numbers. A table in the kernel's HTTP folder
 * maps each kind to a status.
 */
export type ErrorKind =
  | "bad-input"
  | "not-signed-in"
  | "forbidden"
  | "not-found"
  | "wrong-method"
  | "conflict"
  /** What the request expects, in a header such as `If-Match`, is not so. */
  | "precondition-failed"
  | "too-large"
  | "unsupported-type"
  | "too-many-requests"
  | "upstream"
  | "unavailable"
  | "storage-full"
  | "internal";

export interface ErrorOptionsExtra {
  cause?: unknown;
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** Further top-level fields of the error body, such as `{ unavailable: true }`. */
  body?: Record<string, unknown>;
}

const brand = Symbol.for("longbox.error");

/**
 * An error that a client may see.
 *
 * The answer's body is `{ error: message, code, details? }`. `kind` chooses the status, `code` (`plugin/reason`) is for
 * programs and never changes, the message is a sentence for a person.
 */
export class LongboxError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  readonly body: Record<string, unknown> | undefined;

  constructor(kind: ErrorKind, code: string, message: string, details?: unknown, options: ErrorOptionsExtra = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.kind = kind;
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.body = options.body;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Whether a thrown value is a {@link LongboxError}, whichever copy of the SDK made it. */
export function isLongboxError(thrown: unknown): thrown is LongboxError {
  return thrown instanceof Error && brand in thrown;
}

/** The input is invalid. `details` has a message for each field: `{ field: "what is wrong" }`. */
export class BadInput extends LongboxError {
  constructor(code: string, message: string, details?: Record<string, string>) {
    super("bad-input", code, message, details);
  }
}

/** The thing does not exist, or is hidden from the viewer. */
export class NotFound extends LongboxError {
  constructor(code: string, message: string, details?: unknown) {
    super("not-found", code, message, details);
  }
}

/** The request conflicts with the current state. */
export class Conflict extends LongboxError {
  constructor(code: string, message: string, details?: unknown, options?: ErrorOptionsExtra) {
    super("conflict", code, message, details, options);
  }
}

/** Another server, on which the answer depends, failed. */
export class UpstreamFailure extends LongboxError {
  constructor(code: string, message: string, details?: unknown, options?: ErrorOptionsExtra) {
    super("upstream", code, message, details, options);
  }
}

/** A contract was called while no plugin provides it. The call can be repeated once a provider is back. */
export class CapabilityGone extends LongboxError {
  constructor(capability: string) {
    super("unavailable", "kernel/capability-gone", `The capability "${capability}" is not available.`, {
      capability,
    });
  }
}
