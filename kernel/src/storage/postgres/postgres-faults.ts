import { DatabaseError } from "pg";
import { isLongboxError, LongboxError } from "@longbox/sdk";

/** Classes and codes of SQLSTATE, from PostgreSQL's appendix A. */
const awayStates = /^(?:08|57P0[1-5]|53300)/;
const fullStates = /^53100/;
const refusedStates = /^(?:28|3D000)/;
const notAllowed = "42501";
const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
/** What the client says of a connection that ended; it gives these faults no code. */
const awayWords =
  /Connection terminated|timeout exceeded when trying to connect|Client (?:was closed|has encountered a connection error)|timeout expired/;

/** Whether the server could not be reached, ended the connection, or is starting or stopping. */
export function meansAway(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  const { code, syscall } = fault as NodeJS.ErrnoException;
  if (fault instanceof AggregateError) return fault.errors.some(meansAway);
  // A file that may not be opened has the same codes.
  if (syscall === "connect") return true;
  return (
    awayCodes.has(code ?? "") || awayStates.test(code ?? "") || (code === undefined && awayWords.test(fault.message))
  );
}

/** Whether the server answered, and does not let this role or this database in. */
export function meansRefused(fault: unknown): boolean {
  const { code = "" } = fault as { code?: string };
  return refusedStates.test(code) || code === notAllowed;
}

/** Whether a statement that the server kept would give other columns now. */
export function meansOutdated(fault: unknown): boolean {
  return fault instanceof DatabaseError && fault.routine === "RevalidateCachedQuery";
}

const statementLength = 300;

/** Adds to the server's message which statement it refused; values are not in it. */
export function inStatement(fault: unknown, statement: string): unknown {
  if (fault instanceof DatabaseError) fault.message = `${fault.message}, in: ${statement.slice(0, statementLength)}`;
  return fault;
}

/** What a fault of PostgreSQL means for callers; anything else is given back as it is. */
export function translatePostgresFault(fault: unknown): unknown {
  if (!(fault instanceof Error) || isLongboxError(fault)) return fault;
  const { code = "" } = fault as { code?: string };
  if (meansAway(fault)) {
    return new LongboxError(
      "unavailable",
      "kernel/database-away",
      "The database server does not answer at the moment. Try again in a moment.",
      undefined,
      { cause: fault, retryAfterSeconds: 2 },
    );
  }
  if (fullStates.test(code)) {
    return new LongboxError(
      "storage-full",
      "kernel/storage-full",
      "There is no room left on the disk that holds the data. Nothing was changed; free some space and try again.",
      undefined,
      { cause: fault },
    );
  }
  if (refusedStates.test(code)) {
    return new LongboxError(
      "unavailable",
      "kernel/database-refused",
      "The database server does not let Longbox in. Check the name, the password and the database in LONGBOX_DATABASE.",
      undefined,
      { cause: fault },
    );
  }
  return fault;
}
