import type { WireAnswer, WireRequest } from "./wire.ts";

/** Errors of the body as a whole, which have no field to name. */
const ofWholeBody = /^kernel\/(body-|request-malformed)/;
/** What another server failed at, which is none of the caller's fault, and said with a code. */
const documented = new Set([502, 503]);
const innards =
  /node_modules|\bat .{1,80}[:(]\d+:\d+|\bnode:internal|SQLITE_|sqlite3?_|\bZodError|TypeError|RangeError|ReferenceError|SyntaxError|\bENOENT|\bEACCES|\bENAMETOOLONG|\bEINVAL|\bERR_[A-Z]/;

/** What is wrong with an answer, if anything. @param secrets - Paths of this machine that no error may tell */
export function flawOf(
  request: WireRequest,
  answer: WireAnswer | undefined,
  secrets: readonly string[],
): string | undefined {
  if (answer === undefined) return "closed without an answer";
  const { status, headers, body } = answer;
  if (status >= 500 && !documented.has(status)) return `status ${status}: ${body.toString().slice(0, 300)}`;
  if (status < 400) return undefined;
  if (request.method === "HEAD") return body.length > 0 ? "a body for HEAD" : undefined;
  if (status === 412 || status === 416) return undefined;
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/html") && /text\/html/.test(request.headers.map(([, value]) => value).join()))
    return undefined;
  const flaw = flawOfError(status, type, body.toString(), secrets);
  return flaw !== undefined && request.target.startsWith("/kosync/") && isReaderError(type, body.toString(), secrets)
    ? undefined
    : flaw;
}

/** KOReader's protocol has errors of its own: a number and a sentence. */
function isReaderError(type: string, text: string, secrets: readonly string[]): boolean {
  if (!/^application\/([a-z.-]+\+)?json\b/.test(type)) return false;
  const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
  const isSentence = typeof message === "string" && message !== "" && !innards.test(message);
  return Number.isInteger(code) && isSentence && !secrets.some((secret) => text.includes(secret));
}

function flawOfError(status: number, type: string, text: string, secrets: readonly string[]): string | undefined {
  if (!/^application\/([a-z.-]+\+)?json\b/.test(type)) return `status ${status} is ${type}: ${text.slice(0, 200)}`;
  const error = JSON.parse(text) as { error?: unknown; code?: unknown; details?: unknown };
  if (
    typeof error.error !== "string" ||
    error.error === "" ||
    !/^[a-z][a-z0-9-]*\/[a-z0-9-]+$/.test(String(error.code))
  )
    return `not an error as promised: ${text.slice(0, 200)}`;
  if (innards.test(error.error) || secrets.some((secret) => text.includes(secret)))
    return `tells of the inside: ${text.slice(0, 400)}`;
  if (text.length > 20_000) return `an error of ${text.length} characters, ${String(error.code)}`;
  if (status !== 400 || ofWholeBody.test(String(error.code))) return undefined;
  const fields = typeof error.details === "object" && error.details !== null ? Object.keys(error.details) : [];
  return fields.length > 0 ? undefined : `status 400 names no field: ${text.slice(0, 300)}`;
}
