import { readFile } from "node:fs/promises";
import type { Content } from "@longbox/sdk";
import type { Archive, PageEntry } from "./archive.js";
import type { ArchivePlace, Unpacking } from "./unpacked-archive.js";
import { UnreadableArchive } from "./unreadable.js";

const contentType = "image/jpeg";

/** A PDF: its pages are drawn in a process of their own, one when it is asked for, and kept as files. */
export class PdfArchive implements Archive {
  readonly kind = "pdf";
  readonly pages: readonly PageEntry[];
  /** Pages that cannot be drawn: trying again would cost as much again. */
  readonly #failures = new Map<number, UnreadableArchive>();

  private constructor(
    private readonly place: ArchivePlace,
    count: number,
    private readonly parts: Unpacking,
  ) {
    this.pages = Array.from({ length: count }, (_, page) => ({ name: `page ${page + 1}`, contentType, sizeBytes: 0 }));
  }

  /** @throws {UnreadableArchive} */
  static async open(place: ArchivePlace, parts: Unpacking): Promise<PdfArchive> {
    return new PdfArchive(place, await parts.drawer.run({ kind: "count-pdf", path: place.path }), parts);
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
    const { path, validator } = this.place;
    return this.parts.pages.fetch(`${path}\n${validator}\ndrawn ${page}`, () => this.#draw(page));
  }

  async #draw(page: number): Promise<Uint8Array> {
    const failure = this.#failures.get(page);
    if (failure) throw failure;
    try {
      const drawn = await this.parts.drawer.run({ kind: "pdf-page", path: this.place.path, page });
      await this.place.confirm();
      return drawn;
    } catch (thrown) {
      if (thrown instanceof UnreadableArchive) this.#failures.set(page, thrown);
      throw thrown;
    }
  }
}
