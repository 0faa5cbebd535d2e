import type { Kysely, Selectable } from "kysely";
import { isAmong } from "@longbox/sdk";
import type { Job, JobState } from "../contract.js";
import type { JobTable, OperationsTables } from "../tables.js";

export interface UnfinishedJob extends Job {
  readonly key: string | undefined;
  readonly input: unknown;
  readonly checkpoint: unknown;
  /** How often the server ended without stopping while the job ran, since the last checkpoint. */
  readonly kills: number;
}

const ended: readonly JobState[] = ["done", "failed", "cancelled"];

/** Jobs as they are kept: what was asked for, how far it came, and how it ended. */
export class JobRecords {
  constructor(private readonly database: Kysely<OperationsTables>) {}

  async add(job: { kind: string; key: string | undefined; title: string; input: unknown }): Promise<Job> {
    const row = await this.database
      .insertInto("job")
      .values({
        kind: job.kind,
        key: job.key ?? null,
        title: job.title,
        state: "queued",
        done: 0,
        total: 0,
        input: toJson(job.input),
        queued_at: now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toJob(row);
  }

  async find(id: number): Promise<Job | undefined> {
    const row = await this.database.selectFrom("job").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toJob(row);
  }

  /** Running first, then waiting, then the ended ones, newest first. */
  async list(range: { limit: number; offset: number }): Promise<{ jobs: Job[]; total: number }> {
    const rows = await this.database
      .selectFrom("job")
      .selectAll()
      .orderBy((order) =>
        order.case().when("state", "=", "running").then(0).when("state", "=", "queued").then(1).else(2).end(),
      )
      .orderBy("id", "desc")
      .limit(range.limit)
      .offset(range.offset)
      .execute();
    const { count } = await this.database
      .selectFrom("job")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return { jobs: rows.map(toJob), total: Number(count) };
  }

  async findLatest(kinds: readonly string[]): Promise<Job | undefined> {
    const row = await this.database
      .selectFrom("job")
      .selectAll()
      .where(isAmong("kind", kinds))
      .orderBy((order) =>
        order.case().when("state", "=", "running").then(0).when("state", "=", "queued").then(1).else(2).end(),
      )
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && toJob(row);
  }

  /** When the newest job was queued. */
  async newestAt(): Promise<string | undefined> {
    const { newest } = await this.database
      .selectFrom("job")
      .select(({ fn }) => fn.max("queued_at").as("newest"))
      .executeTakeFirstOrThrow();
    return newest ?? undefined;
  }

  async listUnfinished(): Promise<UnfinishedJob[]> {
    const rows = await this.database
      .selectFrom("job")
      .selectAll()
      .where("state", "in", ["queued", "running"])
      .orderBy("id")
      .execute();
    return rows.map((row) => ({
      ...toJob(row),
      key: row.key ?? undefined,
      input: fromJson(row.input),
      checkpoint: fromJson(row.checkpoint),
      kills: row.kills,
    }));
  }

  async start(id: number): Promise<void> {
    await this.database
      .updateTable("job")
      .set({ state: "running", started_at: now(), error: null, error_code: null, error_details: null })
      .where("id", "=", id)
      .execute();
  }

  /** At the start: a job that still counts as running was cut off without an orderly stop. */
  async noteKills(): Promise<void> {
    await this.database
      .updateTable("job")
      .set((eb) => ({ kills: eb("kills", "+", 1) }))
      .where("state", "=", "running")
      .execute();
  }

  /** At an orderly stop: what can be resumed waits for the next start. */
  async requeueResumable(): Promise<void> {
    await this.database
      .updateTable("job")
      .set({ state: "queued", started_at: null })
      .where("state", "=", "running")
      .where("input", "is not", null)
      .execute();
  }

  /** Puts a job back in line, as one does with what a restart cut off. */
  async requeue(id: number): Promise<void> {
    await this.database.updateTable("job").set({ state: "queued", started_at: null }).where("id", "=", id).execute();
  }

  async progress(id: number, at: { done: number; total: number; message: string | undefined }): Promise<void> {
    await this.database
      .updateTable("job")
      .set({ done: at.done, total: at.total, message: at.message ?? null })
      .where("id", "=", id)
      .execute();
  }

  /** Keeps how far a job came. One that got further is not held to what happened before. */
  async checkpoint(id: number, state: unknown): Promise<void> {
    const checkpoint = toJson(state);
    const row = await this.database.selectFrom("job").select("checkpoint").where("id", "=", id).executeTakeFirst();
    await this.database
      .updateTable("job")
      .set({ checkpoint, ...(row?.checkpoint !== checkpoint && { kills: 0 }) })
      .where("id", "=", id)
      .execute();
  }

  async end(id: number, end: Job): Promise<void> {
    await this.database
      .updateTable("job")
      .set({
        state: end.state,
        done: end.done,
        total: end.total,
        message: end.message ?? null,
        error: end.error ?? null,
        error_code: end.errorCode ?? null,
        error_details: toJson(end.errorDetails),
        ended_at: now(),
        checkpoint: null,
      })
      .where("id", "=", id)
      .execute();
  }

  async clearEnded(): Promise<number> {
    const result = await this.database.deleteFrom("job").where("state", "in", ended).executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  /** Keeps the newest ended jobs, of one kind or of all, and drops the rest. */
  async keepNewest(count: number, kind?: string): Promise<void> {
    let kept = this.database.selectFrom("job").select("id").where("state", "in", ended);
    let dropped = this.database.deleteFrom("job").where("state", "in", ended);
    if (kind !== undefined) {
      kept = kept.where("kind", "=", kind);
      dropped = dropped.where("kind", "=", kind);
    }
    await dropped.where("id", "not in", kept.orderBy("id", "desc").limit(count)).execute();
  }
}

function toJob(row: Selectable<JobTable>): Job {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    state: row.state as JobState,
    done: row.done,
    total: row.total,
    message: row.message ?? undefined,
    estimateSeconds: undefined,
    error: row.error ?? undefined,
    ...(row.error_code !== null && { errorCode: row.error_code, errorDetails: fromJson(row.error_details) }),
    queuedAt: row.queued_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
}

const now = () => new Date().toISOString();
const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
const fromJson = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));
