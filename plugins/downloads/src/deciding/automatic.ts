import { inBatches, systemViewer } from "@longbox/sdk";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { namesOf } from "../keeping/named-rows.js";
import type { TriedRecords, Tried } from "../keeping/tried-records.js";
import type { ItemRecords } from "../queue/item-records.js";
import type { DownloadSettings } from "../settings.js";
import type { Places } from "./places.js";
import { wanted } from "./wanted-issues.js";

export interface AutomaticParts {
  readonly library: CollectionContract;
  readonly items: ItemRecords;
  readonly tried: TriedRecords;
  readonly places: Places;
  readonly settings: () => DownloadSettings;
  readonly queued: () => void;
}

const dayMs = 86_400_000;
/** After each search without a result the next one waits longer, up to this. */
const longestDays = 30;
const scannedAtMost = 20_000;

/** Searches for wanted issues by the clock, so many within a day. */
export class Automatic {
  constructor(private readonly parts: AutomaticParts) {}

  /** @returns how many issues were queued */
  async run(): Promise<number> {
    const left = await leftToday(this.parts);
    if (left <= 0 || this.parts.places.enabled().length === 0) return 0;
    const due = await this.#due(left);
    const added = await this.parts.items.add(
      due.map((issue) => ({ names: namesOf(issue), kind: "issue", userId: -1, replaces: false })),
    );
    await this.parts.tried.tried(added.flatMap(({ issue_id }) => (issue_id === null ? [] : [issue_id])));
    if (added.length > 0) this.parts.queued();
    return added.length;
  }

  /** Those that were searched for least, the longest ago, first. */
  async #due(most: number): Promise<Issue[]> {
    const today = new Date().toISOString().slice(0, 10);
    const released: Issue[] = [];
    for await (const { issue, storeDate } of wanted(this.parts.library, { followed: false }, systemViewer)) {
      if ((storeDate ?? issue.coverDate ?? "") <= today) released.push(issue);
      if (released.length >= scannedAtMost) break;
    }
    const due: Array<{ readonly issue: Issue; readonly tries: number }> = [];
    for (const some of inBatches(released)) {
      const ids = some.map(({ id }) => id);
      const [tried, items] = [await this.parts.tried.among(ids), await this.parts.items.latestOf(ids)];
      const busy = new Set(
        items.flatMap(({ open, state, issue_id }) => (open === 1 || state === "failed" ? [issue_id] : [])),
      );
      for (const issue of some)
        if (!busy.has(issue.id) && isDue(tried.get(issue.id)))
          due.push({ issue, tries: tried.get(issue.id)?.tries ?? 0 });
    }
    return due
      .toSorted((one, other) => one.tries - other.tries)
      .slice(0, most)
      .map(({ issue }) => issue);
  }
}

/** How many issues may still be queued without a person within a day; none while that is switched off. */
export async function leftToday({ settings, tried }: Pick<AutomaticParts, "settings" | "tried">): Promise<number> {
  const { automatic, perDay } = settings();
  return automatic ? Math.max(0, perDay - (await tried.countSince(Date.now() - dayMs))) : 0;
}

function isDue(tried: Tried | undefined): boolean {
  if (!tried) return true;
  if (tried.removed) return false;
  return Date.now() - tried.lastAt > Math.min(longestDays, 2 ** Math.max(0, tried.tries - 1)) * dayMs * 0.9;
}
