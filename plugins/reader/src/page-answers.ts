import type { CollectionContract } from "@longbox/collection/contract";
import type { PagesContract } from "@longbox/files/contract";
import { reply, type Reply, type Viewer } from "@longbox/sdk";
import { nameOf, type PageRenderings, type PageWish } from "./page-renderings.js";
import type { PreparedPages } from "./prepared-pages.js";
import { NothingToRead, PageNotFound } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

interface PageRequest extends PageWish {
  readonly cvIssueId: number;
  readonly page: number;
  /** The version that the client means; when it is the present one, the answer may be kept without asking again. */
  readonly version: string | undefined;
}

const monthSeconds = 30 * 86_400;

/** Answers with pages; whether the client has one already is known before anything is opened. */
export class PageAnswers {
  readonly #library: CollectionContract;
  readonly #pages: PagesContract;
  readonly #renderings: PageRenderings;
  readonly #prepared: PreparedPages;
  readonly #pagesAhead: () => number;

  constructor(sources: { library: CollectionContract; pages: PagesContract }, renderings: PageRenderings, prepared: PreparedPages, pagesAhead: () => number) {
    this.#library = sources.library;
    this.#pages = sources.pages;
    this.#renderings = renderings;
    this.#prepared = prepared;
    this.#pagesAhead = pagesAhead;
  }

  /** @throws {IssueNotFound} @throws {NothingToRead} @throws {PageNotFound} */
  async answer(request: PageRequest, viewer: Viewer): Promise<Reply> {
    const { cvIssueId, page } = request;
    const issue = await getIssue(this.#library, cvIssueId, viewer);
    const list = await this.#pages.findPages(issue.id);
    if (!list || list.pages.length === 0) throw new NothingToRead(cvIssueId);
    if (page >= list.pages.length) throw new PageNotFound(page, list.pages.length);
    const common = { vary: ["Accept"], ...(request.version === list.validator && { maxAgeSeconds: monthSeconds }) };
    const rendering = await this.#renderings.choose(request, { issueId: issue.id, page, validator: list.validator });
    if (!rendering) return reply.content(async () => (await this.#pages.readPage(issue.id, page)).content, { ...common, validator: `${list.validator}-${page}` });
    this.#prepared.follow(rendering, list.pages.length, this.#pagesAhead());
    return reply.content(() => this.#renderings.read(rendering), { ...common, validator: nameOf(rendering) });
  }
}
