import {
  Conflict,
  isLongboxError,
  joinSignals,
  NotFound,
  systemViewer,
  type Logger,
  type PluginSettings,
} from "@longbox/sdk";
import type { CatalogContract, LibraryType, SeriesEvidence } from "@longbox/collection/contract";
import type { Job, JobControl, JobsContract } from "@longbox/operations/contract";
import type { Lookups } from "./lookups.js";
import type { Matching } from "./matching/matching.js";
import type { MetadataSettings } from "./settings.js";

/** What a sync did, in series. */
export interface SyncTally {
  matched: number;
  refreshed: number;
  /** Nothing certain was found; a person decides. */
  waiting: number;
}

export interface SyncState extends Readonly<SyncTally> {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly message?: string;
  readonly error?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

export interface SyncParts {
  readonly catalog: CatalogContract;
  readonly lookups: Lookups;
  readonly matching: Matching;
  readonly settings: PluginSettings<MetadataSettings>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly jobs: Pick<JobsContract, "findLatest">;
  readonly changed: () => void;
}

/** The sync itself, the schedule and the tool. */
export const syncKind = "metadata.sync";
const kinds = [syncKind, "schedule.metadata.sync", "tool.fetch-metadata"];

/** Whether a job of this kind is a sync. */
export function isSync({ kind }: Job): boolean {
  return kinds.includes(kind);
}

type SyncControl = Pick<JobControl, "signal" | "progress" | "checkpoint">;

/** One run: its job, how far it is, and what it did. */
interface SyncRun {
  readonly control: SyncControl;
  readonly tally: SyncTally;
  done: number;
  total: number;
}

/**
 * The provider sync, as a job: finds volumes for series without one, and refreshes those that have not been for long.
 * What it did is stored with each series, so that a run that was cut off does the rest.
 */
export class Sync {
  readonly #parts: SyncParts;
  /** What the newest run of this process did. */
  #tally: Readonly<SyncTally> = { matched: 0, refreshed: 0, waiting: 0 };
  /** The lock that the job, the schedule and the tool share. */
  #isRunning = false;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** How far the job of the sync is, or how it ended. */
  async state(): Promise<SyncState> {
    const job = await this.#parts.jobs.findLatest(kinds);
    if (!job) return { running: false, done: 0, total: 0, ...this.#tally };
    const { done, total, message, error, startedAt, endedAt } = job;
    return {
      running: job.state === "running" || job.state === "queued",
      done,
      total,
      ...this.#tally,
      ...(message !== undefined && { message }),
      ...(error !== undefined && { error }),
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { finishedAt: endedAt }),
    };
  }

  /**
   * Resolves once all series were processed.
   * @throws {Conflict} while another sync is running
   * @throws what the provider failed with
   */
  async run(control: SyncControl): Promise<SyncTally> {
    this.refuseSecond();
    this.#isRunning = true;
    const { signal, release } = joinSignals(control.signal, this.#parts.signal);
    const run: SyncRun = {
      control: {
        signal,
        progress: (...at) => control.progress(...at),
        checkpoint: (state) => control.checkpoint(state),
      },
      tally: { matched: 0, refreshed: 0, waiting: 0 },
      done: 0,
      total: 0,
    };
    this.#tally = run.tally;
    try {
      await this.#everything(run);
      return run.tally;
    } catch (fault) {
      if (isLongboxError(fault) || signal.aborted) throw fault;
      this.#parts.log.error("The sync failed", { error: fault });
      throw new Error("The sync failed; the log says why.", { cause: fault });
    } finally {
      this.#isRunning = false;
      release();
    }
  }

  /** @throws {Conflict} while a sync is running */
  refuseSecond(): void {
    if (this.#isRunning) throw new Conflict("metadata/sync-running", "A sync with the provider is running.");
  }

  async #everything(run: SyncRun): Promise<void> {
    const { signal } = run.control;
    const { libraryTypes } = this.#parts.lookups.source();
    const before = new Date(Date.now() - this.#parts.settings.current.refreshDays * 86_400_000).toISOString();
    const stale = await this.#parts.catalog.listStale({ before, limit: 100_000, libraryTypes });
    const { unmatchedSeries } = await this.#parts.catalog.countMatched(libraryTypes);
    run.total = stale.length + unmatchedSeries;
    for (const series of stale) await this.#step(run, () => this.#refresh(series, run));
    for (let afterId = 0; ;) {
      const unmatched = await this.#parts.catalog.listUnmatched({ afterId, limit: 50, libraryTypes });
      const last = unmatched.at(-1);
      if (last === undefined) break;
      for (const evidence of unmatched) await this.#step(run, () => this.#match(evidence, run));
      afterId = last.seriesId;
    }
    if (this.#parts.settings.current.matchAlone) await this.#everyAnnual(run, libraryTypes);
    signal.throwIfAborted();
  }

  /** Annuals that lie with the issues of their series are looked for by themselves: providers have them apart. */
  async #everyAnnual(run: SyncRun, libraryTypes: readonly LibraryType[]): Promise<void> {
    for (let afterId = 0; ;) {
      const found = await this.#parts.catalog.listAnnuals({ afterId, limit: 50, libraryTypes });
      for (const evidence of found) {
        run.control.signal.throwIfAborted();
        afterId = evidence.seriesId;
        if (!(await this.#parts.matching.wereAnnualsSearched(evidence.seriesId)))
          await this.#matchAnnuals(evidence, run);
      }
      if (found.length === 0) return;
    }
  }

  async #matchAnnuals(evidence: SeriesEvidence, run: SyncRun): Promise<void> {
    this.#tell(run, `Looking for the annuals of ${evidence.title}`);
    const { signal } = run.control;
    const options = { urgency: "background", signal, viewer: systemViewer } as const;
    if ((await this.#parts.matching.matchAnnuals(evidence, options)) !== undefined) run.tally.matched += 1;
    await settled(run, evidence.seriesId);
  }

  async #step(run: SyncRun, work: () => Promise<void>): Promise<void> {
    run.control.signal.throwIfAborted();
    await work();
    run.done += 1;
    this.#tell(run);
  }

  #tell({ control, done, total }: SyncRun, message?: string): void {
    control.progress(done, total, message);
    this.#parts.changed();
  }

  async #refresh({ seriesId, cvId }: { seriesId: number; cvId: number }, run: SyncRun): Promise<void> {
    this.#tell(run, `Refreshing volume ${cvId}`);
    const { signal } = run.control;
    try {
      await this.#parts.catalog.refreshSeries(
        seriesId,
        await this.#parts.lookups.getVolume(cvId, { urgency: "background", signal }),
      );
      run.tally.refreshed += 1;
    } catch (fault) {
      // The provider deleted the volume, or a person re-pointed or removed the series meanwhile: the others go on.
      if (!(fault instanceof NotFound) && !(fault instanceof Conflict)) throw fault;
      this.#parts.log.warn("A series could not be refreshed", { seriesId, cvId, reason: fault.code });
      return;
    }
    await settled(run, seriesId);
  }

  async #match(evidence: SeriesEvidence, run: SyncRun): Promise<void> {
    if (await this.#parts.matching.wasSearched(evidence.seriesId)) {
      run.tally.waiting += 1;
      return;
    }
    this.#tell(run, `Looking for ${evidence.title}`);
    const { cvId } = await this.#parts.matching.match(evidence, {
      urgency: "background",
      signal: run.control.signal,
      viewer: systemViewer,
      alone: this.#parts.settings.current.matchAlone,
    });
    if (cvId === undefined) run.tally.waiting += 1;
    else run.tally.matched += 1;
    await settled(run, evidence.seriesId);
  }
}

/** What a run has done it does not do again: one that takes days may be cut off many times and still gets further. */
async function settled({ control }: SyncRun, seriesId: number): Promise<void> {
  await control.checkpoint({ seriesId });
}
