import type { Viewer } from "@longbox/sdk";
import { systemViewer } from "@longbox/sdk";
import type { CatalogContract, CollectionContract, Issue } from "@longbox/collection/contract";
import type { ItemRecord } from "./list-records.js";

/** An item with the issue that the library has for it, if any. */
export interface ViewedItem {
  readonly record: ItemRecord;
  readonly issue: Issue | undefined;
}

/** Looks items up in the library, and leaves out what a viewer may not know of. */
export class LibraryView {
  readonly #library: CollectionContract;
  readonly #catalog: CatalogContract;

  constructor(library: CollectionContract, catalog: CatalogContract) {
    this.#library = library;
    this.#catalog = catalog;
  }

  /** In the order given. */
  async look(records: readonly ItemRecord[], viewer: Viewer): Promise<ViewedItem[]> {
    const found = await this.#library.findIssuesByClientIds(
      records.map((record) => record.cv_issue_id),
      systemViewer,
    );
    const issues = new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue]));
    const items = records.map((record) => ({ record, issue: issues.get(record.cv_issue_id) }));
    if (viewer.seesRestricted) return items;
    const hidden = await this.#hiddenVolumes(items, viewer);
    return items.filter(({ record, issue }) =>
      issue ? !issue.restricted : record.volume_id === null || !hidden.has(record.volume_id),
    );
  }

  /** The formats of the files that are read, by issue: they decide which plugin can open one. */
  async findFormats(issueIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const formats = new Map<number, string>();
    for (const { issueId, valid, format } of await this.#library.findHoldings(issueIds))
      if (valid && format !== undefined && !formats.has(issueId)) formats.set(issueId, format);
    return formats;
  }

  /** Volumes that the library has as series which the viewer may not know of: the issues that it lacks are hidden too. */
  async #hiddenVolumes(items: readonly ViewedItem[], viewer: Viewer): Promise<ReadonlySet<number>> {
    const volumes = [
      ...new Set(items.flatMap(({ record, issue }) => (issue || record.volume_id === null ? [] : [record.volume_id]))),
    ];
    if (volumes.length === 0) return new Set();
    const [all, visible] = await Promise.all([
      this.#catalog.findByVolumes(volumes, systemViewer),
      this.#catalog.findByVolumes(volumes, viewer),
    ]);
    const seen = new Set(visible.map((series) => series.cvId));
    return new Set(all.map((series) => series.cvId).filter((cvId) => !seen.has(cvId)));
  }
}
