import type { CollectionContract } from "@longbox/collection/contract";
import { systemViewer } from "@longbox/sdk";
import type { Kysely, Selectable } from "kysely";
import type { AudiobookTables } from "./tables.js";

/** A place in an audiobook that a user marked. */
export interface Bookmark {
  readonly id: number;
  /** Seconds from the beginning. */
  readonly position: number;
  readonly note: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

interface Owner {
  readonly userId: number;
  readonly issueId: number;
}

/** How many issues are looked up at once. */
const batch = 500;

export class BookmarkRecords {
  constructor(private readonly database: Kysely<AudiobookTables>) {}

  /** By position. */
  async list({ userId, issueId }: Owner): Promise<Bookmark[]> {
    const rows = await this.database
      .selectFrom("bookmark")
      .selectAll()
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .orderBy("position")
      .orderBy("id")
      .execute();
    return rows.map(bookmarkOf);
  }

  async add({ userId, issueId }: Owner, bookmark: Pick<Bookmark, "position" | "note">): Promise<Bookmark> {
    const row = { user_id: userId, issue_id: issueId, ...bookmark, created_at: Date.now() };
    return bookmarkOf(await this.database.insertInto("bookmark").values(row).returningAll().executeTakeFirstOrThrow());
  }

  /** @returns undefined when the user has no such bookmark in the issue */
  async change(
    { userId, issueId }: Owner,
    { id, position, note }: Pick<Bookmark, "id" | "position" | "note">,
  ): Promise<Bookmark | undefined> {
    const row = await this.database
      .updateTable("bookmark")
      .set({ position, note })
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .returningAll()
      .executeTakeFirst();
    return row && bookmarkOf(row);
  }

  /** The audiobook in which a user set a bookmark. */
  async findIssue(userId: number, bookmarkId: number): Promise<number | undefined> {
    const row = await this.database
      .selectFrom("bookmark")
      .select("issue_id")
      .where("id", "=", bookmarkId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row?.issue_id;
  }

  async remove(userId: number, bookmarkId: number): Promise<void> {
    await this.database.deleteFrom("bookmark").where("id", "=", bookmarkId).where("user_id", "=", userId).execute();
  }

  /** The issue was merged into another. @returns the users whose bookmarks moved */
  async moveIssue({ from, to }: { readonly from: number; readonly to: number }): Promise<number[]> {
    const moved = await this.database
      .updateTable("bookmark")
      .set({ issue_id: to })
      .where("issue_id", "=", from)
      .returning("user_id")
      .execute();
    return [...new Set(moved.map(({ user_id }) => user_id))];
  }

  async forgetUser(userId: number): Promise<void> {
    await this.database.deleteFrom("bookmark").where("user_id", "=", userId).execute();
  }

  async handOver({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    await this.database.updateTable("bookmark").set({ user_id: to }).where("user_id", "=", from).execute();
  }

  /** Follows merges of issues that happened while this plugin did not run. */
  async followMissedMoves(library: Pick<CollectionContract, "findIssues">, signal: AbortSignal): Promise<void> {
    const rows = await this.database.selectFrom("bookmark").select("issue_id").distinct().execute();
    const ids = rows.map(({ issue_id }) => issue_id);
    for (let start = 0; start < ids.length && !signal.aborted; start += batch) {
      const asked = ids.slice(start, start + batch);
      const known = new Set((await library.findIssues(asked, systemViewer)).map(({ id }) => id));
      for (const from of asked.filter((id) => !known.has(id))) {
        const [issue] = await library.findIssues([from], systemViewer);
        if (issue && !signal.aborted) await this.moveIssue({ from, to: issue.id });
      }
    }
  }
}

function bookmarkOf(row: Selectable<AudiobookTables["bookmark"]>): Bookmark {
  const { id, position, note, created_at } = row;
  return { id, position, note, createdAt: new Date(created_at).toISOString() };
}
