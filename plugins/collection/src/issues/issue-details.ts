import { inBatches } from "@longbox/sdk";
import { Remembered } from "../answers/remembered.js";
import type { IssueDetail } from "../contract.js";
import type { IssueDetailTable } from "../tables.js";
import type { IssueDatabases } from "./visible-issues.js";

/** Pages of lists that are being looked through, and how long they are at most. */
const mostPagesRemembered = 40;
const longestPage = 100;

type DetailRow = { readonly id: number; readonly store_date: string | null } & {
  readonly [Column in Exclude<keyof IssueDetailTable, "issue_id">]: string | null;
};

/** The details of issues beyond their numbers and titles. */
export class IssueDetails {
  readonly #databases: IssueDatabases;
  readonly #pages: Remembered<readonly IssueDetail[]>;

  constructor(databases: IssueDatabases) {
    this.#databases = databases;
    this.#pages = new Remembered(() => databases.dataVersion(), mostPagesRemembered);
  }

  find(issueIds: readonly number[]): Promise<readonly IssueDetail[]> {
    const read = () => this.#read(issueIds);
    return issueIds.length > longestPage ? read() : this.#pages.get(issueIds.join(), read);
  }

  async #read(issueIds: readonly number[]): Promise<IssueDetail[]> {
    const found: IssueDetail[] = [];
    for (const ids of inBatches([...new Set(issueIds)])) {
      const rows = await this.#databases.database
        .selectFrom("issue")
        .leftJoin("issue_detail", "issue_detail.issue_id", "issue.id")
        .where("issue.id", "in", ids)
        .select(["issue.id", "issue.store_date", "issue_detail.url", "description", "credits", "characters"])
        .select(["teams", "locations", "arcs", "subjects", "age_rating"])
        .execute();
      found.push(...rows.map(toDetail));
    }
    return found;
  }
}

function toDetail(row: DetailRow): IssueDetail {
  return {
    issueId: row.id,
    storeDate: row.store_date ?? undefined,
    description: row.description ?? undefined,
    credits: JSON.parse(row.credits ?? "[]") as IssueDetail["credits"],
    characters: listed(row.characters),
    teams: listed(row.teams),
    locations: listed(row.locations),
    arcs: listed(row.arcs),
    subjects: listed(row.subjects),
    url: row.url ?? undefined,
    ageRating: row.age_rating ?? undefined,
  };
}

function listed(json: string | null): string[] {
  return JSON.parse(json ?? "[]") as string[];
}
