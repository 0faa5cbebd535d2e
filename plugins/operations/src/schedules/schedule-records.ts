import type { Kysely } from "kysely";
import type { OperationsTables } from "../tables.js";

export interface ScheduleRecord {
  /** A person's own pattern, instead of the declared one. */
  readonly cron: string | undefined;
  readonly enabled: boolean | undefined;
  readonly lastRunAt: string | undefined;
  readonly lastState: string | undefined;
  readonly lastError: string | undefined;
  /** When the schedule was first known. */
  readonly seenAt: string | undefined;
}

const nothing: ScheduleRecord = {
  cron: undefined,
  enabled: undefined,
  lastRunAt: undefined,
  lastState: undefined,
  lastError: undefined,
  seenAt: undefined,
};

/** What people changed about schedules, and when each ran last. */
export class ScheduleRecords {
  constructor(private readonly database: Kysely<OperationsTables>) {}

  async get(key: string): Promise<ScheduleRecord> {
    const row = await this.database.selectFrom("schedule").selectAll().where("key", "=", key).executeTakeFirst();
    if (!row) return nothing;
    return {
      cron: row.cron ?? undefined,
      enabled: row.enabled === null ? undefined : row.enabled === 1,
      lastRunAt: row.last_run_at ?? undefined,
      lastState: row.last_state ?? undefined,
      lastError: row.last_error ?? undefined,
      seenAt: row.seen_at ?? undefined,
    };
  }

  async change(key: string, change: { cron?: string | undefined; enabled?: boolean | undefined }): Promise<void> {
    const columns = {
      ...(change.cron !== undefined && { cron: change.cron }),
      ...(change.enabled !== undefined && { enabled: change.enabled ? (1 as const) : (0 as const) }),
    };
    await this.#put(key, columns);
  }

  async seen(key: string): Promise<void> {
    await this.#put(key, { seen_at: new Date().toISOString() });
  }

  async began(key: string): Promise<void> {
    await this.#put(key, { last_run_at: new Date().toISOString(), last_state: "running", last_error: null });
  }

  async ended(key: string, state: string, error: string | undefined): Promise<void> {
    await this.#put(key, { last_state: state, last_error: error ?? null });
  }

  async #put(key: string, columns: Partial<Omit<OperationsTables["schedule"], "key">>): Promise<void> {
    if (Object.keys(columns).length === 0) return;
    await this.database
      .insertInto("schedule")
      .values({ key, ...columns })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(columns))
      .execute();
  }
}
