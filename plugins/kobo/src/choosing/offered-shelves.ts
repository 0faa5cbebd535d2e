import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ListsContract } from "@longbox/lists/contract";
import type { ReadingContract, ReadingPart, ReadingRange } from "@longbox/reading/contract";
import type { ShelvesContract } from "@longbox/shelves/contract";
import type { OptionalCapability, Viewer } from "@longbox/sdk";

export interface ShelfSources {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  readonly lists: OptionalCapability<ListsContract>;
  readonly shelves: OptionalCapability<ShelvesContract>;
}

/** A selection of the library that can be synchronised. */
export interface OfferedShelf {
  /** `all`, `later`, `reading`, `list-1` or `shelf-1`. */
  readonly id: string;
  readonly title: string;
}

const epubFormats = new Set(["epub", "comicepub"]);
const atOnce = 1000;

/** The selections that users choose from. */
export class OfferedShelves {
  constructor(private readonly sources: ShelfSources) {}

  async list(viewer: Viewer): Promise<OfferedShelf[]> {
    const { lists, shelves } = this.sources;
    const [listed, saved] = await Promise.all([
      lists.available() ? lists.use.listLists(viewer) : [],
      shelves.available() ? shelves.use.listShelves(viewer) : [],
    ]);
    return [
      { id: "later", title: "Read later" },
      { id: "reading", title: "Continue reading" },
      ...saved.map(({ id, name }) => ({ id: `shelf-${id}`, title: name })),
      ...listed.map(({ id, name }) => ({ id: `list-${id}`, title: name })),
      { id: "all", title: "The whole library" },
    ];
  }

  /** The internal ids of a shelf's issues, in any order. A shelf that is gone, or hidden by now, holds nothing. */
  async issueIds(shelf: string, viewer: Viewer): Promise<readonly number[]> {
    if (shelf === "all") return this.#all(viewer);
    if (shelf === "later") return this.#pages((range) => this.sources.reading.listLater(viewer, range));
    if (shelf === "reading") return this.#pages((range) => this.sources.reading.listContinue(viewer, range));
    const [, kind, id] = /^(list|shelf)-([1-9]\d{0,14})$/.exec(shelf) ?? [];
    if (kind === "list") return this.#ofList(Number(id), viewer);
    return kind === "shelf" ? this.#ofSaved(Number(id), viewer) : [];
  }

  async #all(viewer: Viewer): Promise<number[]> {
    const ids: number[] = [];
    for (let afterId = 0, more = true; more;) {
      const part = await this.sources.library.listIssuesAfter({ afterId, limit: atOnce }, viewer);
      for (const { issue, formats } of part)
        if (issue.owned && formats.some((format) => epubFormats.has(format))) ids.push(issue.id);
      afterId = part.at(-1)?.issue.id ?? afterId;
      more = part.length === atOnce;
    }
    return ids;
  }

  async #pages(read: (range: ReadingRange) => Promise<ReadingPart<{ readonly issue: Issue }>>): Promise<number[]> {
    const ids: number[] = [];
    for (let after: string | undefined, more = true; more;) {
      const part = await read({ limit: 200, after });
      ids.push(...part.items.map(({ issue }) => issue.id));
      after = part.next;
      more = after !== undefined;
    }
    return ids;
  }

  async #ofList(id: number, viewer: Viewer): Promise<readonly number[]> {
    const { lists } = this.sources;
    if (!lists.available() || !(await lists.use.findList(id, viewer))) return [];
    const items = await lists.use.listItems(id, viewer);
    return items.flatMap(({ issueId, owned }) => (owned && issueId !== undefined ? issueId : []));
  }

  async #ofSaved(id: number, viewer: Viewer): Promise<readonly number[]> {
    const { shelves } = this.sources;
    return (shelves.available() && (await shelves.use.findIssues(id, viewer))) || [];
  }
}
