import type { Viewer } from "@longbox/sdk";
import type { CollectionContract, CoversContract, Issue, Series, SeriesQuery } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import { ShelfNotFound } from "../opds-errors.js";
import type { AddedShelves } from "./added-shelves.js";
import type { CatalogFeed, CatalogPath, Facet, NavigationEntry } from "./catalog-feed.js";
import { longestShelf, type IssueFeeds } from "./issue-feeds.js";
import { feed, longAgo, pageOf, pageSize, range, type Asked, type Part } from "./making-feeds.js";
import { ownedIssues, type KnownProgress, type Publications } from "./publications.js";
import { plainNumber, readSearch, readTrailingNumber, type Search } from "./search-words.js";

/** The maximum number of series whose issues a search shows, and of issues found by title. */
const searchedSeries = 25;
const searchedTitles = 200;

interface Sources {
  readonly library: CollectionContract;
  readonly covers: CoversContract;
  readonly reading: ReadingContract;
  readonly publications: Publications;
  readonly issueFeeds: IssueFeeds;
  readonly added: AddedShelves;
}

type Shown = "all" | "unread" | "read";

/** The feeds of the catalog, the same for every version of OPDS. */
export class Catalog {
  readonly #library: CollectionContract;
  readonly #covers: CoversContract;
  readonly #reading: ReadingContract;
  readonly #publications: Publications;
  readonly #issueFeeds: IssueFeeds;
  /** The shelves of other plugins. */
  readonly added: AddedShelves;

  constructor({ library, covers, reading, publications, issueFeeds, added }: Sources) {
    this.#library = library;
    this.#covers = covers;
    this.#reading = reading;
    this.#publications = publications;
    this.#issueFeeds = issueFeeds;
    this.added = added;
  }

  async root({ viewer }: Asked): Promise<CatalogFeed> {
    const [libraries, newest] = await Promise.all([
      this.#library.listLibraries(viewer),
      this.#library.listRecentlyAdded({ limit: 1, offset: 0 }, viewer),
    ]);
    const updatedAt = newest.items[0]?.addedAt ?? longAgo;
    const has = (type: string) => libraries.some((library) => library.type === type);
    const navigation: NavigationEntry[] = [
      shelf("continue", ["Continue reading", "What you are reading now"], { leadsTo: "acquisition" }),
      shelf("later", ["Read later", "What you saved for later"], { leadsTo: "acquisition" }),
      shelf("new", ["Recently added", "The newest in the library"], {
        leadsTo: "acquisition",
        relation: "http://opds-spec.org/sort/new",
        updatedAt,
      }),
      shelf("series", ["All series", "Every series, by title"], { updatedAt }),
      shelf("publishers", ["Publishers", "Series by publisher"]),
      shelf("libraries", ["Libraries", "Series by library"]),
      ...(has("ebook") ? [shelf("books", ["Books", "Series of books"])] : []),
      ...(has("audiobook") ? [shelf("audiobooks", ["Audiobooks", "Series of audiobooks"])] : []),
      ...this.added.entries(viewer),
    ];
    return feed({ name: "catalog", title: "Longbox", kind: "navigation", path: "", up: undefined, navigation });
  }

  async allSeries(asked: Asked): Promise<CatalogFeed> {
    return this.#seriesFeed(asked, {}, { name: "shelf:series", title: "All series", path: "/series" });
  }

  async ofType(asked: Asked, type: "ebook" | "audiobook"): Promise<CatalogFeed> {
    const [name, title] = type === "ebook" ? ["books", "Books"] : ["audiobooks", "Audiobooks"];
    return this.#seriesFeed(asked, { filter: type }, { name: `shelf:${name}`, title, path: `/${name}` });
  }

  async publishers({ viewer, page }: Asked): Promise<CatalogFeed> {
    const all = await this.#library.listPublishers(viewer);
    const navigation = pageOf(all, page).map(({ publisher, series }) => ({
      name: `publisher:${publisher}`,
      title: publisher,
      path: publisherPath(publisher),
      leadsTo: "navigation" as const,
      updatedAt: longAgo,
      summary: series === 1 ? "1 series" : `${series} series`,
    }));
    return feed({
      name: "shelf:publishers",
      title: "Publishers",
      kind: "navigation",
      path: "/publishers",
      paging: { page, size: pageSize, total: all.length },
      navigation,
    });
  }

  async publisher(asked: Asked, name: string): Promise<CatalogFeed> {
    const all = await this.#library.listPublishers(asked.viewer);
    if (!all.some(({ publisher }) => publisher === name)) throw new ShelfNotFound(`publisher ${name}`);
    return this.#seriesFeed(
      asked,
      { publisher: name },
      { name: `publisher:${name}`, title: name, path: publisherPath(name), up: "/publishers" },
    );
  }

  async libraries({ viewer }: Asked): Promise<CatalogFeed> {
    const navigation = (await this.#library.listLibraries(viewer)).map(({ id, name }) => ({
      name: `library:${id}`,
      title: name,
      path: `/libraries/${id}` as const,
      leadsTo: "navigation" as const,
      updatedAt: longAgo,
    }));
    return feed({ name: "shelf:libraries", title: "Libraries", kind: "navigation", path: "/libraries", navigation });
  }

  async ofLibrary(asked: Asked, libraryId: number): Promise<CatalogFeed> {
    const library = (await this.#library.listLibraries(asked.viewer)).find(({ id }) => id === libraryId);
    if (!library) throw new ShelfNotFound(`library ${libraryId}`);
    return this.#seriesFeed(
      asked,
      { library: libraryId },
      { name: `library:${libraryId}`, title: library.name, path: `/libraries/${libraryId}`, up: "/libraries" },
    );
  }

  /** The owned issues of a series; the facets choose among read and unread ones. */
  async series({ viewer, page }: Asked, seriesId: number, shown: Shown): Promise<CatalogFeed> {
    const series = await this.#library.findSeries(seriesId, viewer);
    if (!series) throw new ShelfNotFound(`series ${seriesId}`);
    const all = await ownedIssues(this.#library, seriesId, viewer);
    const known = await this.#publications.findProgress(all, viewer);
    const parts = partByReading(all, known);
    const pathTo = (part: Shown): CatalogPath =>
      part === "all" ? `/series/${seriesId}` : `/series/${seriesId}?show=${part}`;
    const facets = (["all", "unread", "read"] as const).map((part): Facet => ({
      group: "Reading",
      title: facetTitles[part],
      path: pathTo(part),
      count: parts[part].length,
      active: part === shown,
    }));
    return this.#issueFeeds.of(
      { viewer, page },
      { issues: parts[shown], known },
      {
        name: seriesName(series),
        title: series.title,
        path: pathTo(shown),
        up: "/series",
        updatedAt: series.addedAt,
        facets,
      },
    );
  }

  async recentlyAdded({ viewer, page }: Asked): Promise<CatalogFeed> {
    const { items, total } = await this.#library.listRecentlyAdded(
      { limit: pageSize, offset: (page - 1) * pageSize },
      viewer,
    );
    const publications = await this.#publications.of(items, viewer);
    return feed({
      name: "shelf:new",
      title: "Recently added",
      kind: "acquisition",
      path: "/new",
      paging: { page, size: pageSize, total },
      publications,
    });
  }

  async continueReading(asked: Asked): Promise<CatalogFeed> {
    const { items } = await this.#reading.listContinue(asked.viewer, { limit: longestShelf });
    const known = new Map(items.map(({ state }) => [state.issueId, state]));
    const issues = items.map(({ issue }) => issue);
    const part = { name: "shelf:continue", title: "Continue reading", path: "/continue" } as const;
    return this.#issueFeeds.of(asked, { issues, known }, part);
  }

  async readLater(asked: Asked): Promise<CatalogFeed> {
    const { items } = await this.#reading.listLater(asked.viewer, { limit: longestShelf });
    const issues = items.map(({ issue }) => issue).filter((issue) => issue.owned);
    return this.#issueFeeds.of(asked, { issues }, { name: "shelf:later", title: "Read later", path: "/later" });
  }

  /**
   * Owned issues of matching series, followed by issues with matching titles. `#3` in the text selects that number; so
   * does a number at its end when there is no match with it as a title.
   */
  async search(asked: Asked, text: string, path: CatalogPath): Promise<CatalogFeed> {
    const asIs = readSearch(text);
    const found = await this.#matching(asked, asIs);
    const byNumber = found.length === 0 ? readTrailingNumber(text) : undefined;
    const issues = byNumber ? await this.#matching(asked, byNumber) : found;
    return this.#issueFeeds.of(
      asked,
      { issues },
      {
        name: `search:${text}`,
        title: text === "" ? "Search" : `Search: ${text}`,
        path,
      },
    );
  }

  async #matching({ viewer }: Asked, { text, numbers }: Search): Promise<Issue[]> {
    if (!/[\p{L}\p{N}]/u.test(text)) return [];
    const { items } = await this.#library.listSeries({ search: text, sort: "title", limit: searchedSeries }, viewer);
    const [titled, ...ofSeries] = await Promise.all([
      this.#library.searchIssues(text, searchedTitles, viewer),
      ...items.map((series) => ownedIssues(this.#library, series.id, viewer)),
    ]);
    const issues = new Map([...ofSeries.flat(), ...titled].map((issue) => [issue.id, issue])).values().toArray();
    return numbers.length === 0 ? issues : issues.filter((issue) => numbers.includes(plainNumber(issue.number)));
  }

  async #seriesFeed(asked: Asked, query: SeriesQuery, part: Omit<Part, "kind">): Promise<CatalogFeed> {
    const { items, total } = await this.#library.listSeries({ ...query, sort: "title", ...range(asked) }, asked.viewer);
    return feed({
      ...part,
      kind: "navigation",
      paging: { page: asked.page, size: pageSize, total },
      navigation: await this.#seriesEntries(items, asked.viewer),
    });
  }

  /** A series without a cover leads to none. */
  async #seriesEntries(items: readonly Series[], viewer: Viewer): Promise<NavigationEntry[]> {
    const subjects = items.map(({ id }) => ({ seriesId: id }));
    const hasCover = await this.#covers.findCovered(subjects, viewer);
    return items.map((series, index) => ({
      ...seriesEntry(series),
      cover: hasCover[index] ? `/api/opds/series/${series.id}/cover` : undefined,
    }));
  }
}

const facetTitles: Record<Shown, string> = { all: "All", unread: "Unread", read: "Read" };

function partByReading(all: readonly Issue[], known: KnownProgress): Record<Shown, readonly Issue[]> {
  const isRead = (issue: Issue) => known.get(issue.id)?.completed === true;
  return { all, read: all.filter(isRead), unread: all.filter((issue) => !isRead(issue)) };
}

function shelf(
  name: string,
  [title, summary]: readonly [string, string],
  more: Partial<NavigationEntry> = {},
): NavigationEntry {
  return {
    name: `shelf:${name}`,
    title,
    path: `/${name}`,
    leadsTo: "navigation",
    updatedAt: longAgo,
    summary,
    ...more,
  };
}

function seriesEntry(series: Series): NavigationEntry {
  const summary = [series.publisher, series.year].filter((part) => part !== undefined).join(", ");
  return {
    name: seriesName(series),
    title: series.year === undefined ? series.title : `${series.title} (${series.year})`,
    path: `/series/${series.id}`,
    leadsTo: "acquisition",
    updatedAt: series.addedAt,
    summary: summary || undefined,
  };
}

function publisherPath(name: string): CatalogPath {
  return `/publisher?${new URLSearchParams({ name })}`;
}

function seriesName(series: Series): string {
  return `series:${series.id}`;
}
