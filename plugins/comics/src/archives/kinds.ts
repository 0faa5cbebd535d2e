import type { ArchiveKind } from "./archive.js";

/** How many first bytes tell every kind. */
export const kindHeadBytes = 512;

/** What a file is, by its first bytes, or undefined when it is nothing that holds pages. */
export function archiveKind(head: Buffer): ArchiveKind | undefined {
  const text = head.toString("latin1", 0, 8);
  if (text.startsWith("PK\x03\x04") || text.startsWith("PK\x05\x06")) return "zip";
  if (text.startsWith("Rar!\x1a\x07\x00") || text.startsWith("Rar!\x1a\x07\x01\x00")) return "rar";
  if (text.startsWith("7z\xbc\xaf\x27\x1c")) return "7z";
  if (text.startsWith("%PDF-")) return "pdf";
  if (head.length >= 262 && head.toString("latin1", 257, 262) === "ustar") return "tar";
  return undefined;
}

const extensions = new Set(["cbz", "zip", "cbr", "rar", "cb7", "7z", "cbt", "tar", "pdf"]);

/** Whether a file's name promises a comic, so that the file is looked into. */
export function promisesComic(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return (
    dot > 0 && extensions.has(name.slice(dot + 1).toLowerCase()) && !name.startsWith("._") && !name.startsWith(".")
  );
}
