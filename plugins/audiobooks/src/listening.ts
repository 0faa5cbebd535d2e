import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import { NoSuchBookmark } from "./audiobook-errors.js";
import type { Audiobooks } from "./audiobooks.js";
import type { Bookmark, BookmarkRecords } from "./bookmark-records.js";
import type { Progress } from "./routes/shapes.js";

/** A report of a player; times in seconds. */
export interface ListeningReport {
  readonly position: number;
  readonly duration: number;
  readonly device: string;
  readonly at?: string | undefined;
  readonly completed?: boolean | undefined;
  readonly mayGoBack?: boolean | undefined;
  readonly restart?: boolean | undefined;
}

interface Sources {
  readonly audiobooks: Audiobooks;
  readonly reading: ReadingContract;
  readonly bookmarks: BookmarkRecords;
  /** Tells the clients of a user that their bookmarks changed. */
  readonly tell: (userId: number) => void;
}

/** How far viewers are in audiobooks, and the places that they marked. */
export class Listening {
  constructor(private readonly sources: Sources) {}

  /** @param device - the one that asks, for the others that are further @throws {NoSuchAudiobook} */
  async progress(viewer: Viewer, issueId: number, device: string | undefined): Promise<Progress | null> {
    const { audiobooks, reading } = this.sources;
    const issue = await audiobooks.getIssue(issueId, viewer);
    const [state] = await reading.find(viewer, [issue.id]);
    if (!state) return null;
    const furthest = device === undefined ? undefined : await reading.findFurther(viewer, issue.id, device);
    const progress = progressOf(state, issue.seconds);
    if (!furthest) return progress;
    const position =
      furthest.position.kind === "time" ? furthest.position.seconds : furthest.fraction * progress.duration;
    return { ...progress, further: { device: furthest.device, position, at: furthest.at } };
  }

  /** @throws {NoSuchAudiobook} */
  async report(viewer: Viewer, issueId: number, { position, duration, ...report }: ListeningReport): Promise<Progress> {
    const issue = await this.sources.audiobooks.getIssue(issueId, viewer);
    const place = { kind: "time", seconds: Math.min(position, duration), duration } as const;
    const state = await this.sources.reading.report(viewer, issue.id, { position: place, ...report });
    return progressOf(state, issue.seconds);
  }

  /** Of the issues that were started, by id. */
  async findProgress(viewer: Viewer, issueIds: readonly number[]): Promise<ReadonlyMap<number, ReadingState>> {
    return new Map((await this.sources.reading.find(viewer, issueIds)).map((state) => [state.issueId, state]));
  }

  /** @throws {NoSuchAudiobook} */
  async listBookmarks(viewer: Viewer, issueId: number): Promise<Bookmark[]> {
    const issue = await this.sources.audiobooks.getIssue(issueId, viewer);
    return this.sources.bookmarks.list({ userId: viewer.user.id, issueId: issue.id });
  }

  /** @throws {NoSuchAudiobook} */
  async addBookmark(viewer: Viewer, issueId: number, bookmark: Pick<Bookmark, "position" | "note">): Promise<Bookmark> {
    const issue = await this.sources.audiobooks.getIssue(issueId, viewer);
    const added = await this.sources.bookmarks.add({ userId: viewer.user.id, issueId: issue.id }, bookmark);
    this.sources.tell(viewer.user.id);
    return added;
  }

  /** @throws {NoSuchAudiobook} @throws {NoSuchBookmark} when the viewer has none with this id in this audiobook */
  async changeBookmark(
    viewer: Viewer,
    issueId: number,
    bookmark: Pick<Bookmark, "id" | "position" | "note">,
  ): Promise<Bookmark> {
    const issue = await this.sources.audiobooks.getIssue(issueId, viewer);
    const changed = await this.sources.bookmarks.change({ userId: viewer.user.id, issueId: issue.id }, bookmark);
    if (!changed) throw new NoSuchBookmark(bookmark.id);
    this.sources.tell(viewer.user.id);
    return changed;
  }

  /** @throws {NoSuchBookmark} also for the bookmark of another user, and in an audiobook that is hidden */
  async removeBookmark(viewer: Viewer, bookmarkId: number): Promise<void> {
    const { audiobooks, bookmarks, tell } = this.sources;
    const issueId = await bookmarks.findIssue(viewer.user.id, bookmarkId);
    if (issueId === undefined || !(await audiobooks.mayKnow(issueId, viewer))) throw new NoSuchBookmark(bookmarkId);
    await bookmarks.remove(viewer.user.id, bookmarkId);
    tell(viewer.user.id);
  }
}

/** @param seconds - the length of the book, for positions that were reported without it */
export function progressOf(state: ReadingState, seconds: number | undefined): Progress {
  const { time } = state.places;
  const duration = time?.duration || seconds || 0;
  return {
    position: time?.seconds ?? state.fraction * duration,
    duration,
    completed: state.completed,
    ...(state.device !== "" && { device: state.device }),
    at: state.at,
  };
}
