import type { PluginContext, Topic } from "@longbox/sdk";

/** Announces changes once they are on disk: to clients, other plugins, and what is kept in memory. */
export class Changes {
  readonly #context: Pick<PluginContext, "changed">;
  readonly series: Topic<readonly number[]>;
  /** Issues that were not owned before. */
  readonly owned: Topic<readonly number[]>;
  /** Issues that got ids of others after they were owned. */
  readonly identified: Topic<readonly number[]>;
  readonly works: Topic<readonly number[]>;
  readonly libraries: Topic<readonly number[]>;
  readonly merges: Topic<{ readonly from: number; readonly to: number }>;
  #generation = 0;

  constructor(context: Pick<PluginContext, "changed" | "topic">) {
    this.#context = context;
    this.series = context.topic("series-changed");
    this.owned = context.topic("issues-owned");
    this.identified = context.topic("issues-identified");
    this.works = context.topic("works-changed");
    this.libraries = context.topic("libraries-changed");
    this.merges = context.topic("issues-merged");
  }

  /** Grows with every change: what was computed under another generation is out of date. */
  get generation(): number {
    return this.#generation;
  }

  announceSeries(seriesIds: Iterable<number>): void {
    const ids = [...new Set(seriesIds)];
    if (ids.length === 0) return;
    this.#generation += 1;
    this.#context.changed("collection");
    this.series.publish(ids);
  }

  /** Everything was recounted: no series became another, but numbers may differ. */
  announceRecount(): void {
    this.#generation += 1;
    this.#context.changed("collection");
  }

  announceOwned(issueIds: readonly number[]): void {
    if (issueIds.length > 0) this.owned.publish(issueIds);
  }

  announceIdentified(issueIds: readonly number[]): void {
    this.identified.publish(issueIds);
  }

  announceLibraries(libraryIds: readonly number[]): void {
    this.#generation += 1;
    this.#context.changed("libraries");
    this.libraries.publish(libraryIds);
  }

  announceMerges(merges: ReadonlyArray<{ readonly from: number; readonly to: number }>): void {
    for (const merge of merges) this.merges.publish(merge);
  }
}
