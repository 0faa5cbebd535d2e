import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { BookmarkRecords } from "./bookmark-records.js";
import type { LaterRecords } from "./later-records.js";
import type { ProgressRecord, ProgressRecords } from "./progress-records.js";
import type { ProgressReport } from "./progress-report.js";
import { WrongField } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

/** Marks are looked up a few at a time. */
const lookedUpAtOnce = 25;

export interface ReadingChange {
  readonly userId: number;
  readonly issueId: number;
}

interface Records {
  readonly progress: ProgressRecords;
  readonly bookmarks: BookmarkRecords;
  readonly later: LaterRecords;
}

/** What users do to issues: read, mark, put aside. */
export class Reading {
  readonly #library: CollectionContract;
  readonly #records: Records;
  readonly #tell: (change: ReadingChange) => void;

  constructor(library: CollectionContract, records: Records, tell: (change: ReadingChange) => void) {
    this.#library = library;
    this.#records = records;
    this.#tell = tell;
  }

  /** How far the viewer is. @throws {IssueNotFound} */
  async state(viewer: Viewer, cvIssueId: number): Promise<{ readable: boolean; progress: ProgressRecord | undefined; later: boolean }> {
    const issue = await getIssue(this.#library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    const [progress, later] = await Promise.all([this.#records.progress.findOne(key), this.#records.later.has(key)]);
    return { readable: issue.owned && issue.pages > 0, progress, later };
  }

  /** Records how far the viewer is. @throws {IssueNotFound} */
  async report(viewer: Viewer, cvIssueId: number, report: ProgressReport): Promise<ProgressRecord> {
    const issue = await getIssue(this.#library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    const progress = await this.#records.progress.report(key, issue.seriesId, report);
    if (progress.completed) await this.#records.later.remove(key);
    this.#tell(key);
    return progress;
  }

  /** Marks issues as read or unread, all of them or, where one is not there, none. @throws {IssueNotFound} */
  async mark(viewer: Viewer, cvIssueIds: readonly number[], mark: { read: boolean; at: number }): Promise<readonly Issue[]> {
    const issues = await this.#getAll(viewer, [...new Set(cvIssueIds)]);
    const userId = viewer.user.id;
    await this.#records.progress.mark(userId, issues.map(({ id, seriesId, pages }) => ({ issueId: id, seriesId, pages })), mark);
    for (const { id } of issues) this.#tell({ userId, issueId: id });
    return issues;
  }

  /** Sets or clears a bookmark; answers the issue's bookmarks. @throws {IssueNotFound} @throws {WrongField} when there is no such page */
  async bookmark(viewer: Viewer, cvIssueId: number, bookmark: { page: number; on: boolean; at: number }): Promise<number[]> {
    const issue = await getIssue(this.#library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    // One that a longer file had can still be cleared.
    if (bookmark.on && issue.pages > 0 && bookmark.page >= issue.pages) throw new WrongField("page", `must be less than the ${issue.pages} pages`);
    if (bookmark.on) await this.#records.bookmarks.set(key, bookmark.page, bookmark.at);
    else await this.#records.bookmarks.clear(key, bookmark.page);
    this.#tell(key);
    return this.#records.bookmarks.list(key);
  }

  /** Puts an issue aside to read later, or takes it back. @throws {IssueNotFound} */
  async setLater(viewer: Viewer, cvIssueId: number, later: { on: boolean; at: number }): Promise<void> {
    const issue = await getIssue(this.#library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    if (later.on) await this.#records.later.add(key, later.at);
    else await this.#records.later.remove(key);
    this.#tell(key);
  }

  async #getAll(viewer: Viewer, cvIssueIds: readonly number[]): Promise<Issue[]> {
    const issues: Issue[] = [];
    for (let start = 0; start < cvIssueIds.length; start += lookedUpAtOnce) {
      const part = cvIssueIds.slice(start, start + lookedUpAtOnce);
      issues.push(...(await Promise.all(part.map((cvIssueId) => getIssue(this.#library, cvIssueId, viewer)))));
    }
    return issues;
  }
}
