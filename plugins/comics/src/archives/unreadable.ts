export type UnreadableReason =
  | "not-an-archive"
  | "truncated"
  | "damaged"
  | "encrypted"
  | "too-large"
  | "lying-size"
  | "overlapping-entries"
  | "unsupported"
  | "empty"
  | "timeout"
  | "no-reader";

/** A file whose pages cannot be read, and why, in a sentence that a person may see. It never holds a path. */
export class UnreadableArchive extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreadableArchive";
    this.reason = reason;
  }
}

/** The sentence that is kept beside a file that could not be read. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof UnreadableArchive) return thrown.message;
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code;
  if (code === "EACCES" || code === "EPERM") return "The server may not read this file.";
  if (code !== undefined) return `The file could not be read (${code}).`;
  return "The file could not be read.";
}
