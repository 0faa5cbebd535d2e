import { inBatches, type Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { badField, LibraryNotFound, SeriesNotFound } from "../errors.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { SeriesReading } from "./series-reading.js";
import { flag, type CollectionDatabase, type CollectionTransaction, type SeriesTable } from "../tables.js";
import { refreshHidden } from "../visibility.js";

export type Monitor = "all" | "new" | "none";
export interface Monitoring {
  readonly monitor: Monitor;
  readonly monitor_from: number | null;
  readonly monitored: boolean;
}

/** Changes of series by users. Every method resolves after the counters have been updated. */
export class SeriesEditing {
  readonly #database: CollectionDatabase;
  readonly #series: SeriesReading;
  readonly #search: SearchIndex;
  readonly #changes: Changes;

  constructor(parts: {
    readonly database: CollectionDatabase;
    readonly series: SeriesReading;
    readonly search: SearchIndex;
    readonly changes: Changes;
  }) {
    this.#database = parts.database;
    this.#series = parts.series;
    this.#search = parts.search;
    this.#changes = parts.changes;
  }

  /** @param from - The first wanted number under `new`; by default the one after the highest that is known */
  async monitor(
    id: number,
    request: { monitor: Monitor; from?: number | undefined; clearPicks?: boolean | undefined },
    viewer: Viewer,
  ): Promise<Monitoring> {
    const monitor_from = await this.#edit(id, viewer, async (transaction, seriesId) => {
      const from = request.monitor === "new" ? (request.from ?? (await nextNumber(transaction, seriesId))) : null;
      await setMonitor(transaction, [seriesId], { monitor: request.monitor, monitor_from: from });
      if (request.clearPicks)
        await transaction
          .updateTable("issue")
          .set({ pick: null, pick_why: null, pick_reason: null })
          .where("series_id", "=", seriesId)
          .execute();
      return from;
    });
    return { monitor: request.monitor, monitor_from, monitored: request.monitor !== "none" };
  }

  async setAliases(id: number, aliases: readonly string[], viewer: Viewer): Promise<string[]> {
    const tidy = [...new Set(aliases.map((alias) => alias.trim()).filter((alias) => alias !== ""))];
    await this.#edit(id, viewer, async (transaction, seriesId) => {
      await transaction
        .updateTable("series")
        .set({ aliases: JSON.stringify(tidy) })
        .where("id", "=", seriesId)
        .execute();
      await this.#search.refresh(transaction, [seriesId]);
    });
    return tidy;
  }

  /** Without a value, inverts the flag. */
  async setRestricted(id: number, restricted: boolean | undefined, viewer: Viewer): Promise<boolean> {
    return await this.#edit(id, viewer, async (transaction, seriesId) => {
      const row = await transaction
        .selectFrom("series")
        .select("restricted")
        .where("id", "=", seriesId)
        .executeTakeFirstOrThrow();
      const next = restricted ?? row.restricted === 0;
      await transaction
        .updateTable("series")
        .set({ restricted: flag(next) })
        .where("id", "=", seriesId)
        .execute();
      await refreshHidden(transaction, [seriesId]);
      return next;
    });
  }

  async setType(id: number, type: string, viewer: Viewer): Promise<void> {
    await this.#edit(id, viewer, async (transaction, seriesId) => {
      await transaction.updateTable("series").set({ type }).where("id", "=", seriesId).execute();
    });
  }

  async moveToLibrary(ids: readonly number[], libraryId: number | null, viewer: Viewer): Promise<void> {
    await this.#editAll(ids, viewer, async (transaction, seriesIds) => {
      if (libraryId !== null) {
        const library = await transaction
          .selectFrom("library")
          .select(["id", "restricted"])
          .where("id", "=", libraryId)
          .executeTakeFirst();
        if (!library || (library.restricted === 1 && !viewer.seesRestricted)) throw new LibraryNotFound(libraryId);
      }
      for (const some of inBatches(seriesIds))
        await transaction.updateTable("series").set({ library_id: libraryId }).where("id", "in", some).execute();
      await refreshHidden(transaction, seriesIds);
    });
  }

  async monitorAll(ids: readonly number[], monitor: Monitor, viewer: Viewer): Promise<void> {
    await this.#editAll(ids, viewer, async (transaction, seriesIds) => {
      if (monitor !== "new") return setMonitor(transaction, seriesIds, { monitor, monitor_from: null });
      for (const id of seriesIds)
        await setMonitor(transaction, [id], { monitor, monitor_from: await nextNumber(transaction, id) });
    });
  }

  /**
   * Stops tracking. Files stay where they are, ids and reading progress too; tracking it again brings all of it back.
   */
  async untrack(ids: readonly number[], viewer: Viewer): Promise<void> {
    await this.#editAll(ids, viewer, async (transaction, seriesIds) => {
      for (const some of inBatches(seriesIds)) {
        await transaction
          .updateTable("series")
          .set({ state: "untracked", monitor: "none", monitor_from: null })
          .where("id", "in", some)
          .execute();
        await transaction
          .updateTable("issue")
          .set({ pick: null, pick_why: null, pick_reason: null })
          .where("series_id", "in", some)
          .execute();
        await transaction.deleteFrom("follow").where("series_id", "in", some).execute();
      }
    });
  }

  async track(id: number, viewer: Viewer): Promise<void> {
    const row = await this.#series.find(id, viewer);
    if (!row) throw new SeriesNotFound(id);
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.updateTable("series").set({ state: "tracked" }).where("id", "=", row.id).execute();
      await recountSeries(transaction, [row.id]);
    });
    this.#changes.announceSeries([row.id]);
  }

  /** All of them, or none if the viewer may not see one of them. */
  async checkAll(ids: readonly number[], viewer: Viewer): Promise<number[]> {
    const wanted = [...new Set(ids)];
    const found: number[] = [];
    for (const some of inBatches(wanted)) {
      let query = this.#database
        .selectFrom("series")
        .select("id")
        .where("id", "in", some)
        .where("state", "=", "tracked");
      if (!viewer.seesRestricted) query = query.where("hidden", "=", 0);
      found.push(...(await query.execute()).map((row) => row.id));
    }
    const there = new Set(found);
    for (const id of wanted) if (!there.has(id)) found.push((await this.#series.get(id, viewer)).id);
    return found;
  }

  async #edit<T>(
    id: number,
    viewer: Viewer,
    change: (transaction: CollectionTransaction, seriesId: number) => Promise<T>,
  ): Promise<T> {
    return await this.#editAll([id], viewer, (transaction, [seriesId]) => change(transaction, seriesId as number));
  }

  async #editAll<T>(
    ids: readonly number[],
    viewer: Viewer,
    change: (transaction: CollectionTransaction, seriesIds: readonly number[]) => Promise<T>,
  ): Promise<T> {
    const seriesIds = await this.checkAll(ids, viewer);
    const result = await this.#database.transaction().execute(async (transaction) => {
      const outcome = await change(transaction, seriesIds);
      await recountSeries(transaction, seriesIds);
      return outcome;
    });
    this.#changes.announceSeries(seriesIds);
    return result;
  }
}

async function setMonitor(
  transaction: CollectionTransaction,
  ids: readonly number[],
  set: Pick<SeriesTable, "monitor" | "monitor_from">,
): Promise<void> {
  for (const some of inBatches(ids)) await transaction.updateTable("series").set(set).where("id", "in", some).execute();
}

/** The number that the next regular issue will have. */
export async function nextNumber(transaction: CollectionTransaction, seriesId: number): Promise<number> {
  const { highest } = await transaction
    .selectFrom("issue")
    .select((eb) => eb.fn.max("value").as("highest"))
    .where("series_id", "=", seriesId)
    .where("present", "=", 1)
    .where("kind", "=", "issue")
    .executeTakeFirstOrThrow();
  return highest === null || highest === undefined ? 1 : Math.floor(highest) + 1;
}

/** @throws {BadInput} when the body has neither form */
export function readMonitorRequest(body: { monitor?: Monitor | undefined; monitored?: boolean | undefined }): Monitor {
  if (body.monitor !== undefined) return body.monitor;
  if (body.monitored !== undefined) return body.monitored ? "all" : "none";
  throw badField("monitor", "must be all, new or none");
}
