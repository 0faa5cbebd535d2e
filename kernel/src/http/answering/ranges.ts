/** The part of a representation that a request asks for, in bytes; `end` is the last byte, included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const single = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i;

/**
 * Reads a `Range` header. Undefined means: send the whole. That is also the lawful answer to several ranges at once, to
 * units other than bytes and to what cannot be read.
 */
export function readRange(header: string | undefined, length: number): ByteRange | "not-satisfiable" | undefined {
  const match = header === undefined ? null : single.exec(header);
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (first === "") return suffix(Number(last), length);
  const start = Number(first);
  const end = last === "" ? length - 1 : Math.min(Number(last), length - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= length ? "not-satisfiable" : { start, end };
}

function suffix(wanted: number, length: number): ByteRange | "not-satisfiable" {
  return wanted === 0 || length === 0 ? "not-satisfiable" : { start: Math.max(0, length - wanted), end: length - 1 };
}
