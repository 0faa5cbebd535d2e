import {
  Conflict,
  isLongboxError,
  joinSignals,
  NotFound,
  systemViewer,
  type Logger,
  type PluginSettings,
} from "@longbox/sdk";
import type { CatalogContract } from "@longbox/collection/contract";
import type { Lookups } from "./lookups.js";
import type { Matching } from "./matching.js";
import type { MetadataSettings } from "./settings.js";

export interface SyncState {
  running: boolean;
  done: number;
  total: number;
  message?: string;
  error?: string;
  startedAt?: string;
  finishedAt?: string;
  matched: number;
  refreshed: number;
  waiting: number;
}

export interface SyncParts {
  readonly catalog: CatalogContract;
  readonly lookups: Lookups;
  readonly matching: Matching;
  readonly settings: PluginSettings<MetadataSettings>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly changed: () => void;
}

export interface SyncControl {
  readonly signal?: AbortSignal | undefined;
  progress?(done: number, total: number, message?: string): void;
}

/** The provider sync: finds volumes for series without one, and refreshes those that have not been for long. */
export class Sync {
  readonly #parts: SyncParts;
  #state: SyncState = { running: false, done: 0, total: 0, matched: 0, refreshed: 0, waiting: 0 };

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  state(): SyncState {
    return { ...this.#state };
  }

  /** Resolves once all series were processed, or the provider failed. */
  async run(control: SyncControl): Promise<SyncState> {
    this.refuseSecond();
    const { signal, release } = joinSignals(control.signal, this.#parts.signal);
    this.#set({
      running: true,
      done: 0,
      total: 0,
      matched: 0,
      refreshed: 0,
      waiting: 0,
      startedAt: new Date().toISOString(),
    });
    try {
      await this.#everything({ ...control, signal });
      this.#set({ ...this.#state, running: false, finishedAt: new Date().toISOString() });
    } catch (fault) {
      this.#set({
        ...this.#state,
        running: false,
        finishedAt: new Date().toISOString(),
        error: isLongboxError(fault) ? fault.message : signal.aborted ? "Stopped." : "The sync failed.",
      });
      throw fault;
    } finally {
      release();
    }
    return this.state();
  }

  /** @throws {Conflict} while a sync is running */
  refuseSecond(): void {
    if (this.#state.running) throw new Conflict("metadata/sync-running", "A sync with the provider is running.");
  }

  async #everything(control: SyncControl & { signal: AbortSignal }): Promise<void> {
    const { libraryTypes } = this.#parts.lookups.source();
    const before = new Date(Date.now() - this.#parts.settings.current.refreshDays * 86_400_000).toISOString();
    const stale = await this.#parts.catalog.listStale({ before, limit: 100_000, libraryTypes });
    const { unmatchedSeries } = await this.#parts.catalog.countMatched(libraryTypes);
    this.#state.total = stale.length + unmatchedSeries;
    for (const series of stale) await this.#step(control, () => this.#refresh(series, control.signal));
    for (let afterId = 0; ;) {
      const unmatched = await this.#parts.catalog.listUnmatched({ afterId, limit: 50, libraryTypes });
      if (unmatched.length === 0) break;
      for (const evidence of unmatched) await this.#step(control, () => this.#match(evidence, control.signal));
      afterId = (unmatched.at(-1) as { seriesId: number }).seriesId;
    }
  }

  async #step(control: SyncControl & { signal: AbortSignal }, work: () => Promise<void>): Promise<void> {
    control.signal.throwIfAborted();
    await work();
    this.#set({ ...this.#state, done: this.#state.done + 1 });
    control.progress?.(this.#state.done, this.#state.total, this.#state.message);
  }

  async #refresh({ seriesId, cvId }: { seriesId: number; cvId: number }, signal: AbortSignal): Promise<void> {
    this.#state.message = `Refreshing volume ${cvId}`;
    try {
      await this.#parts.catalog.refreshSeries(
        seriesId,
        await this.#parts.lookups.getVolume(cvId, { urgency: "background", signal }),
      );
      this.#state.refreshed += 1;
    } catch (fault) {
      // The provider deleted the volume, or a person re-pointed or removed the series meanwhile: the others go on.
      if (!(fault instanceof NotFound) && !(fault instanceof Conflict)) throw fault;
      this.#parts.log.warn("A series could not be refreshed", { seriesId, cvId, reason: fault.code });
    }
  }

  async #match(
    evidence: Awaited<ReturnType<CatalogContract["listUnmatched"]>>[number],
    signal: AbortSignal,
  ): Promise<void> {
    if (await this.#parts.matching.wasSearched(evidence.seriesId)) {
      this.#state.waiting += 1;
      return;
    }
    this.#state.message = `Looking for ${evidence.title}`;
    const { cvId } = await this.#parts.matching.match(evidence, {
      urgency: "background",
      signal,
      viewer: systemViewer,
      alone: this.#parts.settings.current.matchAlone,
    });
    if (cvId === undefined) this.#state.waiting += 1;
    else this.#state.matched += 1;
  }

  #set(state: SyncState): void {
    this.#state = state;
    this.#parts.changed();
  }
}
