import { inBatches, type Viewer } from "@longbox/sdk";
import { Remembered } from "../answers/remembered.js";
import type { ExternalIds } from "../ids/external-ids.js";
import { normaliseId } from "../ids/schemes.js";
import type { IssueRecord } from "./issue-shape.js";
import { findMerges, visibleIssues, type IssueDatabases } from "./visible-issues.js";

/** How many issues are kept that are being read, each by its pages. */
const mostRemembered = 500;

interface AskedIssue {
  readonly cvIssueId: number;
  readonly row: IssueRecord;
}

/** Finds issues by their ids: the internal ones, and those that clients use. */
export class IssueFinding {
  readonly #found: Remembered<IssueRecord | undefined>;

  constructor(
    private readonly databases: IssueDatabases,
    private readonly ids: ExternalIds,
  ) {
    this.#found = new Remembered(() => databases.dataVersion(), mostRemembered);
  }

  /**
   * The internal id by the id that clients use. Negative ids, and those of issues that became others, lead to the
   * remaining issue for ever.
   */
  async resolve(cvIssueId: number): Promise<number | undefined> {
    if (cvIssueId < 0) return (await findMerges(this.databases.database, [-cvIssueId])).get(-cvIssueId) ?? -cvIssueId;
    const row = await this.databases.database
      .selectFrom("issue")
      .select("id")
      .where("cv_issue_id", "=", cvIssueId)
      .executeTakeFirst();
    return row?.id ?? (await this.ids.find("issue", "cv", [String(cvIssueId)]))[0]?.subjectId;
  }

  find(cvIssueId: number, viewer: Viewer): Promise<IssueRecord | undefined> {
    return this.#found.get(`${cvIssueId} ${viewer.seesRestricted}`, async () => {
      const id = await this.resolve(cvIssueId);
      return id === undefined ? undefined : (await this.findAll([id], viewer))[0];
    });
  }

  /** As `findAll` with one id: the requests of a player or a reader ask for the same issue again and again. */
  findOne(issueId: number, viewer: Viewer): Promise<IssueRecord | undefined> {
    return this.#found.get(`id ${issueId} ${viewer.seesRestricted}`, async () => {
      const [row] = await this.findAll([issueId], viewer);
      return row;
    });
  }

  /** By the ids that clients use, each with the id it was asked by. */
  async findByClientIds(cvIssueIds: readonly number[], viewer: Viewer): Promise<AskedIssue[]> {
    const wanted = [...new Set(cvIssueIds)];
    return [
      ...(await this.#findByProviderIds(
        wanted.filter((id) => id > 0),
        viewer,
      )),
      ...(await this.#findByOwnIds(
        wanted.filter((id) => id < 0),
        viewer,
      )),
    ];
  }

  async #findByProviderIds(cvIssueIds: readonly number[], viewer: Viewer): Promise<AskedIssue[]> {
    const found: AskedIssue[] = [];
    for (const ids of inBatches(cvIssueIds)) {
      const rows = await visibleIssues(this.databases.database, viewer).where("issue.cv_issue_id", "in", ids).execute();
      found.push(...rows.map((row) => ({ cvIssueId: row.cv_issue_id as number, row })));
    }
    const there = new Set(found.map(({ cvIssueId }) => cvIssueId));
    const lost = cvIssueIds.filter((id) => !there.has(id));
    return [...found, ...(await this.#findByFormerIds(lost, viewer))];
  }

  /** By ids of the provider's whose issue became another. */
  async #findByFormerIds(cvIssueIds: readonly number[], viewer: Viewer): Promise<AskedIssue[]> {
    if (cvIssueIds.length === 0) return [];
    const former = await this.#findByExternalIds("cv", cvIssueIds.map(String), viewer);
    return former.map(({ value, row }) => ({ cvIssueId: Number(value), row }));
  }

  /**
   * By what others call them, each with the value it was asked by; ids that are written in different ways are the same.
   * `cv` finds by the provider's ids.
   */
  async findByScheme(
    scheme: string,
    values: readonly string[],
    viewer: Viewer,
  ): Promise<Array<{ value: string; row: IssueRecord }>> {
    if (scheme === "cv") {
      const askedBy = Map.groupBy(new Set(values), (value) => Number(normaliseId(scheme, value) ?? 0));
      askedBy.delete(0);
      const issues = await this.findByClientIds([...askedBy.keys()], viewer);
      return issues.flatMap(({ cvIssueId, row }) => (askedBy.get(cvIssueId) ?? []).map((value) => ({ value, row })));
    }
    return await this.#findByExternalIds(scheme, values, viewer);
  }

  async #findByExternalIds(
    scheme: string,
    values: readonly string[],
    viewer: Viewer,
  ): Promise<Array<{ value: string; row: IssueRecord }>> {
    const found = await this.ids.find("issue", scheme, values);
    const rows = await this.findAll(
      found.map(({ subjectId }) => subjectId),
      viewer,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return found.flatMap(({ value, subjectId }) => {
      const row = byId.get(subjectId);
      return row ? [{ value, row }] : [];
    });
  }

  async #findByOwnIds(cvIssueIds: readonly number[], viewer: Viewer): Promise<AskedIssue[]> {
    if (cvIssueIds.length === 0) return [];
    const merges = await findMerges(
      this.databases.database,
      cvIssueIds.map((id) => -id),
    );
    const remaining = (cvIssueId: number) => merges.get(-cvIssueId) ?? -cvIssueId;
    const rows = new Map((await this.findAll(cvIssueIds.map(remaining), viewer)).map((row) => [row.id, row]));
    return cvIssueIds.flatMap((cvIssueId) => {
      const row = rows.get(remaining(cvIssueId));
      return row ? [{ cvIssueId, row }] : [];
    });
  }

  /** In the order asked for; what became another issue is that one. */
  async findAll(issueIds: readonly number[], viewer: Viewer): Promise<IssueRecord[]> {
    const found = await this.findPresent([...new Set(issueIds)], viewer);
    const lost = issueIds.filter((id) => !found.has(id));
    const merges = lost.length === 0 ? new Map<number, number>() : await findMerges(this.databases.database, lost);
    const targets = await this.findPresent([...new Set(merges.values())], viewer);
    for (const [from, to] of merges) {
      const target = targets.get(to);
      if (target) found.set(from, target);
    }
    return [...new Map(issueIds.flatMap((id) => found.get(id) ?? []).map((row) => [row.id, row])).values()];
  }

  /** By id, without what became another issue. */
  async findPresent(issueIds: readonly number[], viewer: Viewer): Promise<Map<number, IssueRecord>> {
    const found = new Map<number, IssueRecord>();
    for (const ids of inBatches(issueIds)) {
      const rows = await visibleIssues(this.databases.database, viewer).where("issue.id", "in", ids).execute();
      for (const row of rows) found.set(row.id, row);
    }
    return found;
  }
}
