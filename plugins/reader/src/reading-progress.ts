import type { CollectionContract } from "@longbox/collection/contract";
import { systemViewer, type Releasable, type Viewer } from "@longbox/sdk";
import type { IssueProgress, ReadingProgressContract } from "./contract.js";
import type { LaterRecords } from "./later-records.js";
import type { ProgressRecords } from "./progress-records.js";
import type { ReadingChange } from "./reading.js";
import { isoTime } from "./shelf-items.js";
import { visibleIssues } from "./visible-issues.js";

interface ChangeTopic {
  publish(change: ReadingChange): void;
  subscribe(listener: (change: ReadingChange) => void): Releasable;
}

interface Range {
  readonly limit: number;
  readonly offset: number;
}

/** The contract that other plugins read and advance progress through. */
export class ReadingProgressProvider implements ReadingProgressContract {
  readonly #library: CollectionContract;
  readonly #progress: ProgressRecords;
  readonly #later: LaterRecords;
  readonly #changes: ChangeTopic;

  constructor(library: CollectionContract, records: { progress: ProgressRecords; later: LaterRecords }, changes: ChangeTopic) {
    this.#library = library;
    this.#progress = records.progress;
    this.#later = records.later;
    this.#changes = changes;
  }

  async findProgress(userId: number, issueIds: readonly number[]): Promise<readonly IssueProgress[]> {
    const records = await this.#progress.find(userId, issueIds);
    return records.map(({ issueId, page, pages, completed, readAt }) => ({ issueId, page, pages, completed, readAt: isoTime(readAt) }));
  }

  async advance(userId: number, issueId: number, page: number, pages: number, readAt?: string): Promise<void> {
    const kept = await this.#progress.findOne({ userId, issueId });
    if (kept && (kept.completed || kept.page >= page)) return;
    const [issue] = await this.#library.findIssues([issueId], systemViewer);
    if (!issue) return;
    await this.#progress.report({ userId, issueId }, issue.seriesId, { page, pages, completed: page >= pages - 1, readAt: Math.min(Date.now(), readAt === undefined ? Infinity : Date.parse(readAt)), restart: false });
    this.#changes.publish({ userId, issueId });
  }

  async listContinue(viewer: Viewer, range: Range): Promise<{ readonly issueIds: readonly number[]; readonly total: number }> {
    return this.#visible(await this.#progress.listBegun(viewer.user.id), viewer, range);
  }

  async listLater(viewer: Viewer, range: Range): Promise<{ readonly issueIds: readonly number[]; readonly total: number }> {
    return this.#visible(await this.#later.list(viewer.user.id), viewer, range);
  }

  onProgress(listener: (change: ReadingChange) => void): Releasable {
    return this.#changes.subscribe(listener);
  }

  async #visible(records: ReadonlyArray<{ readonly issueId: number }>, viewer: Viewer, { limit, offset }: Range): Promise<{ issueIds: number[]; total: number }> {
    const issueIds: number[] = [];
    for await (const { issue } of visibleIssues(this.#library, records, viewer)) issueIds.push(issue.id);
    return { issueIds: issueIds.slice(offset, offset + limit), total: issueIds.length };
  }
}
