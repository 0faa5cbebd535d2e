import { isLongboxError, type Content, type FileCache, type OptionalCapability } from "@longbox/sdk";
import type { PagesContract } from "@longbox/files/contract";
import type { ImageFormat, ImagingContract } from "@longbox/imaging/contract";
import type { PageShape } from "./contract.js";
import { imageTypeOfFile } from "./image-type.js";
import { FileReplaced } from "./reader-errors.js";

/** One page in one shape. */
export interface Rendering {
  readonly issueId: number;
  readonly page: number;
  /** That of the page list: another file makes another rendering. */
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

  constructor(pages: PagesContract, imaging: OptionalCapability<ImagingContract>, cache: FileCache) {
    this.#pages = pages;
    this.#imaging = imaging;
    this.#cache = cache;
  }

  /** The rendering that a shape asks for; undefined when the page is wanted, or can only be given, as it is. */
  async choose(shape: PageShape, page: { issueId: number; page: number; validator: string }): Promise<Rendering | undefined> {
    const { width: wanted, trim = false, accept } = shape;
    if ((wanted === undefined && !trim) || !this.#imaging.available()) return undefined;
    const [width, format] = await Promise.all([wanted === undefined ? undefined : this.#imaging.use.snap(wanted), this.#imaging.use.chooseFormat(accept)]);
    return { ...page, width, trim, format: format ?? "jpeg" };
  }

  /** The rendering's file, made first where it is not kept. Concurrent calls share one making. */
  async read(rendering: Rendering): Promise<Content> {
    const path = await this.#cache.fetch(nameOf(rendering), () => this.#make(rendering, "now"));
    return { kind: "file", path, contentType: (await imageTypeOfFile(path)) ?? "application/octet-stream" };
  }

  /** Makes the rendering before somebody asks, unless it is kept. */
  async prepare(rendering: Rendering, signal: AbortSignal): Promise<void> {
    await this.#cache.fetch(nameOf(rendering), () => this.#make(rendering, "ahead", signal));
  }

  /** An image that cannot be changed (damaged, or larger than memory allows) is kept as it is, so that it is looked at once. */
  async #make(rendering: Rendering, urgency: "now" | "ahead", signal?: AbortSignal): Promise<Uint8Array> {
    const { bytes, validator } = await this.#pages.readPageBytes(rendering.issueId, rendering.page);
    if (validator !== rendering.validator) throw new FileReplaced();
    const { width, trim, format } = rendering;
    try {
      return (await this.#imaging.use.render(bytes, { width, trim, format, urgency }, signal)).bytes;
    } catch (problem) {
      if (isLongboxError(problem) && problem.code.startsWith("imaging/")) return bytes;
      throw problem;
    }
  }
}

/** Also the entity tag: it changes with the file, the page and everything that shapes the bytes. */
export function nameOf({ issueId, page, validator, width, trim, format }: Rendering): string {
  return `${issueId}-${page}-${validator}-${width ?? "full"}${trim ? "-trim" : ""}.${format}`;
}
