import type { Kysely } from "kysely";
import { z } from "zod";
import type { ReaderTables } from "./tables.js";

/** `auto`: automatic for this series, also where a more general preference says otherwise. */
export const modes = ["auto", "single", "double", "continuous"] as const;
export const directions = ["ltr", "rtl"] as const;
export const fits = ["page", "width", "height", "original"] as const;

/** The preferences of a user; for a field that is null, the next more general preference applies. */
export const preferenceSchema = z.object({
  mode: z.enum(modes).nullable(),
  direction: z.enum(directions).nullable(),
  fit: z.enum(fits).nullable(),
});
export type Preference = z.output<typeof preferenceSchema>;

/** The id for the preferences of all series without their own. */
export const everySeries = 0;

const nothing: Preference = { mode: null, direction: null, fit: null };

/** How each user reads each series. */
export class Preferences {
  readonly #database: Kysely<ReaderTables>;

  constructor(database: Kysely<ReaderTables>) {
    this.#database = database;
  }

  /** What the user chose for this series itself. */
  async find(userId: number, seriesId: number): Promise<Preference> {
    const row = await this.#database
      .selectFrom("preference")
      .select(["mode", "direction", "fit"])
      .where("user_id", "=", userId)
      .where("series_id", "=", seriesId)
      .executeTakeFirst();
    return row ? preferenceSchema.parse(row) : nothing;
  }

  /** The effective preferences of a series: its own, or the general ones. */
  async resolve(userId: number, seriesId: number): Promise<Preference> {
    const [own, wider] = await Promise.all([this.find(userId, seriesId), this.find(userId, everySeries)]);
    return { mode: own.mode ?? wider.mode, direction: own.direction ?? wider.direction, fit: own.fit ?? wider.fit };
  }

  /**
   * Changes the given fields; null resets a field.
   * @param series - `issueId`: an issue of the series, by which it is known when it turns out to be another
   */
  async choose(
    userId: number,
    { seriesId, issueId }: { readonly seriesId: number; readonly issueId: number | undefined },
    change: Partial<Preference>,
  ): Promise<Preference> {
    return this.#database.transaction().execute(async (transaction) => {
      const kept = await new Preferences(transaction).find(userId, seriesId);
      const next = { ...kept, ...change };
      await transaction
        .insertInto("preference")
        .values({ user_id: userId, series_id: seriesId, issue_id: issueId ?? null, ...next })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "series_id"]).doUpdateSet({ ...next, issue_id: issueId ?? null }),
        )
        .execute();
      return next;
    });
  }
}
