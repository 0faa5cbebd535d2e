import { NotFound, type Content } from "@longbox/sdk";
import type { DescribedPage, PageShape, PagesContract, RenderedPagesContract, WantedPage } from "../contract.js";
import { FileChanged } from "../pages/file-changed.js";
import { nameOf, type PageRenderings, type Rendering } from "./page-renderings.js";
import { isConverted, refuseUnshown } from "./shown-types.js";
import type { PreparedPages } from "./prepared-pages.js";

/** Types that every client supports. */
const plainTypes = new Set(["image/jpeg", "image/png", "image/gif"]);
/** Types that affect the answer when a client accepts them. */
const otherTypes = ["image/webp", "image/avif", "image/jxl", "image/bmp"];
/** The default width of pages that are converted because the client does not support their type. */
const widestPlain = 2400;
/** Narrower pages are thumbnails, so the next pages are not prepared. */
const narrowestRead = 320;

interface Sources {
  readonly pages: PagesContract;
  readonly renderings: PageRenderings;
  readonly prepared: PreparedPages;
  readonly pagesAhead: () => number;
}

/** Serves pages of issues in the requested size and type. */
export class RenderedIssuePages implements RenderedPagesContract {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  async describe(wanted: WantedPage): Promise<DescribedPage | undefined> {
    const version = await this.#sources.pages.findVersion(wanted.issueId);
    if (!version) return undefined;
    const { validator, pages } = version;
    const rendering = await this.#choose(wanted, validator);
    if (rendering) this.#follow(rendering, pages);
    return { validator: rendering ? nameOf(rendering) : nameAsItIs(wanted, validator), version: validator, pages };
  }

  async read(
    wanted: WantedPage,
    { signal, version }: { signal?: AbortSignal | undefined; version?: string | undefined } = {},
  ): Promise<Content> {
    const validator = version ?? (await this.#sources.pages.findVersion(wanted.issueId))?.validator;
    if (validator === undefined)
      throw new NotFound("comics/no-pages", "Nothing that can be read is owned of this issue.");
    const rendering = await this.#choose(wanted, validator);
    const content = rendering
      ? await this.#sources.renderings.read(rendering, signal)
      : await this.#readShown(wanted, validator, signal);
    refuseUnshown(content.contentType, wanted.shape);
    return content;
  }

  #choose({ issueId, page, shape }: WantedPage, validator: string): Promise<Rendering | undefined> {
    return this.#sources.renderings.choose(shape, { issueId, page, validator });
  }

  async #readAsItIs({ issueId, page }: WantedPage, validator: string): Promise<Content> {
    const read = await this.#sources.pages.readPage(issueId, page, validator);
    if (read.validator !== validator) throw new FileChanged();
    return read.content;
  }

  /** Only the opened archive tells the page's type; types that the client does not support are rendered. */
  async #readShown(wanted: WantedPage, validator: string, signal: AbortSignal | undefined): Promise<Content> {
    const { shape } = wanted;
    const content = await this.#readAsItIs(wanted, validator);
    const isRendered = shape.plain ? !isShown(content.contentType, shape) : isConverted(content.contentType);
    if (!isRendered) return content;
    // The same bytes for all clients where not just plain types are wanted: what is kept is told apart by its name
    // alone.
    const accept = shape.plain ? shape.accept : undefined;
    const rendering = await this.#choose({ ...wanted, shape: { ...shape, accept, width: widestPlain } }, validator);
    return rendering ? this.#sources.renderings.read(rendering, signal) : content;
  }

  #follow(rendering: Rendering, pages: number): void {
    const { prepared, pagesAhead } = this.#sources;
    if (rendering.width === undefined || rendering.width > narrowestRead)
      prepared.follow(rendering, pages, pagesAhead());
  }
}

/** The types that the client accepts decide the bytes of a plain page. */
function nameAsItIs({ page, shape }: WantedPage, validator: string): string {
  const name = `${validator}-${page}`;
  if (!shape.plain) return name;
  const shown = otherTypes.filter((type) => shape.accept?.includes(type));
  return `${name}-plain${shown.map((type) => type.replace("image/", "-")).join("")}`;
}

function isShown(contentType: string, { accept }: PageShape): boolean {
  return plainTypes.has(contentType) || accept?.includes(contentType) === true;
}
