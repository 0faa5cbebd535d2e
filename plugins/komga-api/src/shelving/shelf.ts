import type { CollectionContract } from "@longbox/collection/contract";
import type { Releasable, Viewer } from "@longbox/sdk";
import { collectSeries } from "./collecting.js";
import type { ShelvedSeries } from "./shelved-series.js";

/** The series at one time, as viewers with the same rights see them. */
export interface Shelved {
  /** By title. */
  readonly all: readonly ShelvedSeries[];
  readonly byId: ReadonlyMap<number, ShelvedSeries>;
}

interface Kept {
  readonly shelved: Promise<Shelved>;
  isStale: boolean;
  /** Not collected again before then; milliseconds since 1970. */
  restUntil: number;
}

/**
 * A stale collection is used for this many times as long as collecting took, so that large libraries are not read all
 * the time.
 */
const restFactor = 10;

/**
 * All series with what apps filter by. The library has no query for that, so it is read once and kept until it changes:
 * one collection for viewers who see restricted content, one for all others.
 */
export class Shelf {
  readonly #kept = new Map<boolean, Kept>();

  constructor(private readonly library: CollectionContract) {}

  /** Collects again, at the next request, after every change. Released by the caller. */
  follow(): Releasable[] {
    return [
      this.library.onSeriesChanged(() => this.#expire()),
      this.library.onLibrariesChanged(() => this.#expire()),
      this.library.onIssuesOwned(() => this.#expire()),
    ];
  }

  async get(viewer: Viewer): Promise<Shelved> {
    const kept = this.#kept.get(viewer.seesRestricted);
    if (kept && !kept.isStale) return await kept.shelved;
    if (!kept || Date.now() >= kept.restUntil) return await this.#collect(viewer).shelved;
    return viewer.seesRestricted ? await kept.shelved : await this.#stillVisible(await kept.shelved, viewer);
  }

  /** What was restricted since a collection was made is hidden at once. */
  async #stillVisible({ all }: Shelved, viewer: Viewer): Promise<Shelved> {
    const ids = all.map(({ id }) => id);
    const visible = await this.library.countOwned(ids, viewer);
    return shelvedOf(all.filter(({ id }) => visible.has(id)));
  }

  #collect(viewer: Viewer): Kept {
    const startedAt = Date.now();
    const kept: Kept = { shelved: this.#read(viewer), isStale: false, restUntil: Infinity };
    this.#kept.set(viewer.seesRestricted, kept);
    const settle = (factor: number) => (kept.restUntil = Date.now() + factor * (Date.now() - startedAt));
    kept.shelved.then(
      () => settle(restFactor),
      () => {
        // The requests that wait for it get the error; the next one tries again.
        kept.isStale = true;
        settle(0);
      },
    );
    return kept;
  }

  async #read(viewer: Viewer): Promise<Shelved> {
    return shelvedOf(await collectSeries(this.library, viewer));
  }

  #expire(): void {
    for (const kept of this.#kept.values()) kept.isStale = true;
  }
}

const shelvedOf = (all: readonly ShelvedSeries[]): Shelved => ({
  all,
  byId: new Map(all.map((series) => [series.id, series])),
});
