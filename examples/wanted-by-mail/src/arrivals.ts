import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { KernelUsers, Viewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { MailTables } from "./tables.js";

const mostListed = 100;

interface ArrivalParts {
  readonly database: Kysely<MailTables>;
  readonly library: CollectionContract;
  readonly users: KernelUsers;
  /** Wakes the clients of these users. */
  readonly tell: (userIds: readonly number[]) => void;
}

export interface Arrival {
  readonly issue: Issue;
  readonly box: string;
  readonly fileName: string;
  readonly arrivedAt: number;
}

/** What has arrived, and who hears of it. */
export class Arrivals {
  constructor(private readonly parts: ArrivalParts) {}

  /** Remembers an arrival, and tells the users who follow arrivals and may know of the issue. */
  async add(arrived: { readonly issueId: number; readonly box: string; readonly fileName: string }): Promise<void> {
    const { issueId: issue_id, box, fileName: file_name } = arrived;
    await this.parts.database
      .insertInto("arrival")
      .values({ issue_id, box, file_name, arrived_at: Date.now() })
      .execute();
    const told: number[] = [];
    for (const { id } of await this.parts.users.listWithPermission("wanted-by-mail.follow")) {
      const viewer = await this.parts.users.viewerOf(id);
      if (viewer && (await this.parts.library.findIssues([issue_id], viewer)).length > 0) told.push(id);
    }
    if (told.length > 0) this.parts.tell(told);
  }

  /** The latest, newest first, as far as the viewer may know of them. */
  async list(viewer: Viewer): Promise<Arrival[]> {
    const query = this.parts.database.selectFrom("arrival").selectAll().orderBy("id", "desc").limit(mostListed);
    const rows = await query.execute();
    const ids = [...new Set(rows.map((row) => row.issue_id))];
    const issues = new Map((await this.parts.library.findIssues(ids, viewer)).map((issue) => [issue.id, issue]));
    return rows.flatMap(({ issue_id, box, file_name, arrived_at }) => {
      const issue = issues.get(issue_id);
      return issue ? [{ issue, box, fileName: file_name, arrivedAt: arrived_at }] : [];
    });
  }
}
