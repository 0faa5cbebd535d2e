import type { Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { SeriesNotFound, VolumeNotFound } from "../errors.js";
import type { IssueMerge } from "../issues/merging.js";
import type { SearchIndex } from "../searching/search-index.js";
import { makeSeries } from "../series/adding.js";
import type { CollectionDatabase, CollectionTransaction, SeriesTable } from "../tables.js";
import { refreshHidden } from "../visibility.js";
import type { ProviderVolume } from "./catalog-contract.js";
import { gatherFrom } from "./gathering-annuals.js";
import { VolumeWriting } from "./volume-writing.js";

interface Taking {
  readonly seriesId: number;
  readonly volume: ProviderVolume;
  readonly viewer: Viewer;
}

type Parent = Pick<SeriesTable, "id" | "hidden" | "restricted" | "library_id" | "type">;

interface Taken {
  readonly seriesId: number;
  readonly touched: readonly number[];
  readonly merges: readonly IssueMerge[];
}

/** Moves the annuals of a series to the series of their own volume. Issues of hidden series stay hidden. */
export async function takeAnnuals(
  {
    database,
    search,
    changes,
  }: { readonly database: CollectionDatabase; readonly search: SearchIndex; readonly changes: Changes },
  { seriesId, volume, viewer }: Taking,
): Promise<number> {
  const taken = await database.transaction().execute(async (transaction): Promise<Taken> => {
    const parent = await transaction
      .selectFrom("series")
      .select(["id", "hidden", "restricted", "library_id", "type"])
      .where("id", "=", seriesId)
      .executeTakeFirst();
    if (!parent || (parent.hidden === 1 && !viewer.seesRestricted)) throw new SeriesNotFound(seriesId);
    const annuals = await seriesOf(transaction, { volume, parent, viewer });
    const wouldShow = annuals.hidden === 0 && parent.hidden === 1;
    if (wouldShow || annuals.id === parent.id) return { seriesId: annuals.id, touched: [], merges: [] };
    const written = await new VolumeWriting(transaction, search).write(annuals.id, volume);
    const rest = await gatherFrom(transaction, parent.id, annuals.id);
    const touched = [...new Set([...written.seriesIds, parent.id, annuals.id])];
    await recountSeries(transaction, touched);
    return { seriesId: annuals.id, touched, merges: [...written.merges, ...rest] };
  });
  changes.announceSeries(taken.touched);
  changes.announceMerges(taken.merges);
  return taken.seriesId;
}

/** The series that has the volume, or a new one beside its parent, as restricted as it. */
async function seriesOf(
  transaction: CollectionTransaction,
  { volume, parent, viewer }: { readonly volume: ProviderVolume; readonly parent: Parent; readonly viewer: Viewer },
): Promise<Pick<SeriesTable, "id" | "hidden">> {
  const known = await transaction
    .selectFrom("series")
    .select(["id", "hidden"])
    .where("cv_id", "=", volume.cvId)
    .executeTakeFirst();
  if (known?.hidden === 1 && !viewer.seesRestricted) throw new VolumeNotFound(volume.cvId);
  const id = known?.id ?? (await makeSeries(transaction, volume, [parent.type]));
  const { library_id, restricted } = parent;
  const beside = known ? {} : { library_id, restricted, monitor: "none", monitor_from: null };
  await transaction
    .updateTable("series")
    .set({ state: "tracked", ...beside })
    .where("id", "=", id)
    .execute();
  if (known) return known;
  await refreshHidden(transaction, [id]);
  return { id, hidden: parent.hidden };
}
