import type { Viewer } from "@longbox/sdk";
import type { IssueDocument } from "../answers/shapes.js";
import { IssueNotFound } from "../errors.js";
import type { ExternalIds } from "../ids/external-ids.js";
import { IssueFinding } from "./finding-issues.js";
import { IssueDetails } from "./issue-details.js";
import { IssueFiles } from "./issue-files.js";
import { lockedInIssue } from "./issue-editing.js";
import { IssueLists } from "./issue-lists.js";
import type { IssueShapes } from "./issue-shape.js";
import type { IssueDatabases } from "./visible-issues.js";

/** Reads issues: by id, in lists, with their files and details. */
export class IssueReading {
  readonly finding: IssueFinding;
  readonly lists: IssueLists;
  readonly files: IssueFiles;
  readonly details: IssueDetails;

  constructor(
    databases: IssueDatabases,
    readonly shapes: IssueShapes,
    readonly ids: ExternalIds,
  ) {
    this.finding = new IssueFinding(databases, ids);
    this.lists = new IssueLists(databases, this.finding, shapes);
    this.files = new IssueFiles(databases);
    this.details = new IssueDetails(databases);
  }

  /** Everything that is known of one issue. @throws {IssueNotFound} */
  async read(cvIssueId: number, viewer: Viewer): Promise<IssueDocument> {
    const row = await this.finding.find(cvIssueId, viewer);
    if (!row) throw new IssueNotFound(cvIssueId);
    const [detail] = await this.details.find([row.id]);
    const ids = (await this.ids.list("issue", [row.id])).get(row.id) ?? {};
    return {
      ...this.shapes.toRow(row, await this.files.listOf(row.id), viewer.may("library.manage")),
      seriesTitle: row.series_title,
      unit: this.shapes.unitOf(row.series_type),
      description: detail?.description ?? null,
      credits: [...(detail?.credits ?? [])],
      characters: [...(detail?.characters ?? [])],
      teams: [...(detail?.teams ?? [])],
      locations: [...(detail?.locations ?? [])],
      arcs: [...(detail?.arcs ?? [])],
      subjects: [...(detail?.subjects ?? [])],
      language: row.language,
      ids: Object.fromEntries(Object.entries(ids).map(([scheme, values]) => [scheme, [...values]])),
      url: detail?.url ?? null,
      locked: lockedInIssue(row),
      coverPage: row.cover_page,
    };
  }
}
