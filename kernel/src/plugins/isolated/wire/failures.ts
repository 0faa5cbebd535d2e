import { HostFailure, isHostFailure, isLongboxError, LongboxError, type ErrorKind } from "@longbox/sdk";

/** An error as it crosses. Causes stay where they are. */
interface CrossedFailure {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Of system errors and the like. */
  readonly systemCode?: string | undefined;
  readonly longbox?: {
    readonly kind: ErrorKind;
    readonly code: string;
    readonly retryAfterSeconds?: number | undefined;
  };
  readonly isHostFailure?: boolean;
}

/** What of an error is no plain text or number: it crosses as other values do. */
export interface FailureValues {
  readonly details: unknown;
  readonly body: unknown;
}

const longestText = 20_000;
const kinds: ReadonlySet<string> = new Set<ErrorKind>([
  "bad-input",
  "not-signed-in",
  "forbidden",
  "not-found",
  "wrong-method",
  "conflict",
  "precondition-failed",
  "too-large",
  "unsupported-type",
  "too-many-requests",
  "upstream",
  "unavailable",
  "storage-full",
  "internal",
]);

export function describeFailure(thrown: unknown): CrossedFailure {
  if (!(thrown instanceof Error)) return { name: "Error", message: shorten(String(thrown)) };
  const systemCode = (thrown as NodeJS.ErrnoException).code;
  return {
    name: thrown.name,
    message: shorten(thrown.message),
    stack: thrown.stack === undefined ? undefined : shorten(thrown.stack),
    ...(isLongboxError(thrown)
      ? { longbox: { kind: thrown.kind, code: thrown.code, retryAfterSeconds: thrown.retryAfterSeconds } }
      : { systemCode: typeof systemCode === "string" ? systemCode : undefined }),
    ...(isHostFailure(thrown) && { isHostFailure: true }),
  };
}

export function failureValues(thrown: unknown): FailureValues {
  return isLongboxError(thrown)
    ? { details: thrown.details, body: thrown.body }
    : { details: undefined, body: undefined };
}

/** The error again, on the other side. What came from a plugin is not trusted to have any form. */
export function rebuildFailure(crossed: unknown, values: FailureValues): Error {
  const {
    name,
    message,
    stack,
    systemCode,
    longbox,
    isHostFailure: ofHost,
  } = (crossed ?? {}) as Partial<CrossedFailure>;
  const text = typeof message === "string" ? shorten(message) : "An error without a message.";
  const known = longbox !== undefined && kinds.has(longbox.kind) ? longbox : undefined;
  const error = known ? rebuildLongbox(known, text, { ...values, ofHost: ofHost === true }) : new Error(text);
  if (typeof name === "string") error.name = name.slice(0, 200);
  if (typeof stack === "string") error.stack = shorten(stack);
  if (typeof systemCode === "string") Object.assign(error, { code: systemCode });
  return error;
}

function rebuildLongbox(
  { kind, code, retryAfterSeconds }: NonNullable<CrossedFailure["longbox"]>,
  message: string,
  { details, body, ofHost }: FailureValues & { readonly ofHost: boolean },
): LongboxError {
  const options = {
    ...(typeof retryAfterSeconds === "number" && { retryAfterSeconds }),
    ...(typeof body === "object" && body !== null && { body: body as Record<string, unknown> }),
  };
  if (ofHost) return new HostFailure(message, { ...options, code: String(code) });
  return new LongboxError(kind, String(code), message, details, options);
}

const shorten = (text: string) => (text.length > longestText ? text.slice(0, longestText) : text);
