import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { HistoryEntry, ReadingContract } from "@longbox/reading/contract";
import { inBatches, type Viewer } from "@longbox/sdk";
import { Turns } from "../turns.js";

const quarterMs = 15 * 60_000;
const atOnce = 1000;
/** Users whose history is held in memory. */
const mostHeld = 200;

export interface History {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** The works of the entries, without those that are gone. */
  readonly works: ReadonlyMap<number, Issue>;
}

/**
 * The reading histories of users, as far as each may see them. After a report only the part since then is read again.
 */
export class Histories {
  readonly #held = new Map<string, History>();
  /** From which time on a history in memory is outdated. */
  readonly #outdated = new Map<string, number>();
  readonly #turns = new Turns();
  /** Works that were merged into others, whose history may not have followed yet. */
  readonly #merged = new Set<number>();
  /** How often everything was forgotten: what was read before is not held. */
  #forgotten = 0;

  constructor(
    private readonly library: CollectionContract,
    private readonly reading: ReadingContract,
  ) {}

  of(viewer: Viewer): Promise<History> {
    const key = keyOf(viewer.user.id, viewer.seesRestricted);
    return this.#turns.take(key, () => this.#refresh(key, viewer));
  }

  /** A report added something. @param at - When it was read, in milliseconds since 1970 */
  changed(userId: number, at: number): void {
    const quarter = Math.floor(at / quarterMs) * quarterMs;
    for (const key of [keyOf(userId, true), keyOf(userId, false)]) {
      const before = this.#outdated.get(key);
      this.#outdated.set(key, Math.min(quarter, before ?? quarter));
    }
  }

  /** Works were merged. The history follows a little later: `touched` says when. */
  merged(from: number): void {
    this.#merged.add(from);
    this.forget();
  }

  /** Something changed in what a user read of these works. */
  touched(issueIds: readonly number[]): void {
    for (const id of issueIds) if (this.#merged.delete(id)) this.forget();
  }

  /** Something else changed, such as what a user may see. */
  forget(): void {
    this.#held.clear();
    this.#forgotten += 1;
  }

  async #refresh(key: string, viewer: Viewer): Promise<History> {
    const held = this.#held.get(key);
    const since = this.#outdated.get(key);
    if (held && since === undefined) return held;
    this.#outdated.delete(key);
    const forgotten = this.#forgotten;
    const read = await this.#read(viewer, held, since);
    if (forgotten === this.#forgotten) this.#hold(key, read);
    return read;
  }

  async #read(viewer: Viewer, held: History | undefined, since: number | undefined): Promise<History> {
    const from = held === undefined || since === undefined ? undefined : new Date(since).toISOString();
    const kept = from === undefined ? [] : (held?.entries ?? []).filter(({ quarter }) => quarter < from);
    const added = await this.#entries(viewer, from);
    const works = new Map(from === undefined ? [] : held?.works);
    const unknown = [...new Set(added.map(({ issueId }) => issueId))].filter((id) => !works.has(id));
    for (const ids of inBatches(unknown))
      for (const issue of await this.library.findIssues(ids, viewer)) works.set(issue.id, issue);
    return { entries: [...kept, ...added], works };
  }

  async #entries(viewer: Viewer, since: string | undefined): Promise<HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    for (let after: string | undefined; ;) {
      const part = await this.reading.history(viewer, { limit: atOnce, after, since });
      entries.push(...part.items);
      if (part.next === undefined) return entries;
      after = part.next;
    }
  }

  #hold(key: string, held: History): void {
    this.#held.delete(key);
    this.#held.set(key, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest);
  }
}

function keyOf(userId: number, seesRestricted: boolean): string {
  return `${userId} ${seesRestricted ? "all" : "open"}`;
}
