import type { JobControl } from "@longbox/operations/contract";
import type { AskOptions, MetadataContract } from "@longbox/metadata/contract";
import { isLongboxError } from "@longbox/sdk";
import { z } from "zod";
import type { ReleaseRecords } from "../keeping/release-records.js";
import { rangeOfWeek } from "../weeks.js";
import { askPatiently } from "./patience.js";

/** What is left of a crawl: enough to go on after a restart. */
export const crawlSchema = z.object({
  weeks: z.array(z.string()),
  /** Milliseconds since 1970. Answers that were given since are not asked for again. */
  since: z.number(),
  /**
   * A person waits for it. A server whose owner never wanted a provider has no key, and every night that is no failure.
   */
  byHand: z.boolean(),
});
export type CrawlPlan = z.output<typeof crawlSchema>;

export interface CrawlParts {
  readonly metadata: Pick<MetadataContract, "listReleases" | "listVolumes">;
  readonly records: ReleaseRecords;
  readonly changed: () => void;
  /** Once every week was asked for. */
  readonly done: () => Promise<void>;
}

/** A volume whose publisher the provider did not know is asked for again after this time. */
const publisherMs = 30 * 24 * 60 * 60_000;

/** Asks the provider for weeks, one after the other, and keeps what it lists. */
export class Crawl {
  constructor(private readonly parts: CrawlParts) {}

  /** @returns what was done, in a sentence @throws what the provider failed with */
  async run(plan: CrawlPlan, control: JobControl): Promise<string> {
    try {
      return await this.#ask(plan, control);
    } catch (fault) {
      if (plan.byHand || !isLongboxError(fault) || fault.code !== "metadata/key-refused") throw fault;
      return `Nothing was asked: ${fault.message}`;
    }
  }

  async #ask(plan: CrawlPlan, control: JobControl): Promise<string> {
    let found = 0;
    for (const [index, week] of plan.weeks.entries()) {
      control.progress(index, plan.weeks.length, `Week ${week}`);
      found += await this.#week(week, plan.since, {
        signal: control.signal,
        waiting: (until, reason) =>
          control.progress(index, plan.weeks.length, `${reason} Going on at ${new Date(until).toISOString()}.`),
      });
      await control.checkpoint({ ...plan, weeks: plan.weeks.slice(index + 1) });
    }
    control.progress(plan.weeks.length, plan.weeks.length);
    await this.parts.done();
    return `${found} releases in ${plan.weeks.length} ${plan.weeks.length === 1 ? "week" : "weeks"}`;
  }

  async #week(week: string, since: number, patience: Parameters<typeof askPatiently>[1]): Promise<number> {
    const range = rangeOfWeek(week);
    if (!range) return 0;
    const { metadata, records, changed } = this.parts;
    const options: AskOptions = { urgency: "background", since, signal: patience.signal };
    const listed = await askPatiently(() => metadata.listReleases(range, options), patience);
    const volumeIds = await records.volumesToAsk(
      listed.map(({ volumeId }) => volumeId),
      Date.now() - publisherMs,
    );
    if (volumeIds.length > 0) {
      const volumes = await askPatiently(() => metadata.listVolumes(volumeIds, options), patience);
      await records.putVolumes(volumeIds, volumes);
    }
    if (await records.putWeek(week, range, listed)) changed();
    return listed.length;
  }
}
