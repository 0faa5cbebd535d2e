import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import { WrongField } from "../books-errors.js";
import type { FindingBooks } from "../finding/finding-books.js";
import type { Bookmark, BookmarkRecords, BookmarkValues } from "./bookmark-records.js";

interface Parts {
  readonly books: FindingBooks;
  readonly library: CollectionContract;
  readonly records: BookmarkRecords;
  readonly tell: (userId: number) => void;
}

/** The viewer's bookmarks, highlights and notes in books that the viewer may see. */
export class Bookmarks {
  constructor(private readonly parts: Parts) {}

  /** @throws {BookNotFound} */
  async list(viewer: Viewer, id: number): Promise<Bookmark[]> {
    const issue = await this.parts.books.getIssue(id, viewer);
    return this.parts.records.list({ userId: viewer.user.id, issueId: issue.id });
  }

  /**
   * Adds a bookmark, or changes the one with the given id. @returns its id
   * @throws {BookNotFound} @throws {TooManyBookmarks} @throws {WrongField} when the viewer has none with the id here
   */
  async put(
    viewer: Viewer,
    id: number,
    bookmark: { readonly id: number | undefined; readonly values: BookmarkValues },
  ): Promise<number> {
    const { books, records, tell } = this.parts;
    const issue = await books.getIssue(id, viewer);
    const key = { userId: viewer.user.id, issueId: issue.id };
    if (bookmark.id !== undefined && !(await records.change(key, bookmark.id, bookmark.values)))
      throw new WrongField("id", "names no bookmark of this book");
    const kept = bookmark.id ?? (await records.add(key, bookmark.values));
    tell(key.userId);
    return kept;
  }

  /** @returns false when the viewer has no such bookmark, or may not see its book any more */
  async remove(viewer: Viewer, bookmarkId: number): Promise<boolean> {
    const { library, records, tell } = this.parts;
    const issueId = await records.findIssue(viewer.user.id, bookmarkId);
    if (issueId === undefined || (await library.findIssues([issueId], viewer)).length === 0) return false;
    await records.remove(viewer.user.id, bookmarkId);
    tell(viewer.user.id);
    return true;
  }
}
