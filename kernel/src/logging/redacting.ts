/** Field names whose values never reach the log. */
export const secretFields: readonly string[] = [
  "password",
  "current",
  "next",
  "secret",
  "token",
  "apikey",
  "api_key",
  "key",
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "x-setup-token",
  "instancekey",
  "passphrase",
  "clientsecret",
  "client_secret",
];

const masked = "[redacted]";
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/lbx_[A-Za-z0-9]{8,}/g, masked],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${masked}`],
  // Credentials in URLs: before the host, and in the query.
  // What stands before the `://` is not looked at: every letter could begin it, and a long text of letters would take
  // for ever.
  [/:\/\/[^\s/@:]+:[^\s/@]+@/g, `://${masked}@`],
  [
    /([?&;](?:api_?key|key|token|access_token|refresh_token|code|password|passwd|pass|secret|client_secret|sig|signature|auth)=)[^&\s"'#]+/gi,
    `$1${masked}`,
  ],
  [/(longbox_session=)[^;\s"]+/g, `$1${masked}`],
];

/** No text in the log is longer, in characters: some of them are whatever a client sent. */
const longest = 10_000;

/** A text with what looks like a secret taken out, and cut where it is too long to be read. */
export function redactText(text: string): string {
  let safe = text.length > longest ? `${text.slice(0, longest)}…` : text;
  for (const [pattern, replacement] of patterns) safe = safe.replace(pattern, replacement);
  return safe;
}

const secretNames = new Set(secretFields.map((name) => name.replace(/[_-]/g, "").toLowerCase()));
const deepest = 6;

/** A copy of logged fields that can be written as JSON, without secrets, cycles or endless depth. */
export function redactFields(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null)
    return typeof value === "function" || typeof value === "symbol" ? undefined : value;
  if (depth >= deepest) return "[deeper]";
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redactFields(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([name, item]) => [name, isSecretName(name) ? masked : redactFields(item, depth + 1)]),
  );
}

/** Whether a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.replace(/[_-]/g, "").toLowerCase());
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const code = (error as NodeJS.ErrnoException).code;
  return {
    name: error.name,
    message: redactText(error.message),
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && { cause: redactFields(error.cause, depth + 1) }),
  };
}
