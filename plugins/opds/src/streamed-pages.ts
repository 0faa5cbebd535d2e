import type { Issue, LibraryTypeWords } from "@longbox/collection/contract";
import type { PageList, PagesContract, RenderedPagesContract, WantedPage } from "@longbox/comics/contract";
import type { WholeFile } from "@longbox/files/contract";
import { reply, type OptionalCapability, type Reply } from "@longbox/sdk";
import { countedPages } from "./type-words.js";

/** How many pages of a work can be streamed. */
export type PageCounter = (issue: Issue, words: LibraryTypeWords, file: WholeFile) => number;

/** The pages of works, while a plugin provides them. */
export class StreamedPages {
  readonly #pages: OptionalCapability<PagesContract>;
  readonly #rendered: OptionalCapability<RenderedPagesContract>;

  constructor({
    pages,
    rendered,
  }: {
    pages: OptionalCapability<PagesContract>;
    rendered: OptionalCapability<RenderedPagesContract>;
  }) {
    this.#pages = pages;
    this.#rendered = rendered;
  }

  /** Counts the streamable pages of the works of a feed. */
  async counter(): Promise<PageCounter> {
    if (!this.#pages.available() || !this.#rendered.available()) return () => 0;
    const formats = new Set(await this.#pages.use.listFormats());
    return (issue, words, { format }) => (format === undefined || formats.has(format) ? countedPages(issue, words) : 0);
  }

  /** The pages in reading order; undefined when there are none. */
  async list(issueId: number): Promise<PageList | undefined> {
    return this.#pages.available() ? this.#pages.use.findPages(issueId) : undefined;
  }

  /** Answers with a page; undefined when there is no such page. */
  async answer(wanted: WantedPage, signal: AbortSignal): Promise<{ reply: Reply; pages: number } | undefined> {
    if (!this.#rendered.available()) return undefined;
    const described = await this.#rendered.use.describe(wanted);
    if (!described || wanted.page >= described.pages) return undefined;
    const { validator, version, pages } = described;
    const read = () => this.#rendered.use.read(wanted, { signal, version });
    return { pages, reply: reply.content(read, { validator, vary: ["Accept"] }) };
  }
}
