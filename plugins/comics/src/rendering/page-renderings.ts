import { ImageTypes, isLongboxError, type Content, type FileCache, type OptionalCapability } from "@longbox/sdk";
import type { ImageFormat, ImagingContract } from "@longbox/imaging/contract";
import type { PageShape, PagesContract } from "../contract.js";
import { FileChanged } from "../pages/file-changed.js";
import { PageMakings } from "./page-makings.js";

/** One page in one shape. */
export interface Rendering {
  readonly issueId: number;
  readonly page: number;
  /** The validator of the page list: a changed file gets new renderings. */
  readonly validator: string;
  /** One of the kept widths, or undefined for the page's own. */
  readonly width: number | undefined;
  readonly trim: boolean;
  readonly format: ImageFormat;
}

/** Pages in other sizes, made once and kept as files. */
export class PageRenderings {
  readonly #pages: PagesContract;
  readonly #imaging: OptionalCapability<ImagingContract>;
  readonly #cache: FileCache;
  readonly #makings = new PageMakings();
  readonly #types = new ImageTypes();

  constructor(pages: PagesContract, imaging: OptionalCapability<ImagingContract>, cache: FileCache) {
    this.#pages = pages;
    this.#imaging = imaging;
    this.#cache = cache;
  }

  /** The rendering for a shape; undefined when the page is sent unchanged. */
  async choose(
    shape: PageShape,
    page: { issueId: number; page: number; validator: string },
  ): Promise<Rendering | undefined> {
    const { width: wanted, trim = false, accept } = shape;
    if ((wanted === undefined && !trim) || !this.#imaging.available()) return undefined;
    const [width, format] = await Promise.all([
      wanted === undefined ? undefined : this.#imaging.use.snap(wanted),
      this.#imaging.use.chooseFormat(accept),
    ]);
    return { ...page, width, trim, format: format ?? "jpeg" };
  }

  /**
   * The rendering's file, made if it is not cached. A caller that gives up does not delay the others.
   * @throws the signal's reason
   */
  async read(rendering: Rendering, signal?: AbortSignal): Promise<Content> {
    const path = (await this.#cache.find(nameOf(rendering))) ?? (await this.#make(rendering, "now", signal));
    return { kind: "file", path, contentType: await this.#types.of(path) };
  }

  /** Makes the rendering in advance, unless it is cached. */
  async prepare(rendering: Rendering, signal: AbortSignal): Promise<void> {
    await this.#make(rendering, "ahead", signal);
  }

  #make(rendering: Rendering, urgency: "now" | "ahead", signal: AbortSignal | undefined): Promise<string> {
    const name = nameOf(rendering);
    return this.#makings.join(name, { urgency, signal }, async (present, stop) => {
      let bytes: Uint8Array | undefined;
      const path = await this.#cache.fetch(name, async () => (bytes = await this.#render(rendering, present, stop)));
      if (bytes) this.#types.note(path, bytes);
      return path;
    });
  }

  /**
   * An image that cannot be rendered (damaged, or too large for memory) is cached unchanged, so that it is tried only
   * once.
   */
  async #render(
    { issueId, page, validator, width, trim, format }: Rendering,
    urgency: "now" | "ahead",
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    let bytes: Uint8Array | undefined;
    const readBytes = async () => {
      const read = await this.#pages.readPageBytes(issueId, page);
      if (read.validator !== validator) throw new FileChanged();
      return (bytes = read.bytes);
    };
    try {
      return (await this.#imaging.use.render(readBytes, { width, trim, format, urgency }, signal)).bytes;
    } catch (problem) {
      if (bytes && isLongboxError(problem) && problem.code.startsWith("imaging/")) return bytes;
      throw problem;
    }
  }
}

/** Also the entity tag: it changes with the file, the page and everything that shapes the bytes. */
export function nameOf({ issueId, page, validator, width, trim, format }: Rendering): string {
  return `${issueId}-${page}-${validator}-${width ?? "full"}${trim ? "-trim" : ""}.${format}`;
}
