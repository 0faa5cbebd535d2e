import type { Kysely } from "kysely";
import { z } from "zod";

export interface WebTables {
  home: { user_id: number; arrangement: string };
}

const part = z.string().min(1).max(200);
/**
 * How a user arranged the home page. Parts are named by their plugin and element, such as `reader reader-home-later`.
 */
export const arrangementSchema = z.object({
  /** The parts in order; parts that are not named have their usual place. */
  order: z.array(part).max(100),
  hidden: z.array(part).max(100),
});
export type Arrangement = z.output<typeof arrangementSchema>;

const untouched: Arrangement = { order: [], hidden: [] };

/** How users arranged the home page. */
export class HomeRecords {
  constructor(private readonly database: Kysely<WebTables>) {}

  async find(userId: number): Promise<Arrangement> {
    const row = await this.database.selectFrom("home").selectAll().where("user_id", "=", userId).executeTakeFirst();
    return row ? arrangementSchema.parse(JSON.parse(row.arrangement)) : untouched;
  }

  async put(userId: number, { order, hidden }: Arrangement): Promise<Arrangement> {
    const kept = { order: [...new Set(order)], hidden: [...new Set(hidden)] };
    const arrangement = JSON.stringify(kept);
    await this.database
      .insertInto("home")
      .values({ user_id: userId, arrangement })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ arrangement }))
      .execute();
    return kept;
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("home").where("user_id", "=", userId).execute();
  }

  /** The first account takes over what the local admin arranged. */
  async handOver({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    const own = await this.find(from);
    if (own !== untouched) await this.put(to, own);
    await this.forgetUser(from);
  }
}
