import { posix } from "node:path";
import { inflateRawSync } from "node:zlib";
import { inflateOptions } from "@longbox/sdk/light";
import { readXml, XmlRefused, type XmlEvents } from "@longbox/sdk/xml";
import { readFullySync } from "../byte-reading.js";
import { safeEntryName } from "../entry-names.js";
import { UnreadableArchive } from "../unreadable.js";
import { checkUnpacked, dataStart, refuseEntry, refuseInflated } from "../zip-archive.js";
import type { ZipEntry } from "../zip-directory.js";

/** Of all documents together. A page of a comic is described in a few hundred bytes. */
const mostDocumentBytes = 64 * 1024 * 1024;
/** Of one document; the package document of a long comic lists some thousand files. */
const largestDocumentBytes = 4 * 1024 * 1024;
const limits = { bytes: largestDocumentBytes, elements: 100_000, depth: 64, errors: 1000 };
const stored = 0;
const deflated = 8;

/** The files in an EPUB, by the paths that its documents use. For threads. */
export class EpubFiles {
  readonly #exact = new Map<string, ZipEntry>();
  readonly #folded = new Map<string, ZipEntry>();
  #readBytes = 0;

  constructor(
    private readonly descriptor: number,
    entries: readonly ZipEntry[],
  ) {
    for (const entry of entries) {
      const name = safeEntryName(entry.name);
      if (name === undefined || name.endsWith("/")) continue;
      this.#exact.set(name, entry);
      if (!this.#folded.has(fold(name))) this.#folded.set(fold(name), entry);
    }
  }

  /** By its path; some packers differ from their documents in case, or in how letters with accents are composed. */
  find(path: string): ZipEntry | undefined {
    return this.#exact.get(path) ?? this.#folded.get(fold(path));
  }

  /**
   * Reads a document of XML and reports its elements. Entities that it declares are never expanded.
   * @throws {UnreadableArchive}
   */
  read(entry: ZipEntry, events: XmlEvents): void {
    const bytes = this.#bytesOf(entry);
    try {
      readXml(bytes, events, { limits });
    } catch (thrown) {
      if (!(thrown instanceof XmlRefused)) throw thrown;
      throw new UnreadableArchive("damaged", "The EPUB is damaged: a document in it cannot be read.", {
        cause: thrown,
      });
    }
  }

  #bytesOf(entry: ZipEntry): Uint8Array {
    refuseEntry(entry, largestDocumentBytes);
    this.#readBytes += entry.sizeBytes;
    if (this.#readBytes > mostDocumentBytes)
      throw new UnreadableArchive("too-large", "The EPUB holds more text than a comic can have.");
    const header = readFullySync(this.descriptor, { offset: entry.headerOffset, length: 30 });
    const offset = entry.headerOffset + dataStart(header);
    const packed = readFullySync(this.descriptor, { offset, length: entry.compressedBytes });
    const bytes = unpacked(entry, packed);
    checkUnpacked(entry, bytes);
    return bytes;
  }
}

/** The two methods that the standard allows. @throws {UnreadableArchive} */
function unpacked({ method, sizeBytes }: ZipEntry, packed: Buffer): Uint8Array {
  if (method === stored) return packed;
  if (method !== deflated)
    throw new UnreadableArchive("unsupported", "The EPUB is packed by a method that EPUBs do not have.");
  try {
    return inflateRawSync(packed, inflateOptions(sizeBytes));
  } catch (thrown) {
    return refuseInflated(thrown);
  }
}

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/**
 * The path of a file that a document refers to, or undefined when the reference leads out of the EPUB.
 * @param from - the path of the document
 */
export function resolveReference(reference: string, from: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/iu.test(reference) || reference.startsWith("//")) return undefined;
  const path = decoded(reference.replace(/[?#].*$/su, ""));
  if (path === undefined || path === "") return undefined;
  return safeEntryName(path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign makes it no reference that could be followed.
    return undefined;
  }
}
