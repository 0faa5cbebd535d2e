import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { BookmarkRecords } from "./bookmark-records.js";
import { IssueNotFound, WrongField } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

/** All browsers are one device: each opens an issue where the others left it. */
export const webReader = "Web reader";

/** What the web reader says of a reading. */
export interface PageReport {
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
  /** ISO 8601; undefined when it is read now. */
  readonly readAt: string | undefined;
  /** The issue is begun again on purpose. */
  readonly restart: boolean;
}

interface Sources {
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  readonly bookmarks: BookmarkRecords;
  readonly tell: (userId: number) => void;
}

/** What users do to issues in the browser: read, mark, put aside. */
export class WebReading {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** How far the viewer is. @throws {IssueNotFound} */
  async state(
    viewer: Viewer,
    cvIssueId: number,
  ): Promise<{ readable: boolean; progress: ReadingState | undefined; later: boolean }> {
    const { library, reading } = this.#sources;
    const issue = await getIssue(library, cvIssueId, viewer);
    const [[progress], later] = await Promise.all([
      reading.find(viewer, [issue.id]),
      reading.findLater(viewer, [issue.id]),
    ]);
    return { readable: issue.owned && issue.pages > 0, progress, later: later.length > 0 };
  }

  /** Records how far the viewer is. Who turns back a page now does so on purpose. @throws {IssueNotFound} */
  async report(viewer: Viewer, cvIssueId: number, report: PageReport): Promise<ReadingState> {
    const issue = await getIssue(this.#sources.library, cvIssueId, viewer);
    const { page, pages, completed, readAt, restart } = report;
    return this.#sources.reading.report(viewer, issue.id, {
      position: { kind: "page", page, pages },
      device: webReader,
      at: readAt,
      completed,
      restart,
      mayGoBack: readAt === undefined,
    });
  }

  /** Marks issues as read or unread, all of them or, where one is not there, none. @throws {IssueNotFound} */
  async mark(viewer: Viewer, cvIssueIds: readonly number[], read: boolean): Promise<number> {
    const issues = await this.#getAll(viewer, [...new Set(cvIssueIds)]);
    return this.#sources.reading.mark(
      viewer,
      issues.map(({ id }) => id),
      read,
    );
  }

  /** Sets or clears a bookmark; answers the issue's bookmarks. @throws {IssueNotFound} @throws {WrongField} when there is no such page */
  async bookmark(viewer: Viewer, cvIssueId: number, bookmark: { page: number; on: boolean }): Promise<number[]> {
    const { library, bookmarks, tell } = this.#sources;
    const issue = await getIssue(library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    // One that a longer file had can still be cleared.
    if (bookmark.on && issue.pages > 0 && bookmark.page >= issue.pages)
      throw new WrongField("page", `must be less than the ${issue.pages} pages`);
    if (bookmark.on) await bookmarks.set(key, bookmark.page, Date.now());
    else await bookmarks.clear(key, bookmark.page);
    tell(key.userId);
    return bookmarks.list(key);
  }

  /** Puts an issue aside to read later, or takes it back. @throws {IssueNotFound} */
  async setLater(viewer: Viewer, cvIssueId: number, later: boolean): Promise<void> {
    const issue = await getIssue(this.#sources.library, cvIssueId, viewer);
    await this.#sources.reading.setLater(viewer, issue.id, later);
  }

  async #getAll(viewer: Viewer, cvIssueIds: readonly number[]): Promise<Issue[]> {
    const found = await this.#sources.library.findIssuesByClientIds(cvIssueIds, viewer);
    const issues = new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue]));
    return cvIssueIds.map((cvIssueId) => {
      const issue = issues.get(cvIssueId);
      if (!issue) throw new IssueNotFound(cvIssueId);
      return issue;
    });
  }
}
