import { isAmong } from "@longbox/sdk";
import type { ShelvesDatabase } from "../tables.js";

/** The series whose changes are in no snapshot yet. */
export class UnsavedRecords {
  constructor(private readonly database: ShelvesDatabase) {}

  async list(): Promise<number[]> {
    const rows = await this.database.selectFrom("unsaved_series").select("series_id").execute();
    return rows.map(({ series_id }) => series_id);
  }

  async add(seriesIds: readonly number[]): Promise<void> {
    if (seriesIds.length === 0) return;
    await this.database
      .insertInto("unsaved_series")
      .values(seriesIds.map((series_id) => ({ series_id })))
      .onConflict((conflict) => conflict.column("series_id").doNothing())
      .execute();
  }

  async remove(seriesIds: readonly number[]): Promise<void> {
    await this.database.deleteFrom("unsaved_series").where(isAmong("series_id", seriesIds)).execute();
  }
}
