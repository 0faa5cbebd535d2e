import type { Viewer } from "@longbox/sdk";
import { systemViewer } from "@longbox/sdk";
import type { CatalogContract, CollectionContract, Issue } from "@longbox/collection/contract";
import type { LibraryMatching } from "../matching/library-matching.js";
import type { ItemRecord } from "./list-records.js";

/** An item with the issue that the library has for it, if any. */
export interface ViewedItem {
  readonly record: ItemRecord;
  readonly issue: Issue | undefined;
}

/** Looks items up in the library, and leaves out those that are hidden from the viewer. */
export class LibraryView {
  readonly #library: CollectionContract;
  readonly #catalog: CatalogContract;
  readonly #matching: LibraryMatching;

  constructor(parts: {
    readonly library: CollectionContract;
    readonly catalog: CatalogContract;
    readonly matching: LibraryMatching;
  }) {
    this.#library = parts.library;
    this.#catalog = parts.catalog;
    this.#matching = parts.matching;
  }

  /** In the order given. */
  async look(records: readonly ItemRecord[], viewer: Viewer): Promise<ViewedItem[]> {
    const found = await this.#library.findIssuesByClientIds(
      records.map((record) => record.cv_issue_id),
      systemViewer,
    );
    const issues = new Map(found.map(({ cvIssueId, issue }) => [cvIssueId, issue]));
    const named = await this.#byName(
      records.filter((record) => !issues.has(record.cv_issue_id)),
      viewer,
    );
    const items = records.map((record) => ({ record, issue: issues.get(record.cv_issue_id) ?? named.get(record.id) }));
    if (viewer.seesRestricted) return items;
    const hidden = await this.#hiddenVolumes(items, viewer);
    return items.filter(({ record, issue }) =>
      issue ? !issue.restricted : record.volume_id === null || !hidden.has(record.volume_id),
    );
  }

  /**
   * Issues that the provider has not named yet, by the ids of the items: a library whose files carry no ids has no
   * others.
   */
  async #byName(records: readonly ItemRecord[], viewer: Viewer): Promise<ReadonlyMap<number, Issue>> {
    const books = records.map(({ series, number, volume, year, cover_date: date }) => ({
      series: series ?? "",
      number: number ?? "",
      volume: volume ?? "",
      year: year ?? date?.slice(0, 4) ?? "",
    }));
    const found = await this.#matching.findUnidentified(books, viewer);
    return new Map(
      found.flatMap((issue, index) => (issue ? [[(records[index] as ItemRecord).id, issue] as const] : [])),
    );
  }

  /** The formats of the files that are read, by issue: they decide which plugin can open one. */
  async findFormats(issueIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const formats = new Map<number, string>();
    for (const { issueId, valid, format } of await this.#library.findHoldings(issueIds))
      if (valid && format !== undefined && !formats.has(issueId)) formats.set(issueId, format);
    return formats;
  }

  /** Volumes whose series is hidden from the viewer. Their issues are hidden too, also those that the library lacks. */
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
