import type { PageList, PagesContract } from "@longbox/files/contract";
import { NotFound, type Content } from "@longbox/sdk";
import type { PageShape, RenderedPagesContract } from "./contract.js";
import { nameOf, type PageRenderings, type Rendering } from "./page-renderings.js";
import type { PreparedPages } from "./prepared-pages.js";

export interface ReadablePage {
  readonly validator: string;
  /** Makes or opens the bytes. */
  read(): Promise<Content>;
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
    const list = await this.#pages.findPages(issueId);
    if (!list || page >= list.pages.length) return undefined;
    return { validator: (await this.choose(issueId, page, shape, list)).validator, pages: list.pages.length };
  }

  async read(issueId: number, page: number, shape: PageShape): Promise<Content> {
    const list = await this.#pages.findPages(issueId);
    if (!list || page >= list.pages.length) throw new NotFound("reader/no-such-page", `There is no page ${page}.`, { page });
    return (await this.choose(issueId, page, shape, list)).read();
  }

  /** The page of this list in this shape; asks for the pages that follow. */
  async choose(issueId: number, page: number, shape: PageShape, list: PageList): Promise<ReadablePage> {
    const { contentType } = list.pages[page]!;
    const rendering = await this.#renderings.choose(shape, { issueId, page, validator: list.validator, contentType });
    if (!rendering) return { validator: `${list.validator}-${page}`, read: async () => (await this.#pages.readPage(issueId, page)).content };
    this.#follow(rendering, list.pages.length);
    return { validator: nameOf(rendering), read: () => this.#renderings.read(rendering) };
  }

  /** Covers and thumbnails are not read on. */
  #follow(rendering: Rendering, pages: number): void {
    if (rendering.width === undefined || rendering.width > 320) this.#prepared.follow(rendering, pages, this.#pagesAhead());
  }
}
