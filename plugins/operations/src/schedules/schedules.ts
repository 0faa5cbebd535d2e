import { Cron } from "croner";
import type { Contributions, Logger, Releasable } from "@longbox/sdk";
import type { Job, Schedule } from "../contract.js";
import { BadCron, NoSuchSchedule } from "../errors.js";
import type { Jobs } from "../jobs/jobs.js";
import { scheduleKind } from "../jobs/resuming.js";
import { problemOfPattern } from "./patterns.js";
import type { ScheduleRecords } from "./schedule-records.js";

export interface ScheduleRow {
  key: string;
  title: string;
  description: string;
  cron: string;
  defaultCron: string;
  enabled: boolean;
  timeZone: string;
  running: boolean;
  lastRunAt?: string;
  lastState?: string;
  lastError?: string;
  nextRunAt?: string;
}

const schedulePrefix = scheduleKind("");
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface SchedulesParts {
  readonly declared: Contributions<Schedule>;
  readonly records: ScheduleRecords;
  readonly jobs: Jobs;
  readonly changed: () => void;
  readonly log: Logger;
}

/** What starts a schedule. Making one takes milliseconds, since time zones are looked up. */
interface Clock {
  readonly schedule: Schedule;
  readonly pattern: string;
  readonly cron: Cron;
}

/** Starts what plugins declared when the clock says so; what was missed while the server was down is caught up once. */
export class Schedules implements Releasable {
  readonly #clocks = new Map<string, Clock>();
  readonly #subscriptions: readonly Releasable[];
  #arranging: Promise<void> = Promise.resolve();
  /** An arranging that has not begun. */
  #due: Promise<void> | undefined;
  /** Starts that are being written: an outcome is written after its start. */
  readonly #beginning = new Map<string, Promise<void>>();
  /** Outcomes that are being written. */
  readonly #keeping = new Set<Promise<void>>();
  #released = false;

  constructor(private readonly parts: SchedulesParts) {
    const { declared, jobs } = parts;
    this.#subscriptions = [
      declared.onChange(() => void this.arrange()),
      // Also of runs that went on after a restart.
      jobs.onJobEnded((job) => this.#keepOutcome(job)),
    ];
  }

  /** Sets the clocks to what is declared and what people changed. */
  arrange(): Promise<void> {
    this.#due ??= this.#arranging
      .then(() => {
        this.#due = undefined;
        return this.#arrange();
      })
      .catch((fault: unknown) => this.parts.log.error("Schedules could not be arranged.", { fault: String(fault) }));
    return (this.#arranging = this.#due);
  }

  async list(): Promise<ScheduleRow[]> {
    return Promise.all(this.parts.declared.all().map((schedule) => this.#row(schedule)));
  }

  async change(
    key: string,
    change: { cron?: string | undefined; enabled?: boolean | undefined },
  ): Promise<ScheduleRow> {
    const schedule = this.#get(key);
    if (change.cron !== undefined) checkPattern(change.cron);
    await this.parts.records.change(key, change);
    await this.arrange();
    this.parts.changed();
    return this.#row(schedule);
  }

  /** Runs one now, whether it is enabled or not. @throws {Conflict} `operations/job-running` while it runs already */
  async runNow(key: string): Promise<{ jobId: number }> {
    return this.#start(this.#get(key));
  }

  async release(): Promise<void> {
    this.#released = true;
    for (const subscription of this.#subscriptions) void subscription.release();
    for (const { cron } of this.#clocks.values()) cron.stop();
    this.#clocks.clear();
    await Promise.allSettled([this.#arranging, ...this.#keeping]);
  }

  async #arrange(): Promise<void> {
    const present = new Set<string>();
    for (const schedule of this.parts.declared.all()) {
      present.add(schedule.key);
      await this.#setOrReport(schedule);
    }
    for (const key of this.#clocks.keys()) if (!present.has(key)) this.#drop(key);
    this.parts.changed();
  }

  /** A plugin that declares a pattern that cannot be read does not keep the others from their clocks. */
  async #setOrReport(schedule: Schedule): Promise<void> {
    try {
      await this.#set(schedule);
    } catch (fault) {
      this.parts.log.error("A schedule could not be set.", { schedule: schedule.key, fault: String(fault) });
    }
  }

  async #set(schedule: Schedule): Promise<void> {
    const record = await this.parts.records.get(schedule.key);
    if (this.#released) return;
    const clock = this.#clocks.get(schedule.key);
    if (record.lastState === "running" && !this.parts.jobs.isBusy(scheduleKind(schedule.key)))
      await this.parts.records.ended(schedule.key, "failed", "Longbox stopped before the job finished.");
    const isEnabled = record.enabled ?? schedule.enabled;
    const pattern = record.cron ?? schedule.cron;
    if (isEnabled && clock?.schedule === schedule && clock.pattern === pattern) return;
    this.#drop(schedule.key);
    if (!isEnabled) return;
    const options = { timezone: timeZone, unref: true, protect: true };
    const cron = new Cron(pattern, options, () => this.#runQuietly(schedule));
    this.#clocks.set(schedule.key, { schedule, pattern, cron });
    const since = record.lastRunAt ?? record.seenAt;
    if (since === undefined) await this.parts.records.seen(schedule.key);
    else if (clock === undefined && wasMissed(cron, since)) await this.#runQuietly(schedule);
  }

  async #runQuietly(schedule: Schedule): Promise<void> {
    try {
      await this.#start(schedule);
    } catch (refusal) {
      this.parts.log.warn("A scheduled run was left out.", {
        schedule: schedule.key,
        reason: refusal instanceof Error ? refusal.message : String(refusal),
      });
    }
  }

  async #start(schedule: Schedule): Promise<{ jobId: number }> {
    const { key, title } = schedule;
    const handle = await this.parts.jobs.runOffered(this.parts.declared, schedule, {
      kind: scheduleKind(key),
      title,
      ...(schedule.resumes && { input: {} }),
      work: (control) => schedule.run(control),
    });
    const began = this.parts.records.began(key).finally(() => this.#beginning.delete(key));
    this.#beginning.set(key, began);
    await began;
    this.parts.changed();
    return { jobId: handle.id };
  }

  /**
   * A run that ends while the plugin stops stays marked as running: the next start says that it was interrupted, or
   * goes on with it.
   */
  #keepOutcome({ kind, state, error }: Job): void {
    const key = kind.startsWith(schedulePrefix) ? kind.slice(schedulePrefix.length) : undefined;
    if (this.#released || key === undefined) return;
    const begun = this.#beginning.get(key) ?? Promise.resolve();
    const kept = begun
      .then(() => this.parts.records.ended(key, state, error))
      .then(this.parts.changed, (fault: unknown) =>
        this.parts.log.error("The result of a scheduled run could not be saved.", {
          schedule: key,
          fault: String(fault),
        }),
      )
      .finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
  }

  async #row(schedule: Schedule): Promise<ScheduleRow> {
    const record = await this.parts.records.get(schedule.key);
    const next = this.#clocks.get(schedule.key)?.cron.nextRun();
    return {
      key: schedule.key,
      title: schedule.title,
      description: schedule.description,
      cron: record.cron ?? schedule.cron,
      defaultCron: schedule.cron,
      enabled: record.enabled ?? schedule.enabled,
      timeZone,
      running: this.parts.jobs.isBusy(scheduleKind(schedule.key)),
      ...(record.lastRunAt && { lastRunAt: record.lastRunAt }),
      ...(record.lastState && { lastState: record.lastState }),
      ...(record.lastError && { lastError: record.lastError }),
      ...(next && { nextRunAt: next.toISOString() }),
    };
  }

  #drop(key: string): void {
    this.#clocks.get(key)?.cron.stop();
    this.#clocks.delete(key);
  }

  #get(key: string): Schedule {
    const schedule = this.parts.declared.all().find((candidate) => candidate.key === key);
    if (!schedule) throw new NoSuchSchedule(key);
    return schedule;
  }
}

function checkPattern(pattern: string): void {
  const problem = problemOfPattern(pattern);
  if (problem !== undefined) throw new BadCron(problem);
}

function wasMissed(cron: Cron, since: string): boolean {
  const due = cron.nextRun(new Date(since));
  return due !== null && due.getTime() < Date.now();
}
