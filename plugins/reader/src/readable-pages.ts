import type { PagesContract } from "@longbox/files/contract";
import { NotFound, type Content } from "@longbox/sdk";
import type { PageShape, RenderedPagesContract } from "./contract.js";
import { FileReplaced } from "./reader-errors.js";
import { nameOf, type PageRenderings, type Rendering } from "./page-renderings.js";
import type { PreparedPages } from "./prepared-pages.js";

/** Types that every client shows. */
const plainTypes = new Set(["image/jpeg", "image/png", "image/gif"]);
/** Types that decide, when a client names them, what it is sent. */
const otherTypes = ["image/webp", "image/avif", "image/jxl", "image/bmp"];
/** Pages whose type a client does not show come in this width when it asks for none. */
const widestPlain = 2400;

export interface ReadablePage {
  readonly validator: string;
  /** Makes or opens the bytes. @throws the signal's reason */
  read(signal?: AbortSignal): Promise<Content>;
}

/** Every page of every issue, in the shape that is wanted. */
export class ReadablePages implements RenderedPagesContract {
  readonly #pages: PagesContract;
  readonly #renderings: PageRenderings;
  readonly #prepared: PreparedPages;
  readonly #pagesAhead: () => number;

  constructor(pages: PagesContract, renderings: PageRenderings, prepared: PreparedPages, pagesAhead: () => number) {
    this.#pages = pages;
    this.#renderings = renderings;
    this.#prepared = prepared;
    this.#pagesAhead = pagesAhead;
  }

  async describe(issueId: number, page: number, shape: PageShape): Promise<{ validator: string; pages: number } | undefined> {
    const version = await this.#pages.findVersion(issueId);
    if (!version || page >= version.pages) return undefined;
    return { validator: (await this.choose({ issueId, page, shape, version })).validator, pages: version.pages };
  }

  async read(issueId: number, page: number, shape: PageShape, signal?: AbortSignal): Promise<Content> {
    const version = await this.#pages.findVersion(issueId);
    if (!version) throw new NotFound("reader/no-such-page", `There is no page ${page}.`, { page });
    return (await this.choose({ issueId, page, shape, version })).read(signal);
  }

  /** The page in this shape; asks for the pages that follow. */
  async choose({ issueId, page, shape, version }: { issueId: number; page: number; shape: PageShape; version: { validator: string; pages: number } }): Promise<ReadablePage> {
    const rendering = await this.#renderings.choose(shape, { issueId, page, validator: version.validator });
    if (rendering) {
      this.#follow(rendering, version.pages);
      return { validator: nameOf(rendering), read: (signal) => this.#renderings.read(rendering, signal) };
    }
    const name = `${version.validator}-${page}`;
    if (!shape.plain) return { validator: name, read: () => this.#readAsItIs({ issueId, page, validator: version.validator }) };
    return { validator: `${name}-plain${otherTypes.filter((type) => shape.accept?.includes(type)).join("").replaceAll("image/", "-")}`, read: (signal) => this.#readPlain({ issueId, page, validator: version.validator }, shape, signal) };
  }

  async #readAsItIs({ issueId, page, validator }: { issueId: number; page: number; validator: string }): Promise<Content> {
    const read = await this.#pages.readPage(issueId, page, validator);
    if (read.validator !== validator) throw new FileReplaced();
    return read.content;
  }

  /** Only the opened archive tells the page's type; one that not every client shows is rendered. */
  async #readPlain(page: { issueId: number; page: number; validator: string }, shape: PageShape, signal: AbortSignal | undefined): Promise<Content> {
    const content = await this.#readAsItIs(page);
    const rendering = isShown(content.contentType, shape) ? undefined : await this.#renderings.choose({ ...shape, width: widestPlain }, page);
    return rendering ? this.#renderings.read(rendering, signal) : content;
  }

  /** Covers and thumbnails are not read on. */
  #follow(rendering: Rendering, pages: number): void {
    if (rendering.width === undefined || rendering.width > 320) this.#prepared.follow(rendering, pages, this.#pagesAhead());
  }
}

function isShown(contentType: string, { accept }: PageShape): boolean {
  return plainTypes.has(contentType) || accept?.includes(contentType) === true;
}
