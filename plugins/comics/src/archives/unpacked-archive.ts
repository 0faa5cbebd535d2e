import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Content, FileCache } from "@longbox/sdk";
import type { ArchiveEntry, ArchiveExtraction } from "../contract/archive-readers.js";
import { largestPageBytes, largestTagsBytes, type Archive } from "./archive.js";
import { sniffFile } from "./folder-archive.js";
import { sniffImage } from "./page-names.js";
import type { ReaderSet } from "../readers/reader-set.js";
import type { ListedArchive } from "./unpacking/tasks.js";
import type { Unpacker } from "./unpacking/unpacker.js";
import { UnreadableArchive } from "./unreadable.js";

/** What archives that must be unpacked need. */
export interface Unpacking {
  /** The readers that are there now. */
  readonly readers: () => ReaderSet;
  readonly unpacker: Unpacker;
  /** Draws the pages of PDF files, in a process of its own: what a drawing takes lies outside of every heap. */
  readonly drawer: Unpacker;
  /** Unpacked pages are kept here for a while. */
  readonly pages: FileCache;
  /** Where they are unpacked to before. */
  readonly folder: string;
}

/** A file that a thread or another process opens by its path, each time that something of it is read. */
export interface ArchivePlace {
  readonly path: string;
  readonly validator: string;
  /** @throws {FileChanged} when another file lies there by now: what was read of it must not be kept or sent */
  readonly confirm: () => Promise<void>;
}

/** Pages that are unpacked together where each one can be unpacked alone. */
const pagesTogether = 8;
/** Unpacked pages that are moved into the cache at a time. */
const movedTogether = 4;
const largestTogetherBytes = 4 * 1024 * 1024 * 1024;

/**
 * An archive that a reader of another plugin unpacks in a thread: pages are kept as files, and a solid archive is
 * unpacked whole, once. While the reader is away nothing is read, and an archive that stayed open goes on with the
 * next.
 */
export class UnpackedArchive implements Archive {
  #unpacking: Promise<void> = Promise.resolve();

  private constructor(
    private readonly place: ArchivePlace,
    private readonly listed: ListedArchive & { readonly kind: string },
    private readonly parts: Unpacking,
  ) {}

  get kind(): string {
    return this.listed.kind;
  }

  /** @throws {UnreadableArchive} */
  static async open(kind: string, place: ArchivePlace, parts: Unpacking): Promise<UnpackedArchive> {
    const { module: reader } = parts.readers().get(kind);
    const listed = await parts.unpacker.run({ kind: "list", reader, path: place.path });
    return new UnpackedArchive(place, { ...listed, kind }, parts);
  }

  /** @throws {NoReader} while the reader is away */
  get pages(): ListedArchive["pages"] {
    this.parts.readers().get(this.kind);
    return this.listed.pages;
  }

  async readPage(page: number): Promise<Content> {
    const { contentType } = this.pages[page]!;
    const path = await this.#pagePath(page);
    return { kind: "file", path, contentType: (await sniffFile(path)) ?? contentType };
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    const bytes = await readFile(await this.#pagePath(page));
    return { bytes, contentType: sniffImage(bytes) ?? this.pages[page]!.contentType };
  }

  async readTags(): Promise<Buffer | undefined> {
    const entry = this.listed.tags;
    if (!entry || entry.encrypted || entry.sizeBytes > largestTagsBytes) return undefined;
    return this.#inFolder([entry], (folder) => readFile(join(folder, "0")));
  }

  /** Nothing is held open; a page that is being unpacked is waited for. */
  async close(): Promise<void> {
    await this.#unpacking.catch(() => undefined);
  }

  async #pagePath(page: number): Promise<string> {
    const kept = await this.parts.pages.find(this.#key(page));
    if (kept) return kept;
    // One after the other, so that two requests at a time do not unpack a solid archive twice.
    // A failure before was thrown to its own caller.
    const before = this.#unpacking.catch(() => undefined);
    const mine = before.then(() => this.#unpackAround(page));
    this.#unpacking = mine;
    await mine;
    const path = await this.parts.pages.find(this.#key(page));
    if (!path) throw new UnreadableArchive("too-large", "The archive does not fit into the space for unpacked pages.");
    return path;
  }

  async #unpackAround(page: number): Promise<void> {
    if (await this.parts.pages.find(this.#key(page))) return;
    const { solid } = this.listed;
    const last = solid ? this.pages.length : Math.min(this.pages.length, page + pagesTogether);
    const wanted = Array.from({ length: solid ? last : last - page }, (_, index) => (solid ? index : page + index));
    this.#refuse(wanted);
    await this.#inFolder(
      wanted.map((index) => this.pages[index]!.entry),
      async (folder) => {
        const keep = (at: number) => this.parts.pages.take(this.#key(wanted[at]!), join(folder, String(at)));
        // The page that is waited for is kept last, so that it is the last one to be dropped for want of space.
        const others = wanted.keys().filter((at) => wanted[at] !== page);
        const keepOthers = async () => {
          for (const at of others) await keep(at);
        };
        await Promise.all(Array.from({ length: movedTogether }, keepOthers));
        await keep(wanted.indexOf(page));
      },
    );
  }

  #refuse(wanted: readonly number[]): void {
    const entries = wanted.map((index) => this.pages[index]!.entry);
    if (entries.some((entry) => entry.encrypted))
      throw new UnreadableArchive("encrypted", "The archive is protected by a password.");
    const together = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
    if (together > largestTogetherBytes || entries.some((entry) => entry.sizeBytes > largestPageBytes))
      throw new UnreadableArchive("too-large", "The archive is too large to be unpacked.");
  }

  /** Unpacks entries into a folder; no more is written than they claim to hold. */
  async #inFolder<T>(entries: readonly ArchiveEntry[], use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(this.parts.folder, "unpack-"));
    try {
      const { module: reader } = this.parts.readers().get(this.kind);
      const extraction = { path: this.place.path, folder, ...wholeOf(entries) };
      await this.parts.unpacker.run({ kind: "extract", reader, ...extraction });
      await this.place.confirm();
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #key(page: number): string {
    return `${this.place.path}\n${this.place.validator}\n${page}`;
  }
}

/** What is needed to unpack these entries to the end, and no more. */
export function wholeOf(entries: readonly ArchiveEntry[]): Pick<ArchiveExtraction, "names" | "mostBytes"> {
  return {
    names: entries.map(({ name }) => name),
    mostBytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}
