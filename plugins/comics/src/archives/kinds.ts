import type { OwnKind } from "./archive.js";

/** How many first bytes tell every kind. */
export const kindHeadBytes = 512;

/** What a file is, by its first bytes; undefined when it is nothing that is read without a reader. */
export function ownKind(head: Buffer): OwnKind | undefined {
  const text = head.toString("latin1", 0, 8);
  if (text.startsWith("PK\x03\x04") || text.startsWith("PK\x05\x06")) return "zip";
  if (text.startsWith("%PDF-")) return "pdf";
  if (head.length >= 262 && head.toString("latin1", 257, 262) === "ustar") return "tar";
  return undefined;
}
