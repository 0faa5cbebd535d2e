import type { IncomingHttpHeaders } from "node:http";

/** What identifies one state of an answer: RFC 9110, section 8.8. */
export interface Validators {
  /** With its quotes, and `W/` when weak. */
  readonly etag: string | undefined;
  readonly lastModified: Date | undefined;
}

const tagsOf = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];
const opaque = (etag: string) => etag.replace(/^W\//, "");

/** Whether `If-None-Match` names the tag; weak comparison, as the header demands. */
export function namesTag(header: string, etag: string): boolean {
  if (header === etag) return true;
  if (header.trim() === "*") return true;
  const wanted = opaque(etag);
  return tagsOf(header).some((tag) => opaque(tag) === wanted);
}

/** Whether the client already has this state, so that 304 is the answer. */
export function clientHasIt(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const noneMatch = headers["if-none-match"];
  if (noneMatch !== undefined) return etag !== undefined && namesTag(noneMatch, etag);
  const since = headers["if-modified-since"];
  if (since === undefined || lastModified === undefined) return false;
  const time = Date.parse(since);
  return !Number.isNaN(time) && wholeSeconds(lastModified) <= time;
}

/** Whether `If-Match` or `If-Unmodified-Since` forbids the answer: it asks for a state that is gone. */
export function preconditionFails(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const match = headers["if-match"];
  if (match !== undefined) {
    if (match.trim() === "*") return false;
    return etag === undefined || etag.startsWith("W/") || !tagsOf(match).includes(etag);
  }
  const since = Date.parse(headers["if-unmodified-since"] ?? "");
  return !Number.isNaN(since) && lastModified !== undefined && wholeSeconds(lastModified) > since;
}

/**
 * Whether `If-Range` lets the range stand: only an equal strong tag or an equal date that is old enough to be strong.
 */
export function rangeStands(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const header = headers["if-range"];
  if (typeof header !== "string") return true;
  if (header.startsWith('"') || header.startsWith("W/"))
    return etag !== undefined && !etag.startsWith("W/") && header === etag;
  if (lastModified === undefined) return false;
  return Date.parse(header) === wholeSeconds(lastModified) && Date.now() - wholeSeconds(lastModified) >= 1000;
}

const wholeSeconds = (date: Date) => Math.floor(date.getTime() / 1000) * 1000;
