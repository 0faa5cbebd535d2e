import { counted, systemViewer, type Logger, type OptionalCapability } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import type { JobControl, JobsContract, ResumableJob } from "@longbox/operations/contract";
import type { Changes } from "./keeping/changes.js";
import type { ListRecords } from "./keeping/list-records.js";

/** The maximum number of issues per request to the provider. */
const questionSize = 100;
/** How long to wait after a failure, or while there is no provider. */
const restMs = 10 * 60_000;

const kind = "lists.describe";

export interface DescribingParts {
  readonly records: ListRecords;
  readonly library: CollectionContract;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly changes: Changes;
  readonly jobs: JobsContract;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Looks up the titles of issues that lists contain only by id, in the library and at the provider. */
export class Describing {
  readonly #parts: DescribingParts;
  #running: Promise<void> | undefined;
  #again = false;
  #restUntilMs = 0;

  constructor(parts: DescribingParts) {
    this.#parts = parts;
  }

  /** Starts, unless it is running or waiting after a failure. Never rejects: failed lookups are repeated later. */
  wake(): void {
    this.#again = true;
    if (this.#running || Date.now() < this.#restUntilMs) return;
    this.#running = this.#run()
      .catch((fault: unknown) => {
        this.#restUntilMs = Date.now() + restMs;
        if (!this.#parts.signal.aborted) this.#parts.log.info("Issues of lists could not be described", { fault });
      })
      .finally(() => (this.#running = undefined));
  }

  /** Starts without waiting, because a provider has become available. */
  retry(): void {
    this.#restUntilMs = 0;
    this.wake();
  }

  /** What a restart cut off goes on: titles that were found are stored. */
  resumable(): ResumableJob {
    return { kind, resume: (_, control) => this.#work(control) };
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const { records, jobs, signal } = this.#parts;
      if ((await records.undescribed({ after: 0, limit: 1 })).length === 0) return;
      const options = { key: kind, input: {}, signal };
      const { ended } = await jobs.run(kind, "Look up titles for lists", (control) => this.#work(control), options);
      const { state, error } = await ended;
      if (state !== "done") throw new Error(error);
    }
  }

  async #work(control: Pick<JobControl, "signal" | "progress">): Promise<string> {
    let done = 0;
    for (let after = 0; ;) {
      const ids = await this.#parts.records.undescribed({ after, limit: questionSize });
      const last = ids.at(-1);
      if (last === undefined) return `${counted(done, "title", "titles")} looked up`;
      control.signal.throwIfAborted();
      await this.#describe(ids, control.signal);
      this.#parts.changes.announceUnknown();
      done += ids.length;
      control.progress(done);
      after = last;
    }
  }

  /** Issues in the library are described from there; the provider is asked about the others. */
  async #describe(ids: readonly number[], signal: AbortSignal): Promise<void> {
    const { records, library, metadata } = this.#parts;
    const here = await library.findIssuesByClientIds(ids, systemViewer);
    const volumes = await this.#volumesOf(here.map(({ issue }) => issue.seriesId));
    for (const { cvIssueId, issue } of here) {
      await records.describe(cvIssueId, {
        volume_id: volumes.get(issue.seriesId) ?? null,
        series: issue.seriesTitle,
        number: issue.number,
        title: issue.title ?? null,
        cover_date: issue.coverDate ?? null,
        described: 1,
      });
    }
    const present = new Set(here.map(({ cvIssueId }) => cvIssueId));
    const elsewhere = ids.filter((id) => !present.has(id));
    if (elsewhere.length === 0) return;
    if (!metadata.available()) return void (this.#restUntilMs = Date.now() + restMs);
    const told = new Map(
      (await metadata.use.listIssues(elsewhere, { urgency: "background", signal })).map((issue) => [
        issue.cvIssueId,
        issue,
      ]),
    );
    for (const id of elsewhere) {
      const issue = told.get(id);
      const said = issue && {
        volume_id: issue.volumeId || null,
        series: issue.volumeName || null,
        number: issue.number,
        title: issue.title ?? null,
        cover_date: issue.coverDate ?? null,
      };
      await records.describe(id, { ...said, described: issue ? 1 : 2 });
    }
  }

  async #volumesOf(seriesIds: readonly number[]): Promise<ReadonlyMap<number, number | undefined>> {
    const volumes = new Map<number, number | undefined>();
    for (const id of new Set(seriesIds))
      volumes.set(id, (await this.#parts.library.findSeries(id, systemViewer))?.cvId);
    return volumes;
  }
}
