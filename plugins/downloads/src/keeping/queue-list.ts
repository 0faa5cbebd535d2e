import type { Kysely } from "kysely";
import type { Item } from "../queue/item-records.js";
import type { DownloadTables } from "../tables.js";

export interface QueueQuery {
  readonly kind: "issue" | "pack";
  readonly limit: number;
  readonly offset: number;
}

/** The queue as clients list it: what is open by turn, then what failed, newest first. */
export class QueueList {
  constructor(private readonly database: Kysely<DownloadTables>) {}

  async list({ kind, limit, offset }: QueueQuery, seesRestricted: boolean): Promise<Item[]> {
    return this.#shown(seesRestricted)
      .selectAll()
      .where("kind", "=", kind)
      .orderBy("open", "desc")
      .orderBy("priority", "desc")
      .orderBy("position")
      .orderBy("id")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  /** Those in some states, in the order of the queue. */
  async inStates(
    states: readonly Item["state"][],
    { limit, seesRestricted }: { readonly limit: number; readonly seesRestricted: boolean },
  ): Promise<Item[]> {
    return this.#shown(seesRestricted)
      .selectAll()
      .where("state", "in", states)
      .orderBy("priority", "desc")
      .orderBy("position")
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  async counts(seesRestricted: boolean): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#shown(seesRestricted)
      .select(["state", (eb) => eb.fn.countAll<number>().as("total")])
      .groupBy("state")
      .execute();
    return new Map(rows.map(({ state, total }) => [state, total]));
  }

  async countOf(kind: "issue" | "pack", seesRestricted: boolean): Promise<number> {
    const { total } = await this.#shown(seesRestricted)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where("kind", "=", kind)
      .executeTakeFirstOrThrow();
    return total;
  }

  #shown(seesRestricted: boolean) {
    const all = this.database.selectFrom("item").where("state", "in", shownStates);
    return seesRestricted ? all : all.where("restricted", "=", 0);
  }
}

const shownStates = ["queued", "searching", "downloading", "grabbed", "importing", "failed"] as const;
