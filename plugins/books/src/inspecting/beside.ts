import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { InspectedFile } from "@longbox/files/contract";
import { readSmallFile } from "@longbox/sdk/light";
import { bookFormats } from "../formats/book-formats.js";
import { stemOf } from "../formats/book-names.js";
import type { BookMetadata } from "./book-metadata.js";
import { largestDocumentBytes, readPackageDocument } from "./epub/package-document.js";
import { packageMetadata } from "./epub/package-metadata.js";
import { UnreadableBook } from "./unreadable.js";

/** Entries of a folder beyond which it is no folder of one book. */
const mostBeside = 50;
const extensions: ReadonlySet<string> = new Set(bookFormats.flatMap((format): readonly string[] => format.extensions));

/**
 * The metadata that calibre and others put beside a book: `Name.opf`, or `metadata.opf` in a folder that holds one book
 * only. What cannot be read says nothing.
 */
export function readBeside({ path, companions, folders }: InspectedFile): BookMetadata | undefined {
  const named = companions.find((companion) => companion.toLowerCase().endsWith(".opf"));
  const bytes = readSmallFile(named ?? join(dirname(path), "metadata.opf"), largestDocumentBytes);
  // In a folder of many books it is that of one of them, and nothing says of which.
  if (!bytes || (named === undefined && (folders.length === 0 || !holdsOneBook(dirname(path))))) return undefined;
  try {
    return packageMetadata(readPackageDocument(bytes));
  } catch (thrown) {
    if (thrown instanceof UnreadableBook) return undefined;
    throw thrown;
  }
}

/** All books in the folder have one name, whatever their formats. */
function holdsOneBook(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return names.length <= mostBeside && isOneBook(names);
  } catch {
    // A folder that cannot be listed tells nothing.
    return false;
  }
}

/** Whether the books among these names are one book in several formats. */
export function isOneBook(names: readonly string[]): boolean {
  const stems = names
    .filter((name) => !name.startsWith(".") && extensions.has(name.slice(name.lastIndexOf(".") + 1).toLowerCase()))
    .map((name) => stemOf(basename(name)).toLowerCase());
  return new Set(stems).size === 1;
}
