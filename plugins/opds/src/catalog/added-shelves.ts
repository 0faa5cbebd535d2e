import { isLongboxError, type Contributions, type Logger, type Viewer } from "@longbox/sdk";
import { z } from "zod";
import type { CatalogShelf } from "../contract.js";
import { ShelfNotFound, ShelfUnavailable } from "../opds-errors.js";
import type { CatalogFeed, CatalogPath, NavigationEntry } from "./catalog-feed.js";
import type { IssueFeeds } from "./issue-feeds.js";
import { feed, longAgo, pageSize, range, type Asked } from "./making-feeds.js";

const text = z.string().trim().min(1);
const descriptionSchema = z.object({
  id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(64),
  title: text,
  summary: text,
  permission: z.string().optional(),
  holds: z.enum(["issues", "lists"]),
});
const listSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  title: text,
  summary: text.optional(),
  updatedAt: z.iso.datetime().optional(),
});
const idsSchema = z.array(z.number().int().positive());
const listsSchema = z.object({ lists: z.array(listSchema), total: z.number().int().nonnegative() });
const wholeListSchema = listSchema.extend({ issueIds: idsSchema });

type List = z.output<typeof listSchema>;

interface Sources {
  readonly shelves: Contributions<CatalogShelf>;
  readonly issueFeeds: IssueFeeds;
  readonly log: Logger;
}

/**
 * The shelves of other plugins. A shelf that fails is left out or answers with its own error; the others are not
 * affected.
 */
export class AddedShelves {
  readonly #shelves: Contributions<CatalogShelf>;
  readonly #issueFeeds: IssueFeeds;
  readonly #log: Logger;
  #sound: Map<string, CatalogShelf> | undefined;

  constructor({ shelves, issueFeeds, log }: Sources) {
    this.#shelves = shelves;
    this.#issueFeeds = issueFeeds;
    this.#log = log;
    shelves.onChange(() => (this.#sound = undefined));
  }

  /** The entries of the root. Does not call the shelves. */
  entries(viewer: Viewer): NavigationEntry[] {
    return [...this.#visible(viewer).values()].map((shelf) => ({
      name: shelfName(shelf.id),
      title: shelf.title,
      path: shelfPath(shelf.id),
      leadsTo: shelf.holds === "issues" ? "acquisition" : "navigation",
      updatedAt: longAgo,
      summary: shelf.summary,
    }));
  }

  /** @throws {ShelfNotFound} @throws {ShelfUnavailable} */
  async read(asked: Asked, shelfId: string): Promise<CatalogFeed> {
    const shelf = this.#get(shelfId, asked.viewer);
    const part = { name: shelfName(shelf.id), title: shelf.title, path: shelfPath(shelf.id) };
    if (shelf.holds === "issues")
      return this.#issueFeeds.ofIds(
        asked,
        await this.#ask(shelf, idsSchema, () => shelf.listIssues(asked.viewer)),
        part,
      );
    const { lists, total } = await this.#ask(shelf, listsSchema, () => shelf.listLists(range(asked), asked.viewer));
    return feed({
      ...part,
      kind: "navigation",
      paging: { page: asked.page, size: pageSize, total },
      navigation: lists.map((list) => listEntry(shelf.id, list)),
    });
  }

  /** One list of a shelf. @throws {ShelfNotFound} @throws {ShelfUnavailable} */
  async readList(asked: Asked, shelfId: string, listId: string): Promise<CatalogFeed> {
    const shelf = this.#get(shelfId, asked.viewer);
    const list =
      shelf.holds === "lists"
        ? await this.#ask(shelf, wholeListSchema.optional(), () => shelf.findList(listId, asked.viewer))
        : undefined;
    if (!list) throw new ShelfNotFound(`list ${listId} on the shelf ${shelfId}`);
    const { name, title, path, updatedAt } = listEntry(shelf.id, list);
    return this.#issueFeeds.ofIds(asked, list.issueIds, {
      name,
      title,
      path,
      up: shelfPath(shelf.id),
      ...(list.updatedAt !== undefined && { updatedAt }),
    });
  }

  #get(shelfId: string, viewer: Viewer): CatalogShelf {
    const shelf = this.#visible(viewer).get(shelfId);
    if (!shelf) throw new ShelfNotFound(`shelf ${shelfId}`);
    return shelf;
  }

  #visible(viewer: Viewer): Map<string, CatalogShelf> {
    this.#sound ??= this.#choose();
    return new Map([...this.#sound].filter(([, { permission }]) => permission === undefined || viewer.may(permission)));
  }

  /** Those that can be shown, by id; of two with one id, the first contributor's. */
  #choose(): Map<string, CatalogShelf> {
    const sound = new Map<string, CatalogShelf>();
    for (const { plugin, contribution } of this.#shelves.entries()) {
      const problem =
        problemOf(contribution) ??
        (sound.has(contribution.id) ? `There is another shelf ${contribution.id}.` : undefined);
      if (problem === undefined) sound.set(contribution.id, contribution);
      else this.#log.error("A shelf of the catalog is left out", { plugin, problem });
    }
    return sound;
  }

  async #ask<S extends z.ZodType>(shelf: CatalogShelf, schema: S, ask: () => Promise<unknown>): Promise<z.output<S>> {
    try {
      return schema.parse(await ask());
    } catch (fault) {
      if (isLongboxError(fault) && fault.kind === "not-found") throw fault;
      this.#log.error("A shelf of the catalog could not be read", { shelf: shelf.id, fault });
      throw new ShelfUnavailable(shelf.title, fault);
    }
  }
}

function problemOf(contribution: unknown): string | undefined {
  try {
    const described = descriptionSchema.safeParse(contribution);
    return described.success ? undefined : z.prettifyError(described.error);
  } catch (fault) {
    return String(fault);
  }
}

function listEntry(shelfId: string, list: List): NavigationEntry {
  return {
    name: `${shelfName(shelfId)}:${list.id}`,
    title: list.title,
    path: `${shelfPath(shelfId)}/${list.id}`,
    leadsTo: "acquisition",
    updatedAt: list.updatedAt ?? longAgo,
    summary: list.summary,
  };
}

function shelfName(id: string): string {
  return `shelves:${id}`;
}

function shelfPath(id: string): Exclude<CatalogPath, ""> {
  return `/shelves/${id}`;
}
