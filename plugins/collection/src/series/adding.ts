import { foldTitle, type PluginSettings } from "@longbox/sdk";
import type { AddVolumeRequest, ProviderVolume } from "../catalog/catalog-contract.js";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { VolumeNotFound } from "../errors.js";
import type { Following } from "./following.js";
import type { Getting } from "../issues/getting.js";
import { checkMayWant, issuesOfSeries, setPicks } from "../issues/picking.js";
import type { SearchIndex } from "../searching/search-index.js";
import type { CollectionSettings } from "../settings.js";
import { reserveIds, type CollectionDatabase, type CollectionTransaction, type SeriesTable } from "../tables.js";
import { refreshHidden } from "../visibility.js";
import { VolumeWriting, type WrittenVolume } from "../catalog/volume-writing.js";
import { titleOrder } from "./title-order.js";

export interface AddingParts {
  readonly database: CollectionDatabase;
  readonly search: SearchIndex;
  readonly changes: Changes;
  readonly following: Following;
  readonly getting: Getting;
  readonly settings: PluginSettings<CollectionSettings>;
}

interface Added {
  readonly seriesId: number;
  readonly written: WrittenVolume;
  readonly askedIssueIds: readonly number[];
}

/** Adds volumes to the collection on request. */
export class Adding {
  readonly #parts: AddingParts;

  constructor(parts: AddingParts) {
    this.#parts = parts;
  }

  async add(
    volume: ProviderVolume,
    request: AddVolumeRequest,
  ): Promise<{ seriesId: number; cvId: number; queued: number }> {
    checkMayWant(request.viewer);
    const asked = request.cvIssueIds ?? [];
    const onlyAsked = request.only === true || (asked.length > 0 && this.#parts.settings.current.onlyAskedIssues);
    const added = await this.#parts.database
      .transaction()
      .execute((transaction) => this.#write(transaction, volume, { ...request, onlyAsked }));
    this.#parts.changes.announceSeries(added.written.seriesIds);
    this.#parts.changes.announceMerges(added.written.merges);
    if (request.only !== true) await this.#parts.following.setAll(request.viewer.user.id, [added.seriesId], true);
    return { seriesId: added.seriesId, cvId: volume.cvId, queued: await this.#queue(added, onlyAsked, request) };
  }

  async #write(
    transaction: CollectionTransaction,
    volume: ProviderVolume,
    { onlyAsked, ...request }: AddVolumeRequest & { readonly onlyAsked: boolean },
  ): Promise<Added> {
    const known = await transaction
      .selectFrom("series")
      .select(["id", "state", "hidden"])
      .where("cv_id", "=", volume.cvId)
      .executeTakeFirst();
    if (known?.hidden === 1 && !request.viewer.seesRestricted) throw new VolumeNotFound(volume.cvId);
    const seriesId = known?.id ?? (await makeSeries(transaction, volume, request.libraryTypes));
    const fresh = known === undefined || known.state !== "tracked";
    if (fresh)
      await transaction
        .updateTable("series")
        .set({ state: "tracked", monitor: onlyAsked ? "none" : "all", monitor_from: null })
        .where("id", "=", seriesId)
        .execute();
    const written = await new VolumeWriting(transaction, this.#parts.search).write(seriesId, volume);
    const askedIssueIds = await issuesOfSeries(transaction, seriesId, request.cvIssueIds ?? []);
    if (onlyAsked || !fresh) {
      await setPicks(transaction, askedIssueIds, { pick: 1, why: request.why, reason: request.reason });
      await recountSeries(transaction, [seriesId]);
    }
    return { seriesId, written, askedIssueIds };
  }

  async #queue(added: Added, onlyAsked: boolean, request: AddVolumeRequest): Promise<number> {
    const { getting, settings } = this.#parts;
    const { viewer, download = settings.current.downloadOnAdd } = request;
    if (!download || !viewer.may("downloads.grab") || !getting.available()) return 0;
    return onlyAsked
      ? await getting.queueIssues(added.askedIssueIds, viewer)
      : await getting.queueMissing([added.seriesId], viewer);
  }
}

/** Makes the series of something that was added by hand. @returns its id */
export async function makeSeries(
  transaction: CollectionTransaction,
  volume: Pick<ProviderVolume, "title">,
  libraryTypes: readonly string[] | undefined,
): Promise<number> {
  const libraries = await transaction
    .selectFrom("library")
    .select(["id", "type"])
    .orderBy("sort_order")
    .orderBy("id")
    .execute();
  const [first] = libraries;
  const library = libraryTypes ? libraries.find(({ type }) => libraryTypes.includes(type)) : first;
  const id = await reserveIds(transaction, "series", 1);
  const row: Partial<SeriesTable> = {
    id,
    title: volume.title,
    title_key: foldTitle(volume.title),
    title_order: titleOrder(foldTitle(volume.title)),
    type: library?.type ?? libraryTypes?.[0] ?? "comic",
    // Without a library a series falls back to the first of all.
    ...(library !== undefined && library !== first && { library_id: library.id }),
    origin: "provider",
    added_at: new Date().toISOString(),
  };
  await transaction
    .insertInto("series")
    .values(row as SeriesTable)
    .execute();
  await refreshHidden(transaction, [id]);
  return id;
}
