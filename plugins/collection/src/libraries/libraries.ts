import { isWithin, type Viewer } from "@longbox/sdk";
import type { Library } from "../contract.js";
import type { LibraryTypeList } from "./library-types.js";
import type { Changes } from "../changes.js";
import { badField, LibraryNotFound } from "../errors.js";
import { existingFolder } from "./folders.js";
import type { LibraryPlaces } from "./library-places.js";
import type { LibraryRows } from "./library-rows.js";
import { flag, reserveIds, type CollectionDatabase, type CollectionTransaction, type LibraryTable } from "../tables.js";
import { refreshAllHidden } from "../visibility.js";

export interface LibraryFields {
  name?: string | undefined;
  type?: string | undefined;
  rootFolder?: string | undefined;
  folderPattern?: string | undefined;
  restricted?: boolean | undefined;
  sortOrder?: number | undefined;
  tagPlacement?: "embed" | "sidecar" | undefined;
}

/** The libraries: named folders of the server, each of one type. */
export class Libraries {
  readonly #database: CollectionDatabase;
  readonly #rows: LibraryRows;
  readonly types: LibraryTypeList;
  readonly #changes: Changes;

  readonly places: LibraryPlaces;

  constructor(parts: {
    readonly database: CollectionDatabase;
    readonly libraryRows: LibraryRows;
    readonly types: LibraryTypeList;
    readonly places: LibraryPlaces;
    readonly changes: Changes;
  }) {
    this.#database = parts.database;
    this.#rows = parts.libraryRows;
    this.types = parts.types;
    this.places = parts.places;
    this.#changes = parts.changes;
  }

  /** @throws {BadInput} naming `field` when there is no such type */
  checkType(type: string, field = "type"): void {
    const known = this.types.list().map(({ id }) => id);
    if (!known.includes(type)) throw badField(field, `must be one of ${known.join(", ")}`);
  }

  async list(viewer: Viewer): Promise<Library[]> {
    const rows = await this.#rows.read();
    return rows.filter((row) => viewer.seesRestricted || row.restricted === 0).map(toLibrary);
  }

  async get(id: number, viewer: Viewer): Promise<Library> {
    const found = (await this.list(viewer)).find((library) => library.id === id);
    if (!found) throw new LibraryNotFound(id);
    return found;
  }

  /** @throws {BadInput} naming the field that is wrong */
  async create(
    fields: { name: string; type: string; rootFolder: string } & LibraryFields,
    viewer: Viewer,
  ): Promise<number> {
    this.checkType(fields.type);
    const rootFolder = await this.#checkedFolder(fields.rootFolder);
    const { id, touched } = await this.#database.transaction().execute(async (transaction) => {
      await refuseOverlap(transaction, rootFolder, { viewer });
      const next = await reserveIds(transaction, "library", 1);
      const row = {
        id: next,
        ...columns({ sortOrder: next, ...fields, rootFolder }),
        created_at: new Date().toISOString(),
      };
      await transaction
        .insertInto("library")
        .values(row as LibraryTable)
        .execute();
      return { id: next, touched: await refreshAllHidden(transaction) };
    });
    this.#changes.announceLibraries([id]);
    this.#changes.announceSeries(touched);
    return id;
  }

  async change(id: number, fields: LibraryFields, viewer: Viewer): Promise<void> {
    await this.get(id, viewer);
    if (fields.type !== undefined) this.checkType(fields.type);
    const rootFolder = fields.rootFolder === undefined ? undefined : await this.#checkedFolder(fields.rootFolder);
    const touched = await this.#database.transaction().execute(async (transaction) => {
      if (rootFolder !== undefined) await refuseOverlap(transaction, rootFolder, { viewer, except: id });
      const set = columns({ ...fields, rootFolder });
      if (Object.keys(set).length > 0) await transaction.updateTable("library").set(set).where("id", "=", id).execute();
      return await refreshAllHidden(transaction);
    });
    this.#changes.announceLibraries([id]);
    this.#changes.announceSeries(touched);
  }

  async #checkedFolder(path: string): Promise<string> {
    const folder = await existingFolder(path, "rootFolder");
    (await this.places.read()).checkLibrary(folder, "rootFolder");
    return folder;
  }

  /** Touches no file and no series but their library. */
  async remove(id: number, viewer: Viewer): Promise<void> {
    await this.get(id, viewer);
    const touched = await this.#database.transaction().execute(async (transaction) => {
      const series = await transaction
        .updateTable("series")
        .set({ library_id: null })
        .where("library_id", "=", id)
        .returning("id")
        .execute();
      await transaction.deleteFrom("library").where("id", "=", id).execute();
      return [...series.map((row) => row.id), ...(await refreshAllHidden(transaction))];
    });
    this.#changes.announceLibraries([id]);
    this.#changes.announceSeries(touched);
  }
}

export function toLibrary(row: LibraryTable): Library {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    rootFolder: row.root_folder,
    folderPattern: row.folder_pattern,
    restricted: row.restricted === 1,
    sortOrder: row.sort_order,
    tagPlacement: row.tag_placement === "sidecar" ? "sidecar" : "embed",
  };
}

function columns(fields: LibraryFields): Partial<LibraryTable> {
  const all = {
    name: fields.name,
    type: fields.type,
    root_folder: fields.rootFolder,
    folder_pattern: fields.folderPattern,
    restricted: fields.restricted === undefined ? undefined : flag(fields.restricted),
    sort_order: fields.sortOrder,
    tag_placement: fields.tagPlacement,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<LibraryTable>;
}

/** A file must belong to one library only. Libraries that the viewer may not know of are not named. */
async function refuseOverlap(
  transaction: CollectionTransaction,
  rootFolder: string,
  { viewer, except }: { readonly viewer: Viewer; readonly except?: number },
): Promise<void> {
  for (const other of await transaction.selectFrom("library").selectAll().execute()) {
    if (other.id === except) continue;
    const named = other.restricted === 1 && !viewer.seesRestricted ? "another library" : `the library "${other.name}"`;
    if (isWithin(other.root_folder, rootFolder)) throw badField("rootFolder", `lies inside ${named}`);
    if (isWithin(rootFolder, other.root_folder)) throw badField("rootFolder", `contains ${named}`);
  }
}
