import { inBatches } from "@longbox/sdk";
import { chooseSeries } from "../series/choosing-series.js";
import { sourceKey, type KnownSeries, type PlacingBatch, type Reading } from "./placing-batch.js";
import type { WorksByTitle } from "./same-work.js";
import { refreshHidden } from "../visibility.js";
import { reserveIds, type CollectionTransaction, type SeriesTable } from "../tables.js";
import { titleOrder } from "../series/title-order.js";

/** Decides and records the series of every file of a batch. */
export class SeriesPlacing {
  readonly #transaction: CollectionTransaction;
  readonly #batch: PlacingBatch;
  readonly #works: WorksByTitle;
  readonly #made: Array<{ row: KnownSeries; first: Reading }> = [];
  readonly #sources: Array<{ folder: string; name_key: string; series_id: number }> = [];
  readonly #learnt = new Map<number, Partial<SeriesTable>>();
  #nextId = 0;

  constructor(transaction: CollectionTransaction, batch: PlacingBatch, works: WorksByTitle) {
    this.#transaction = transaction;
    this.#batch = batch;
    this.#works = works;
  }

  async place(): Promise<{ seriesOf: Map<string, number>; textChanged: number[] }> {
    this.#nextId = await reserveIds(this.#transaction, "series", this.#batch.readings.length);
    const seriesOf = new Map<string, number>();
    for (const reading of this.#batch.readings) {
      const assigned = this.#batch.assignments.get(reading.file.path);
      const ofWork = assigned ? undefined : this.#seriesOfWork(reading);
      const series =
        (assigned && this.#batch.series.get(assigned.series_id)) ??
        ofWork ??
        chooseSeries(this.#batch, reading) ??
        this.#make(reading);
      // Other files of this folder and name need not be of that work.
      if (!assigned && !ofWork) this.#remember(reading, series);
      this.#works.noteSeries(reading, series.id);
      this.#learn(reading, series);
      seriesOf.set(reading.file.path, series.id);
    }
    await this.#write();
    return { seriesOf, textChanged: [...this.#made.map(({ row }) => row.id), ...this.#learnt.keys()] };
  }

  /** Another format of a work that is known stands with it, unless a person pinned the folder to a series. */
  #seriesOfWork(reading: Reading): KnownSeries | undefined {
    if (this.#batch.pinned.has(reading.file.series.folder)) return undefined;
    const id = this.#works.findSeries(reading);
    return id === undefined ? undefined : this.#batch.series.get(id);
  }

  #make(reading: Reading): KnownSeries {
    const { file, nameKey } = reading;
    const type = file.series.rightToLeft ? "manga" : (this.#batch.libraryTypes.get(file.libraryId) ?? "comic");
    const row: KnownSeries = {
      id: this.#nextId++,
      cv_id: file.series.cvId ?? null,
      title_key: nameKey,
      year: file.series.year ?? null,
      publisher: file.series.publisher ?? null,
      state: "tracked",
      origin: "scan",
      pointed_by_hand: 0,
      path: file.series.folder,
      pinned: 0,
      type,
      library_id: this.#batch.libraryTypes.has(file.libraryId) ? file.libraryId : null,
    };
    this.#batch.addSeries(row);
    this.#made.push({ row, first: reading });
    return row;
  }

  /** The next file of this folder and name goes the same way. */
  #remember(reading: Reading, series: KnownSeries): void {
    const key = sourceKey(reading.file.series.folder, reading.sourceName);
    if (this.#batch.sources.has(key)) return;
    this.#batch.sources.set(key, series.id);
    this.#sources.push({ folder: reading.file.series.folder, name_key: reading.sourceName, series_id: series.id });
  }

  /** Files fill in what is not known yet; they never overwrite. */
  #learn(reading: Reading, series: KnownSeries): void {
    const { cvId, year, publisher, folder } = reading.file.series;
    const { libraryId } = reading.file;
    const learnt: Partial<SeriesTable> = {};
    if (series.library_id === null && this.#batch.libraryTypes.has(libraryId))
      learnt.library_id = series.library_id = libraryId;
    if (series.state === "vanished") learnt.state = series.state = "tracked";
    if (
      series.cv_id === null &&
      cvId !== undefined &&
      series.pointed_by_hand === 0 &&
      !this.#batch.seriesByVolume.has(cvId)
    ) {
      learnt.cv_id = series.cv_id = cvId;
      this.#batch.seriesByVolume.set(cvId, series);
    }
    if (series.year === null && year !== undefined) learnt.year = series.year = year;
    if (series.publisher === null && publisher !== undefined) learnt.publisher = series.publisher = publisher;
    if (series.path === null) learnt.path = series.path = folder;
    if (Object.keys(learnt).length > 0) this.#learnt.set(series.id, { ...this.#learnt.get(series.id), ...learnt });
  }

  async #write(): Promise<void> {
    const now = new Date().toISOString();
    for (const made of inBatches(this.#made, 200)) {
      const rows = made.map(({ row, first }) => ({
        ...row,
        title_order: titleOrder(row.title_key),
        title: first.file.series.name.trim() || first.nameKey,
        added_at: now,
      }));
      await this.#transaction.insertInto("series").values(rows).execute();
    }
    for (const rows of inBatches(this.#sources))
      await this.#transaction.insertInto("series_source").values(rows).execute();
    for (const [id, learnt] of this.#learnt)
      await this.#transaction.updateTable("series").set(learnt).where("id", "=", id).execute();
    await refreshHidden(this.#transaction, [...this.#made.map(({ row }) => row.id), ...this.#learnt.keys()]);
  }
}
