import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Content, FileCache } from "@longbox/sdk";
import { largestPageBytes, largestTagsBytes, type Archive } from "./archive.js";
import { sniffFile } from "./folder-archive.js";
import { sniffImage } from "./page-names.js";
import type { ListedArchive } from "./unpacking/tasks.js";
import type { Unpacker } from "./unpacking/unpacker.js";
import { UnreadableArchive } from "./unreadable.js";

/** What archives that must be unpacked need. */
export interface Unpacking {
  readonly unpacker: Unpacker;
  /** Draws the pages of PDF files, in a process of its own: what a drawing takes lies outside of every heap. */
  readonly drawer: Unpacker;
  /** Unpacked pages are kept here for a while. */
  readonly pages: FileCache;
  /** Where they are unpacked to before. */
  readonly folder: string;
}

/** Pages that are unpacked together where each one can be unpacked alone. */
const pagesTogether = 8;
const largestTogetherBytes = 4 * 1024 * 1024 * 1024;

/** A RAR or a 7z: pages are unpacked in a thread and kept as files. A solid archive is unpacked whole, once. */
export class UnpackedArchive implements Archive {
  readonly pages: ListedArchive["pages"];
  #unpacking: Promise<void> = Promise.resolve();

  private constructor(
    readonly kind: "rar" | "7z",
    private readonly path: string,
    private readonly validator: string,
    private readonly listed: ListedArchive,
    private readonly parts: Unpacking,
  ) {
    this.pages = listed.pages;
  }

  /** @throws {UnreadableArchive} */
  static async open(kind: "rar" | "7z", path: string, validator: string, parts: Unpacking): Promise<UnpackedArchive> {
    return new UnpackedArchive(
      kind,
      path,
      validator,
      await parts.unpacker.run({ kind: "list", format: kind, path }),
      parts,
    );
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
    return this.#inFolder([entry.name], (folder) => readFile(join(folder, "0")));
  }

  /** Nothing is held open; a page that is being unpacked is waited for. */
  async close(): Promise<void> {
    await this.#unpacking.catch(() => undefined);
  }

  async #pagePath(page: number): Promise<string> {
    const kept = await this.parts.pages.find(this.#key(page));
    if (kept) return kept;
    // One after the other: a reader who asks for two pages at once shall not unpack a solid archive twice.
    const before = this.#unpacking.catch(() => undefined);
    const mine = before.then(() => this.#unpackAround(page));
    this.#unpacking = mine;
    await mine;
    const path = await this.parts.pages.find(this.#key(page));
    if (!path) throw new UnreadableArchive("too-large", "The archive does not fit into the space for unpacked pages.");
    return path;
  }

  /** Unpacking a part of a 7z decodes everything before it more often than not. */
  get #solid(): boolean {
    return this.listed.solid || this.kind === "7z";
  }

  async #unpackAround(page: number): Promise<void> {
    if (await this.parts.pages.find(this.#key(page))) return;
    const last = this.#solid ? this.pages.length : Math.min(this.pages.length, page + pagesTogether);
    const wanted = Array.from({ length: this.#solid ? last : last - page }, (_, index) =>
      this.#solid ? index : page + index,
    );
    this.#refuse(wanted);
    await this.#inFolder(
      wanted.map((index) => this.pages[index]!.entry.name),
      async (folder) => {
        // The page that is waited for is kept last, so that it is the last one to be dropped for want of space.
        const order = [...wanted.keys()].sort(
          (one, other) => Number(wanted[one] === page) - Number(wanted[other] === page),
        );
        for (const at of order)
          await this.parts.pages.fetch(this.#key(wanted[at]!), () => readFile(join(folder, String(at))));
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

  async #inFolder<T>(names: readonly string[], use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(this.parts.folder, "unpack-"));
    try {
      await this.parts.unpacker.run({ kind: "extract", format: this.kind, path: this.path, names, folder });
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #key(page: number): string {
    return `${this.path}\n${this.validator}\n${page}`;
  }
}
