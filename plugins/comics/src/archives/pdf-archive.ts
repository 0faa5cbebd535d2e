import { readFile } from "node:fs/promises";
import type { Content } from "@longbox/sdk";
import type { Archive, PageEntry } from "./archive.js";
import type { ArchiveFile, Unpacking } from "./unpacked-archive.js";
import { UnreadableArchive } from "./unreadable.js";

const contentType = "image/jpeg";

/** A PDF: its pages are drawn in a process of their own, one when it is asked for, and kept as files. */
export class PdfArchive implements Archive {
  readonly kind = "pdf";
  readonly pages: readonly PageEntry[];
  /** Pages that cannot be drawn: trying again would cost as much again. */
  readonly #failures = new Map<number, UnreadableArchive>();

  private constructor(
    private readonly file: ArchiveFile,
    count: number,
    private readonly parts: Unpacking,
  ) {
    this.pages = Array.from({ length: count }, (_, page) => ({ name: `page ${page + 1}`, contentType, sizeBytes: 0 }));
  }

  /** @throws {UnreadableArchive} */
  static async open(path: string, validator: string, parts: Unpacking): Promise<PdfArchive> {
    return new PdfArchive({ path, validator }, await parts.drawer.run({ kind: "count-pdf", path }), parts);
  }

  async readPage(page: number): Promise<Content> {
    return { kind: "file", path: await this.#pagePath(page), contentType };
  }

  async readPageBytes(page: number): Promise<{ bytes: Uint8Array; contentType: string }> {
    return { bytes: await readFile(await this.#pagePath(page)), contentType };
  }

  async readTags(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {}

  async #pagePath(page: number): Promise<string> {
    if (page >= this.pages.length) throw new UnreadableArchive("damaged", `The PDF has no page ${page}.`);
    return this.parts.pages.fetch(`${this.file.path}\n${this.file.validator}\ndrawn ${page}`, () => this.#draw(page));
  }

  async #draw(page: number): Promise<Uint8Array> {
    const failure = this.#failures.get(page);
    if (failure) throw failure;
    try {
      return await this.parts.drawer.run({ kind: "pdf-page", path: this.file.path, page });
    } catch (thrown) {
      if (thrown instanceof UnreadableArchive) this.#failures.set(page, thrown);
      throw thrown;
    }
  }
}
