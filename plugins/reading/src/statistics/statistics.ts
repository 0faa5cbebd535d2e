import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { ActivityQuery, DayActivity, ReadingStatistics } from "../contract.js";
import { quarterMs } from "../keeping/history-records.js";
import { hiddenWorks, visibleWorks } from "../visible-works.js";
import type { ActivityRecords, Narrowing } from "./activity-records.js";
import { added, dayNamer, lastDays, streaks, sumByDay, type Amount } from "./days.js";

const topSeries = 10;
const dayMs = 86_400_000;
/** Longer than any day: 24 hours, one more when clocks are set back, and one for what is not a whole hour. */
const longestDayMs = 26 * 3_600_000;

/** The reading statistics of a user by days of the user's time zone, without hidden works. */
export class Statistics {
  readonly #library: CollectionContract;
  readonly #records: ActivityRecords;

  constructor(library: CollectionContract, records: ActivityRecords) {
    this.#library = library;
    this.#records = records;
  }

  async activity(viewer: Viewer, { timeZone, days, types }: ActivityQuery): Promise<DayActivity[]> {
    const now = Date.now();
    const dayOf = dayNamer(timeZone);
    const narrowing = { types, hidden: await this.#hidden(viewer) };
    const since = Math.floor((now - (days - 1) * dayMs - longestDayMs) / quarterMs) * quarterMs;
    const amounts = await this.#records.byQuarter(viewer.user.id, narrowing, since);
    return lastDays(sumByDay(amounts, dayOf), dayOf(now), days);
  }

  async read(viewer: Viewer, query: ActivityQuery): Promise<ReadingStatistics> {
    const userId = viewer.user.id;
    const dayOf = dayNamer(query.timeZone);
    const narrowing = { types: query.types, hidden: await this.#hidden(viewer) };
    const [amounts, counts, series] = await Promise.all([
      this.#records.byQuarter(userId, narrowing),
      this.#records.countWorks(userId, narrowing),
      this.#bySeries(viewer, narrowing),
    ]);
    const days = sumByDay(amounts, dayOf);
    const today = dayOf(Date.now());
    return {
      ...counts,
      pages: amounts.reduce((sum, { pages }) => sum + pages, 0),
      seconds: amounts.reduce((sum, { seconds }) => sum + seconds, 0),
      streak: streaks(days, today),
      days: lastDays(days, today, query.days),
      series,
    };
  }

  async #bySeries(viewer: Viewer, narrowing: Narrowing): Promise<ReadingStatistics["series"]> {
    const amounts = await this.#records.byWork(viewer.user.id, narrowing);
    const works = await visibleWorks(
      this.#library,
      amounts.map(({ issueId }) => issueId),
      viewer,
    );
    const sums = new Map<number, Amount & { seriesId: number; title: string }>();
    for (const { issueId, ...amount } of amounts) {
      const work = works.get(issueId);
      if (!work) continue;
      const { seriesId, seriesTitle: title } = work;
      sums.set(seriesId, { seriesId, title, ...added(sums.get(seriesId), amount) });
    }
    return [...sums.values()]
      .sort((one, other) => other.pages + other.seconds - one.pages - one.seconds || compareTitles(one, other))
      .slice(0, topSeries);
  }

  async #hidden(viewer: Viewer): Promise<ReadonlySet<number>> {
    if (viewer.seesRestricted) return new Set();
    return hiddenWorks(this.#library, await this.#records.listWorks(viewer.user.id), viewer);
  }
}

function compareTitles(one: { title: string }, other: { title: string }): number {
  return one.title.localeCompare(other.title);
}
