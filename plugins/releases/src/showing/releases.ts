import { numberLabel } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { foldText } from "@longbox/sdk";
import { NoSuchRelease } from "../errors.js";
import type { ReleaseRecords } from "../keeping/release-records.js";
import { weeksOf, type Range } from "../weeks.js";
import type { MatchedRelease, Matching } from "./matching.js";

/** Which releases are shown: all, or those that have to do with the viewer or the library. */
export const shown = ["all", "mine", "tracked", "wanted", "owned", "first"] as const;
export type Shown = (typeof shown)[number];

export interface ReleaseQuery {
  readonly range: Range;
  readonly show: Shown;
  readonly publisher?: string | undefined;
  /** Words of the series or the title. */
  readonly q?: string | undefined;
}

export interface ReleaseList {
  /** When the range was asked for last, wholly; milliseconds since 1970. */
  readonly checkedAt: number | undefined;
  readonly releases: readonly MatchedRelease[];
}

/** The releases of a range of days, as a viewer sees them. */
export class Releases {
  constructor(
    private readonly records: ReleaseRecords,
    private readonly matching: Matching,
  ) {}

  async list({ range, show, publisher, q }: ReleaseQuery, viewer: Viewer): Promise<ReleaseList> {
    const key = publisher === undefined ? undefined : foldText(publisher);
    const words = foldText(q ?? "")
      .split(/\s+/)
      .filter(Boolean);
    const records = (await this.records.list(range)).filter(
      ({ publisher_key, volume_name, title }) =>
        (key === undefined || publisher_key === key) && hasWords(`${volume_name} ${title ?? ""}`, words),
    );
    const matched = await this.matching.match(records, viewer);
    return { checkedAt: await this.#checkedAt(range), releases: matched.filter((release) => isShown(release, show)) };
  }

  /** @throws {NotFound} `releases/release-not-found`, also for one that the viewer may not know of */
  async get(cvIssueId: number, viewer: Viewer): Promise<MatchedRelease> {
    const record = await this.records.find(cvIssueId);
    const [matched] = record ? await this.matching.match([record], viewer) : [];
    if (!matched) throw new NoSuchRelease(cvIssueId);
    return matched;
  }

  async #checkedAt(range: Range): Promise<number | undefined> {
    const weeks = weeksOf(range);
    const askedAt = await this.records.askedAt(weeks);
    return askedAt.size < weeks.length ? undefined : Math.min(...askedAt.values());
  }
}

function hasWords(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const folded = foldText(text);
  return words.every((word) => folded.includes(word));
}

function isShown(release: MatchedRelease, show: Shown): boolean {
  return show === "all" || release[show];
}

/** How a release is named: `Moth Patrol #5`. */
export function nameOf({ release, issue }: MatchedRelease): string {
  return issue?.label.full ?? [release.volume_name, numberLabel(release.number)].filter(Boolean).join(" ");
}
