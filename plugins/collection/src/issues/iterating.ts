import type { Viewer } from "@longbox/sdk";
import type { CatalogIssue, WantedIssue } from "../contract.js";
import type { ExternalIds } from "../ids/external-ids.js";
import { whyWanted } from "./issue-shape.js";
import type { IssuesAfter } from "./issue-lists.js";
import type { IssueReading } from "./issue-reading.js";

/** A part of something long: what follows an id. */
export interface IdRange {
  readonly afterId: number;
  /** At most 1000. */
  readonly limit: number;
}

/**
 * Goes through all issues by their ids, a part at a time, for plugins that build an index or work in the background.
 */
export class IssueIteration {
  constructor(private readonly parts: { readonly issues: IssueReading; readonly ids: ExternalIds }) {}

  /** Every issue that is known of a tracked series, owned or not. */
  async listAfter(range: IssuesAfter, viewer: Viewer): Promise<CatalogIssue[]> {
    const rows = await this.parts.issues.lists.listAfter(range, viewer);
    const ids = rows.map((row) => row.id);
    const [details, external, formats] = await Promise.all([
      this.parts.issues.details.find(ids),
      this.parts.ids.list("issue", ids),
      this.parts.issues.files.formatsOf(ids),
    ]);
    const byId = new Map(details.map((detail) => [detail.issueId, detail]));
    return rows.map((row) => ({
      issue: this.parts.issues.shapes.toIssue(row),
      detail: byId.get(row.id)!,
      ids: external.get(row.id) ?? {},
      formats: formats.get(row.id) ?? [],
      libraryId: row.series_library_id ?? undefined,
      seriesYear: row.series_year ?? undefined,
    }));
  }

  async listWanted(
    range: IdRange & { readonly followed?: boolean | undefined; readonly among?: readonly number[] | undefined },
    viewer: Viewer,
  ): Promise<WantedIssue[]> {
    const rows = await this.parts.issues.lists.listWantedAfter(range, viewer);
    return rows.map((row) => ({
      issue: this.parts.issues.shapes.toIssue(row),
      why: whyWanted(row) ?? "monitored",
      reason: row.pick_reason ?? undefined,
      storeDate: row.store_date ?? undefined,
    }));
  }
}
