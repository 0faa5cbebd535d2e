import { foldTitle, LongboxError, type Releasable, type Topic, type Viewer } from "@longbox/sdk";
import { IssueNotFound } from "../errors.js";
import type { ExternalIds } from "../ids/external-ids.js";
import type { IssueReading } from "../issues/issue-reading.js";
import type { IssueRecord } from "../issues/issue-shape.js";
import type { CollectionDatabase, CollectionTransaction } from "../tables.js";
import { joinWorks } from "./moving-works.js";
import { nameKey } from "./same-work.js";
import type { Work, WorksContract } from "./works-contract.js";

export interface WorksParts {
  readonly database: CollectionDatabase;
  readonly issues: IssueReading;
  readonly ids: ExternalIds;
  readonly changed: Topic<readonly number[]>;
}

/** So many issues of one title are looked at. */
const mostProposed = 50;

/** Which issues are forms of one work. */
export class LinkedWorks implements WorksContract {
  constructor(private readonly parts: WorksParts) {}

  async findOthers(issueId: number, viewer: Viewer): Promise<readonly number[]> {
    const visible = await this.parts.issues.finding.findAll(await this.#linkedWith(issueId), viewer);
    return visible.map((row) => row.id);
  }

  async #linkedWith(issueId: number): Promise<number[]> {
    const linked = await this.parts.database
      .selectFrom("work_issue as own")
      .innerJoin("work_issue as other", "other.work_id", "own.work_id")
      .select("other.issue_id")
      .where("own.issue_id", "=", issueId)
      .where("other.issue_id", "<>", issueId)
      .orderBy("other.issue_id")
      .execute();
    return linked.map((row) => row.issue_id);
  }

  async link(issueIds: readonly number[], viewer: Viewer): Promise<Work> {
    refuseStranger(viewer);
    const wanted = [...new Set(issueIds)];
    const found = new Set((await this.parts.issues.finding.findAll(wanted, viewer)).map((row) => row.id));
    const missing = wanted.find((id) => !found.has(id));
    if (missing !== undefined) throw new IssueNotFound(-missing);
    const work = await this.parts.database.transaction().execute((transaction) => joinWorks(transaction, wanted));
    this.parts.changed.publish(work.issueIds);
    const visible = await this.parts.issues.finding.findAll(work.issueIds, viewer);
    return { id: work.id, issueIds: visible.map((row) => row.id) };
  }

  async unlink(issueId: number, viewer: Viewer): Promise<void> {
    refuseStranger(viewer);
    const [issue] = await this.parts.issues.finding.findAll([issueId], viewer);
    if (!issue) throw new IssueNotFound(-issueId);
    const others = await this.#linkedWith(issue.id);
    await this.parts.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("work_issue").where("issue_id", "=", issue.id).execute();
      for (const other of others) await refuseFromNowOn(transaction, issue.id, other);
    });
    this.parts.changed.publish([issue.id, ...others]);
  }

  async propose(issueId: number, viewer: Viewer): Promise<Array<{ issueId: number; reason: string }>> {
    const [issue] = await this.parts.issues.finding.findAll([issueId], viewer);
    if (!issue) return [];
    const shared = await this.#sharingAnId(issue);
    const alike = await this.#alike(issue, viewer);
    const known = new Set([issueId, ...(await this.findOthers(issueId, viewer)), ...(await this.#refused(issueId))]);
    const proposed = new Map<number, string>();
    for (const [id, reason] of [...shared, ...alike]) if (!known.has(id) && !proposed.has(id)) proposed.set(id, reason);
    const visible = await this.parts.issues.finding.findAll([...proposed.keys()], viewer);
    return visible
      .filter((row) => row.series_type !== issue.series_type)
      .map((row) => ({ issueId: row.id, reason: proposed.get(row.id)! }));
  }

  onWorksChanged(listener: (issueIds: readonly number[]) => void): Releasable {
    return this.parts.changed.subscribe(listener);
  }

  async #sharingAnId(issue: IssueRecord): Promise<Array<[number, string]>> {
    const own = (await this.parts.ids.list("issue", [issue.id])).get(issue.id) ?? {};
    const found: Array<[number, string]> = [];
    for (const [scheme, values] of Object.entries(own))
      for (const { subjectId, value } of await this.parts.ids.find("issue", scheme, values))
        found.push([subjectId, `Both have the ${scheme} ${value}.`]);
    return found;
  }

  /** The same title, and a person in common. */
  async #alike(issue: IssueRecord, viewer: Viewer): Promise<Array<[number, string]>> {
    const title = issue.title ?? issue.series_title;
    const candidates = (await this.parts.issues.lists.search(title, mostProposed, viewer)).filter(
      (row) => foldTitle(row.title ?? row.series_title) === foldTitle(title),
    );
    const details = await this.parts.issues.details.find([issue.id, ...candidates.map((row) => row.id)]);
    const peopleOf = new Map(
      details.map((detail) => [detail.issueId, new Set(detail.credits.map(({ name }) => nameKey(name)))]),
    );
    const people = peopleOf.get(issue.id) ?? new Set();
    return candidates
      .filter((row) => [...(peopleOf.get(row.id) ?? [])].some((name) => people.has(name)))
      .map((row) => [row.id, "Title and author are the same."]);
  }

  async #refused(issueId: number): Promise<number[]> {
    const rows = await this.parts.database
      .selectFrom("work_refusal")
      .select("other_id")
      .where("issue_id", "=", issueId)
      .execute();
    return rows.map((row) => row.other_id);
  }
}

function refuseStranger(viewer: Viewer): void {
  if (!viewer.may("library.manage"))
    throw new LongboxError("forbidden", "collection/may-not-link", "This needs the permission library.manage.");
}

async function refuseFromNowOn(transaction: CollectionTransaction, one: number, other: number): Promise<void> {
  await transaction
    .insertInto("work_refusal")
    .values([
      { issue_id: one, other_id: other },
      { issue_id: other, other_id: one },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
