import { isAmong } from "@longbox/sdk";
import type { Insertable, Kysely, Selectable } from "kysely";
import type { RequestState, RequestTable, RequestTables } from "../tables.js";

export type RequestRecord = Selectable<RequestTable>;
export type NewRequest = Pick<
  Insertable<RequestTable>,
  "kind" | "external_id" | "title" | "year" | "publisher" | "authors" | "image" | "note" | "user_id"
>;

export interface Decision {
  readonly state: Exclude<RequestState, "pending">;
  readonly by: number | null;
  readonly reason?: string | null;
  readonly download?: boolean;
}

/** Requests and the votes for them. */
export class RequestRecords {
  constructor(private readonly database: Kysely<RequestTables>) {}

  async find(id: number): Promise<RequestRecord | undefined> {
    return this.database.selectFrom("request").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /**
   * Open requests, and those decided since a time: pending first, then by age.
   * @param since - milliseconds since 1970
   */
  async list(since: number, limit: number): Promise<RequestRecord[]> {
    return this.database
      .selectFrom("request")
      .selectAll()
      .where((eb) => eb.or([eb("open", "=", 1), eb("decided_at", ">=", since)]))
      .where("state", "<>", "withdrawn")
      .orderBy((eb) =>
        eb.case().when("state", "=", "pending").then(0).when("state", "=", "approved").then(1).else(2).end(),
      )
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  }

  async listInState(state: RequestState): Promise<RequestRecord[]> {
    return this.database.selectFrom("request").selectAll().where("state", "=", state).orderBy("id").execute();
  }

  async findOpen(kind: string, externalIds: readonly string[]): Promise<RequestRecord[]> {
    return this.database
      .selectFrom("request")
      .selectAll()
      .where("open", "=", 1)
      .where("kind", "=", kind)
      .where(isAmong("external_id", externalIds))
      .execute();
  }

  async countSince(userId: number, since: number): Promise<number> {
    const { total } = await this.database
      .selectFrom("request")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .where("user_id", "=", userId)
      .where("created_at", ">=", since)
      .where("state", "<>", "withdrawn")
      .executeTakeFirstOrThrow();
    return total;
  }

  /** @returns undefined where there is an open request for the same thing */
  async add(request: NewRequest): Promise<RequestRecord | undefined> {
    return this.database
      .insertInto("request")
      .values({
        ...request,
        state: "pending",
        open: 1,
        created_at: Date.now(),
        decided_by: null,
        decided_at: null,
        reason: null,
        download: 0,
        series_id: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  }

  /** Changes the state of a request, unless it was changed concurrently. @returns whether it did */
  async decide(id: number, from: readonly RequestState[], decision: Decision): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable("request")
      .set({
        state: decision.state,
        open: decision.state === "approved" ? 1 : 0,
        decided_at: Date.now(),
        ...(decision.by !== null && { decided_by: decision.by }),
        ...(decision.reason !== undefined && { reason: decision.reason }),
        ...(decision.download !== undefined && { download: decision.download ? (1 as const) : (0 as const) }),
      })
      .where("id", "=", id)
      .where("state", "in", [...from])
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows) > 0;
  }

  /** Resets an approval that failed. */
  async reopen(id: number): Promise<void> {
    await this.database
      .updateTable("request")
      .set({ state: "pending", open: 1, decided_by: null, decided_at: null, download: 0 })
      .where("id", "=", id)
      .where("state", "=", "approved")
      .where("series_id", "is", null)
      .execute();
  }

  async added(id: number, seriesId: number): Promise<void> {
    await this.database.updateTable("request").set({ series_id: seriesId }).where("id", "=", id).execute();
  }

  async vote(requestId: number, userId: number, on: boolean): Promise<void> {
    if (on)
      await this.database
        .insertInto("vote")
        .values({ request_id: requestId, user_id: userId })
        .onConflict((conflict) => conflict.columns(["request_id", "user_id"]).doNothing())
        .execute();
    else
      await this.database
        .deleteFrom("vote")
        .where("request_id", "=", requestId)
        .where("user_id", "=", userId)
        .execute();
  }

  /** The ids of the voters of each request. */
  async voters(requestIds: readonly number[]): Promise<Map<number, number[]>> {
    const rows = await this.database
      .selectFrom("vote")
      .selectAll()
      .where(isAmong("request_id", requestIds))
      .orderBy("user_id")
      .execute();
    const found = new Map<number, number[]>(requestIds.map((id) => [id, []]));
    for (const row of rows) found.get(row.request_id)?.push(row.user_id);
    return found;
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("vote").where("user_id", "=", userId).execute();
      await transaction.deleteFrom("request").where("user_id", "=", userId).execute();
      await transaction.updateTable("request").set({ decided_by: null }).where("decided_by", "=", userId).execute();
    });
  }

  async handOver(from: number, to: number): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await transaction.updateTable("request").set({ user_id: to }).where("user_id", "=", from).execute();
      await transaction.updateTable("request").set({ decided_by: to }).where("decided_by", "=", from).execute();
      await transaction.deleteFrom("vote").where("user_id", "=", from).execute();
    });
  }
}
