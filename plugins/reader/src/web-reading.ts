import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { BookmarkRecords } from "./bookmark-records.js";
import type { NoteRecords, PageNote } from "./note-records.js";
import type { Opinion, OpinionChange, OpinionRecords } from "./opinion-records.js";
import { IssueNotFound, WrongField } from "./reader-errors.js";
import { getIssue } from "./visible-issues.js";

/** All browsers are one device: each opens an issue where the others left it. */
export const webReader = "Web reader";

/** A progress report of the web reader. */
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
  readonly notes: NoteRecords;
  readonly opinions: OpinionRecords;
  readonly tell: (userId: number) => void;
}

/** Actions on issues in the browser: progress, marks, bookmarks and the read-later shelf. */
export class WebReading {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The viewer's progress. @throws {IssueNotFound} */
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

  /** Records the viewer's progress. Turning back a page counts as intentional. @throws {IssueNotFound} */
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

  /** Marks issues as read or unread; none of them when one does not exist. @throws {IssueNotFound} */
  async mark(viewer: Viewer, cvIssueIds: readonly number[], read: boolean): Promise<number> {
    const issues = await this.#getAll(viewer, [...new Set(cvIssueIds)]);
    return this.#sources.reading.mark(
      viewer,
      issues.map(({ id }) => id),
      read,
    );
  }

  /**
   * Sets or clears a bookmark; answers the issue's bookmarks.
   * @throws {IssueNotFound}
   * @throws {WrongField} when there is no such page
   */
  async bookmark(viewer: Viewer, cvIssueId: number, bookmark: { page: number; on: boolean }): Promise<number[]> {
    const { library, bookmarks, tell } = this.#sources;
    const issue = await getIssue(library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    // A bookmark beyond the end of a shorter file can still be cleared.
    if (bookmark.on && issue.pages > 0 && bookmark.page >= issue.pages)
      throw new WrongField("page", `must be less than the ${issue.pages} pages`);
    if (bookmark.on) await bookmarks.set(key, bookmark.page, Date.now());
    else await bookmarks.clear(key, bookmark.page);
    tell(key.userId);
    return bookmarks.list(key);
  }

  /**
   * Replaces the note of a page; answers the issue's notes.
   * @throws {IssueNotFound} @throws {WrongField} when there is no such page
   */
  async writeNote(viewer: Viewer, cvIssueId: number, note: PageNote): Promise<PageNote[]> {
    const { library, notes, tell } = this.#sources;
    const issue = await getIssue(library, cvIssueId, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    if (note.text !== "" && issue.pages > 0 && note.page >= issue.pages)
      throw new WrongField("page", `must be less than the ${issue.pages} pages`);
    await notes.write(key, note);
    tell(key.userId);
    return notes.list(key);
  }

  /** The viewer's rating and note. @throws {IssueNotFound} */
  async opinion(viewer: Viewer, cvIssueId: number): Promise<Opinion> {
    const issue = await getIssue(this.#sources.library, cvIssueId, viewer);
    return this.#sources.opinions.read({ userId: viewer.user.id, issueId: issue.id });
  }

  /** Changes the viewer's rating, note or both. @throws {IssueNotFound} */
  async giveOpinion(viewer: Viewer, cvIssueId: number, change: OpinionChange): Promise<Opinion> {
    const { library, opinions, tell } = this.#sources;
    const issue = await getIssue(library, cvIssueId, viewer);
    const given = await opinions.write({ userId: viewer.user.id, issueId: issue.id }, change);
    tell(viewer.user.id);
    return given;
  }

  /** Adds an issue to the read-later shelf, or removes it. @throws {IssueNotFound} */
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
