import type { JobsContract, ResumableJob, Schedule } from "@longbox/operations/contract";
import { isLongboxError } from "@longbox/sdk";
import { z } from "zod";
import type { ReleaseRecords } from "../keeping/release-records.js";
import type { ReleaseSettings } from "../settings.js";
import { addWeeks, dayOf, rangeOfWeek, weekOf } from "../weeks.js";
import { crawlSchema, type Crawl } from "./crawl.js";
import { isDue, weeksInWindow } from "./due-weeks.js";

const kind = "releases.check";

export interface CheckingParts {
  readonly crawl: Crawl;
  readonly records: ReleaseRecords;
  readonly jobs: JobsContract;
  readonly settings: () => ReleaseSettings;
  readonly signal: AbortSignal;
}

export interface Started {
  /** False where a check was under way already. */
  readonly started: boolean;
  readonly jobId: number;
}

/** Starts crawls: by the clock for what is due, by hand for what is asked for. */
export class Checking {
  constructor(private readonly parts: CheckingParts) {}

  /** Asks for everything that is due, and in any case for this week and the next; or for one week. */
  async check(week?: string): Promise<Started> {
    if (week !== undefined) return await this.#start([week], true);
    const here = weekOf(dayOf(Date.now()));
    return await this.#start([...new Set([here, addWeeks(here, 1), ...(await this.#due())])], true);
  }

  schedule(): Schedule {
    return {
      key: kind,
      title: "Releases",
      description: "Asks the provider what comes out, and tells users what is theirs",
      cron: "10 5 * * *",
      enabled: true,
      run: async () => {
        const week = addWeeks(weekOf(dayOf(Date.now())), -this.parts.settings().keepWeeks);
        const gone = await this.parts.records.forgetBefore(rangeOfWeek(week)!.from, week);
        const weeks = await this.#due();
        const { started } = await this.#start(weeks, false);
        const said = started ? `${weeks.length} weeks are asked for` : "A check was under way already";
        return gone === 0 ? said : `${said}, ${gone} old releases forgotten`;
      },
    };
  }

  /** A crawl that a restart cut off goes on with the week that it was at. */
  resuming(): ResumableJob {
    return {
      kind,
      resume: ({ input, checkpoint }, control) => this.parts.crawl.run(crawlSchema.parse(checkpoint ?? input), control),
    };
  }

  async #due(): Promise<string[]> {
    const { weeksBack: back, weeksAhead: ahead } = this.parts.settings();
    const now = Date.now();
    const weeks = weeksInWindow({ today: dayOf(now), back, ahead });
    const askedAt = await this.parts.records.askedAt(weeks);
    return weeks.filter((week) => isDue(week, askedAt.get(week), now));
  }

  async #start(weeks: readonly string[], byHand: boolean): Promise<Started> {
    const { jobs, crawl, signal } = this.parts;
    const plan = { weeks: [...weeks], since: Date.now(), byHand };
    try {
      const options = { key: kind, input: plan, signal };
      const { id } = await jobs.run(kind, "Check releases", (control) => crawl.run(plan, control), options);
      return { started: true, jobId: id };
    } catch (fault) {
      if (!isLongboxError(fault) || fault.code !== "operations/job-running") throw fault;
      return { started: false, jobId: z.object({ jobId: z.number() }).parse(fault.details).jobId };
    }
  }
}
