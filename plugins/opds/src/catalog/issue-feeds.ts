import { setImmediate } from "node:timers/promises";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { CatalogFeed } from "./catalog-feed.js";
import { feed, pageOf, pageSize, type Asked, type Part } from "./making-feeds.js";
import type { KnownProgress, Publications } from "./publications.js";

/** The maximum length of a shelf. */
export const longestShelf = 10_000;
/** How many issues are looked up before the event loop is yielded to other requests. */
const batch = 500;

/** Feeds whose entries are issues. */
export class IssueFeeds {
  readonly #library: CollectionContract;
  readonly #publications: Publications;

  constructor({ library, publications }: { library: CollectionContract; publications: Publications }) {
    this.#library = library;
    this.#publications = publications;
  }

  /** One page of these issues; `known` is the viewer's progress, where it has been asked for. */
  async of(
    { viewer, page }: Asked,
    { issues, known }: { readonly issues: readonly Issue[]; readonly known?: KnownProgress },
    part: Omit<Part, "kind">,
  ): Promise<CatalogFeed> {
    const publications = await this.#publications.of(pageOf(issues, page), viewer, known);
    return feed({ ...part, kind: "acquisition", paging: { page, size: pageSize, total: issues.length }, publications });
  }

  /** The same by ids. Issues that are hidden or not owned are left out before counting. */
  async ofIds(asked: Asked, issueIds: readonly number[], part: Omit<Part, "kind">): Promise<CatalogFeed> {
    return this.of(asked, { issues: await this.#owned(issueIds.slice(0, longestShelf), asked.viewer) }, part);
  }

  async #owned(issueIds: readonly number[], viewer: Viewer): Promise<Issue[]> {
    const owned = new Map<number, Issue>();
    for (let start = 0; start < issueIds.length; start += batch) {
      if (start > 0) await setImmediate();
      const found = await this.#library.findIssues(issueIds.slice(start, start + batch), viewer);
      for (const issue of found) if (issue.owned) owned.set(issue.id, issue);
    }
    return [...owned.values()];
  }
}
