import type { Viewer } from "@longbox/sdk";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import { readRelease, releaseKey } from "../deciding/release-shape.js";
import { AlreadyQueued, IssueNotFound, ItemNotFound, NotNow, ResultNotFound, SeriesNotFound } from "../errors.js";
import { namesOf, namesOfPack } from "../keeping/named-rows.js";
import type { ResultRecords, StoredResult } from "../keeping/result-records.js";
import type { TriedRecords } from "../keeping/tried-records.js";
import { withoutRelease, type Item, type ItemRecords, type NewItem } from "./item-records.js";
import type { Leaving } from "./leaving.js";
import type { Running } from "./running.js";

export interface QueueingParts {
  readonly items: ItemRecords;
  readonly library: CollectionContract;
  readonly results: ResultRecords;
  readonly tried: TriedRecords;
  readonly leaving: Leaving;
  readonly running: () => Running;
  readonly changed: () => void;
  /** Something was left with a client. */
  readonly watch: () => void;
}

/** What persons do with the queue. */
export class Queueing {
  constructor(private readonly parts: QueueingParts) {}

  /**
   * Missing issues, or with `replaces` owned ones. Those that are queued already are left.
   * @returns how many are new
   */
  async queue(
    issueIds: readonly number[],
    viewer: Viewer,
    { replaces = false }: { readonly replaces?: boolean } = {},
  ): Promise<number> {
    const issues = await this.parts.library.findIssues([...new Set(issueIds)], viewer);
    const fitting = issues.filter(({ owned }) => owned === replaces);
    const added = await this.#add(
      fitting.map((issue) => ({ names: namesOf(issue), kind: "issue", userId: viewer.user.id, replaces })),
    );
    return added.length;
  }

  /** How many of these missing issues `queue` would add. */
  async countNew(issueIds: readonly number[], viewer: Viewer): Promise<number> {
    const issues = await this.parts.library.findIssues([...new Set(issueIds)], viewer);
    const latest = await this.parts.items.latestOf(issues.map(({ id }) => id));
    const open = new Set(latest.flatMap((item) => (item.open === 1 ? [item.issue_id] : [])));
    return issues.filter(({ owned, id }) => !owned && !open.has(id)).length;
  }

  /** A result that a person took, whatever speaks against it. */
  async grab(
    resultId: string,
    target: { readonly seriesId: number; readonly cvIssueId?: number | undefined },
    viewer: Viewer,
  ): Promise<Item> {
    const result = await this.parts.results.find(resultId, viewer.user.id);
    if (!result || result.series_id !== target.seriesId) throw new ResultNotFound();
    const item =
      result.is_pack === 1 ? await this.#packOf(result, viewer) : await this.#issueOf(result, target.cvIssueId, viewer);
    const key = item.taken!.release_key!;
    if ((await this.parts.items.takenReleases([key])).size > 0) throw new AlreadyQueued("release");
    const [added] = await this.#add([item]);
    if (!added) throw new AlreadyQueued(item.kind === "issue" ? "issue" : "release");
    return added;
  }

  /** @throws {NotFound} `downloads/item-not-found`, also where the viewer may not know of its series */
  async get(id: number, viewer: Viewer): Promise<Item> {
    const item = await this.parts.items.find(id);
    if (!item || (item.restricted === 1 && !viewer.seesRestricted)) throw new ItemNotFound(id);
    return item;
  }

  /** @throws {NotFound} `downloads/item-not-found`, also for an item that is no pack */
  async getPack(id: number, viewer: Viewer): Promise<Item> {
    const item = await this.get(id, viewer);
    if (item.kind !== "pack") throw new ItemNotFound(id);
    return item;
  }

  /** Searches again from the beginning; a pack, and a release that a person took, is tried once more. */
  async retry(id: number, viewer: Viewer): Promise<Item> {
    const item = await this.get(id, viewer);
    if (item.state === "queued") {
      await this.parts.items.change(id, { next_at: Date.now(), held: 0 });
      return this.#moved(item);
    }
    const keeps = item.kind === "pack" || item.attempts === 0;
    const fresh = keeps
      ? {
          client_id: null,
          grab_key: null,
          client_download: null,
          missing_since: null,
          path: null,
          validator: null,
          delays: 0,
        }
      : withoutRelease;
    const set = { ...fresh, attempts: 0, next_at: Date.now(), error: null, phase: null, held: 0 as const };
    const again = await this.parts.items.advance(id, "retry", set).catch(() => {
      throw new AlreadyQueued("issue");
    });
    if (!again) throw new NotNow(item.state, "tried again");
    if (item.issue_id !== null) await this.parts.tried.allowAgain([item.issue_id]);
    return this.#moved(again);
  }

  /** Takes it out of the queue. The schedule does not search for it again by itself. */
  async cancel(id: number, viewer: Viewer): Promise<Item> {
    const item = await this.get(id, viewer);
    const gone = await this.parts.leaving.behindAfter(item, { event: "cancel", set: { error: null, phase: null } });
    if (!gone) throw new NotNow(item.state, "cancelled");
    await this.parts.running().stop(id);
    // The attempt may have changed after the item was read: what it is now is what stays behind.
    const present = (await this.parts.items.find(id)) ?? gone;
    await this.parts.leaving.behind(present);
    if (item.issue_id !== null) await this.parts.tried.remove(item.issue_id);
    return this.#moved(present);
  }

  async prefer(
    id: number,
    change: { readonly priority?: number; readonly held?: boolean },
    viewer: Viewer,
  ): Promise<Item> {
    const item = await this.get(id, viewer);
    await this.parts.items.change(item.id, {
      ...(change.priority !== undefined && { priority: change.priority }),
      ...(change.held !== undefined && { held: change.held ? 1 : 0 }),
    });
    return this.#moved(await this.get(id, viewer));
  }

  async order(ids: readonly number[], viewer: Viewer): Promise<void> {
    for (const id of ids) await this.get(id, viewer);
    await this.parts.items.order(ids);
    this.#tell();
  }

  async #add(items: readonly NewItem[]): Promise<Item[]> {
    const added = await this.parts.items.add(items);
    await this.parts.tried.allowAgain(added.flatMap(({ issue_id }) => (issue_id === null ? [] : [issue_id])));
    if (added.length > 0) this.#tell();
    return added;
  }

  async #packOf(result: StoredResult, viewer: Viewer): Promise<NewItem> {
    const series = await this.parts.library.findSeries(result.series_id, viewer);
    if (!series) throw new SeriesNotFound(result.series_id);
    return {
      names: namesOfPack(series),
      kind: "pack",
      userId: viewer.user.id,
      replaces: false,
      taken: takenOf(result),
    };
  }

  async #issueOf(result: StoredResult, cvIssueId: number | undefined, viewer: Viewer): Promise<NewItem> {
    const issue = await this.#findIssue(result, cvIssueId, viewer);
    return {
      names: namesOf(issue),
      kind: "issue",
      userId: viewer.user.id,
      replaces: issue.owned,
      taken: takenOf(result),
    };
  }

  async #findIssue(result: StoredResult, cvIssueId: number | undefined, viewer: Viewer): Promise<Issue> {
    const issue =
      cvIssueId !== undefined
        ? await this.parts.library.findIssue(cvIssueId, viewer)
        : (await this.parts.library.findIssues(result.issue_id === null ? [] : [result.issue_id], viewer))[0];
    if (!issue || issue.seriesId !== result.series_id) throw new IssueNotFound(cvIssueId ?? 0);
    return issue;
  }

  #moved(item: Item): Item {
    this.#tell();
    return item;
  }

  #tell(): void {
    this.parts.changed();
    this.parts.watch();
    this.parts.running().wake();
  }
}

function takenOf({ source_id, source_name, release }: StoredResult): NonNullable<NewItem["taken"]> {
  const read = readRelease(release);
  return { source_id, source_name, release, release_title: read.title, release_key: releaseKey(source_id, read) };
}

/** Issues of the library that are missing, for requests that name them by the ids of clients. */
export async function idsOf(
  library: CollectionContract,
  cvIssueIds: readonly number[],
  viewer: Viewer,
): Promise<number[]> {
  const found = await library.findIssuesByClientIds(cvIssueIds, viewer);
  const known = new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue.id]));
  return cvIssueIds.map((id) => {
    const issueId = known.get(id);
    if (issueId === undefined) throw new IssueNotFound(id);
    return issueId;
  });
}
