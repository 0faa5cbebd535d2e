import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import type { Content } from "@longbox/sdk";
import { inflateOptions } from "@longbox/sdk/light";
import { largestPageBytes, largestPictureBytes, largestTagsBytes, type Archive, type PageEntry } from "./archive.js";
import { bufferedPageBytes, inflatingPage, type OpenFile } from "./inflating-page.js";
import { parseSmall, readFully, readInto } from "./byte-reading.js";
import { sniffImage } from "./page-names.js";
import { smallZip } from "./small-zip.js";
import { listingOf } from "./unpacking/listing.js";
import type { Listing } from "./unpacking/tasks.js";
import { UnreadableArchive } from "./unreadable.js";
import { readZipDirectory, type ZipEntry } from "./zip-directory.js";

const inflate = promisify(inflateRaw);
const stored = 0;
const deflated = 8;
/**
 * How many bytes one read takes beyond the fixed header, so that it usually holds the variable part and the type of the
 * data.
 */
const headerSlackBytes = 128;

interface ZipPage extends PageEntry {
  readonly entry: ZipEntry;
}

/** Unpacks the only entry of a small ZIP, by a method that Node itself does not know. */
export type OddMethodReader = (zip: Uint8Array, entry: Pick<ZipEntry, "method" | "sizeBytes">) => Promise<Uint8Array>;

/** What a thread does for a ZIP. */
export interface ZipHelp {
  readonly unzip: OddMethodReader;
  /** Reads a directory that is too large to be parsed by the server itself. */
  readonly list: (path: string) => Promise<Listing<ZipEntry>>;
}

/** What a thread does for an EPUB. */
export interface EpubHelp extends Pick<ZipHelp, "unzip"> {
  readonly listEpub: (path: string) => Promise<Listing<ZipEntry>>;
}

/** A ZIP read at random: its directory once, then one read for each page. */
export class ZipArchive implements Archive {
  readonly pages: readonly ZipPage[];
  readonly #places = new Map<number, { offset: number; contentType: string }>();

  private constructor(
    private readonly file: OpenFile & { readonly kind: "zip" | "epub" },
    private readonly listing: Listing<ZipEntry>,
    private readonly unzip: OddMethodReader,
  ) {
    this.pages = listing.pages;
  }

  get kind(): string {
    return this.file.kind;
  }

  /** An EPUB, whose pages are listed by its spine. @throws {UnreadableArchive} */
  static async openEpub(path: string, { unzip, listEpub }: EpubHelp): Promise<ZipArchive> {
    const handle = await open(path, "r");
    try {
      return new ZipArchive({ path, handle, kind: "epub" }, await listEpub(path), unzip);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /** @throws {UnreadableArchive} */
  static async open(path: string, { unzip, list }: ZipHelp): Promise<ZipArchive> {
    const handle = await open(path, "r");
    try {
      const { size } = await handle.stat();
      const directory = await parseSmall(readZipDirectory(size), handle);
      const listing = directory ? listingOf(directory.entries) : await list(path);
      return new ZipArchive({ path, handle, kind: "zip" }, listing, unzip);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  async readPage(page: number): Promise<Content> {
    const { entry, contentType } = this.#page(page);
    if (entry.method === stored && !entry.encrypted && entry.compressedBytes === entry.sizeBytes) {
      const place = await this.#place(page, entry, contentType);
      return {
        kind: "slice",
        path: this.file.path,
        offset: place.offset,
        length: entry.sizeBytes,
        contentType: place.contentType,
      };
    }
    if (entry.method === deflated && entry.sizeBytes > bufferedPageBytes) {
      refuseEntry(entry, largestPageBytes);
      const place = { offset: await this.#dataOffset(entry), contentType };
      return inflatingPage(this.file, entry, place);
    }
    const read = await this.readPageBytes(page);
    return { kind: "bytes", ...read };
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    const { entry, contentType } = this.#page(page);
    const bytes = await this.#readEntry(entry, largestPictureBytes);
    return { bytes, contentType: sniffImage(bytes) ?? contentType };
  }

  readInto(target: Uint8Array, position: number): Promise<void> {
    return readInto(this.file.handle, target, position);
  }

  async readTags(): Promise<Buffer | undefined> {
    const entry = this.listing.tags;
    return entry === undefined ? undefined : Buffer.from(await this.#readEntry(entry, largestTagsBytes));
  }

  close(): Promise<void> {
    return this.file.handle.close();
  }

  #page(page: number): ZipPage {
    const found = this.pages[page];
    if (found === undefined) throw new RangeError(`There is no page ${page}.`);
    return found;
  }

  /** Where a stored page's bytes begin, and its type by its first bytes. */
  async #place(page: number, entry: ZipEntry, promised: string): Promise<{ offset: number; contentType: string }> {
    const known = this.#places.get(page);
    if (known) return known;
    const length = 30 + Buffer.byteLength(entry.name) + headerSlackBytes;
    const { buffer: bytes, bytesRead } = await this.file.handle.read(
      Buffer.alloc(length),
      0,
      length,
      entry.headerOffset,
    );
    const start = dataStart(bytes.subarray(0, bytesRead));
    const place = { offset: entry.headerOffset + start, contentType: sniffImage(bytes.subarray(start)) ?? promised };
    this.#places.set(page, place);
    return place;
  }

  async #dataOffset(entry: ZipEntry): Promise<number> {
    const { buffer, bytesRead } = await this.file.handle.read(Buffer.alloc(30), 0, 30, entry.headerOffset);
    return entry.headerOffset + dataStart(buffer.subarray(0, bytesRead));
  }

  async #readEntry(entry: ZipEntry, mostBytes: number): Promise<Uint8Array> {
    refuseEntry(entry, mostBytes);
    if (entry.method !== stored && entry.method !== deflated) {
      const bytes = await this.unzip(smallZip(entry, await this.#readPacked(entry)), entry);
      checkUnpacked(entry, bytes);
      return bytes;
    }
    const packed = await this.#readPacked(entry);
    const bytes =
      entry.method === stored ? packed : await inflate(packed, inflateOptions(entry.sizeBytes)).catch(refuseInflated);
    checkUnpacked(entry, bytes);
    return bytes;
  }

  /** Header and data in one read; a second read only if the local header is longer than the directory suggests. */
  async #readPacked(entry: ZipEntry): Promise<Buffer> {
    const guess = 30 + Buffer.byteLength(entry.name) + headerSlackBytes + entry.compressedBytes;
    const { buffer: bytes, bytesRead } = await this.file.handle.read(
      Buffer.allocUnsafe(guess),
      0,
      guess,
      entry.headerOffset,
    );
    const read = bytes.subarray(0, bytesRead);
    const start = dataStart(read);
    if (start + entry.compressedBytes <= read.length) return read.subarray(start, start + entry.compressedBytes);
    return readFully(this.file.handle, { offset: entry.headerOffset + start, length: entry.compressedBytes });
  }
}

/** @throws {UnreadableArchive} when the entry can or must not be unpacked */
export function refuseEntry(entry: ZipEntry, mostBytes: number): void {
  if (entry.encrypted) throw new UnreadableArchive("encrypted", "The archive is protected by a password.");
  if (entry.sizeBytes > mostBytes || entry.compressedBytes > mostBytes)
    throw new UnreadableArchive("too-large", "An entry of the archive is too large to be read.");
}

/** Where the data begins after a local header. @throws {UnreadableArchive} */
export function dataStart(header: Buffer): number {
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50)
    throw new UnreadableArchive("damaged", "The archive is damaged: an entry is not where its directory says.");
  return 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** @throws {UnreadableArchive} when the unpacked bytes are not those that the directory promised */
export function checkUnpacked(entry: ZipEntry, bytes: Uint8Array): void {
  if (bytes.length !== entry.sizeBytes)
    throw new UnreadableArchive(
      "lying-size",
      "The archive is damaged: an entry is not as large as its directory says.",
    );
  if (crc32(bytes) !== entry.crc32)
    throw new UnreadableArchive("damaged", "The archive is damaged: an entry's checksum is wrong.");
}

/** Translates what the inflater throws. */
export function refuseInflated(thrown: unknown): never {
  if ((thrown as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
    throw new UnreadableArchive("lying-size", "The archive is damaged: an entry is larger than its directory says.", {
      cause: thrown,
    });
  throw new UnreadableArchive("damaged", "The archive is damaged: an entry cannot be unpacked.", { cause: thrown });
}
