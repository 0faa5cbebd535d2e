import type { OwnKind } from "./archive.js";

/** How many first bytes tell every kind. */
export const kindHeadBytes = 512;

const epubType = "application/epub+zip";

/** What a file is, by its first bytes; undefined when it is nothing that is read without a reader. */
export function ownKind(head: Buffer): OwnKind | undefined {
  const text = head.toString("latin1", 0, 8);
  if (text.startsWith("PK\x03\x04")) return isEpub(head) ? "epub" : "zip";
  if (text.startsWith("PK\x05\x06") || isProgram(text)) return "zip";
  if (text.startsWith("%PDF-")) return "pdf";
  if (head.length >= 262 && head.toString("latin1", 257, 262) === "ustar") return "tar";
  return undefined;
}

/** A self-extracting archive begins with a program, and its directory is at its end as in others. */
export const isProgram = (text: string) =>
  text.startsWith("MZ") || text.startsWith("\x7fELF") || text.startsWith("#!/");

/** The first entry of an EPUB, which is a ZIP, is a stored file that names its media type. */
function isEpub(head: Buffer): boolean {
  if (head.length < 38) return false;
  const data = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  return (
    head.toString("latin1", 30, 38) === "mimetype" && head.toString("latin1", data, data + epubType.length) === epubType
  );
}
