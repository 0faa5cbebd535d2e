import { systemViewer, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Fingerprint, FingerprintMatch, IssueFingerprint } from "../contract.js";
import type { FileFingerprintTable } from "../tables.js";
import type { FingerprintRecords } from "./fingerprint-records.js";

const columns = { "partial-md5": "partial_md5", "name-md5": "name_md5" } as const;

export interface FingerprintParts {
  readonly collection: Pick<CollectionContract, "findIssues" | "listIssues" | "findHoldings">;
  readonly records: FingerprintRecords;
}

/** Finds the issue that a device identifies by a fingerprint. */
export class FindingByFingerprint {
  constructor(private readonly parts: FingerprintParts) {}

  async find({ scheme, value }: Fingerprint, viewer: Viewer): Promise<FingerprintMatch[]> {
    const column = columns[scheme];
    if (column === undefined || !/^[0-9a-f]{32}$/i.test(value)) return [];
    const { records, collection } = this.parts;
    const wanted = value.toLowerCase();
    let rows = await records.find(column, wanted);
    if (await this.#followAssignments(rows)) rows = await records.find(column, wanted);
    const issues = await collection.findIssues([...new Set(rows.map((row) => row.issue_id))], viewer);
    const visible = new Set(issues.map(({ id }) => id));
    const matches = new Map<number, FingerprintMatch>();
    for (const { issue_id: issueId, is_current, path } of rows) {
      if (!visible.has(issueId) || matches.has(issueId)) continue;
      matches.set(issueId, { issueId, path: is_current === 1 ? path : undefined, former: is_current === 0 });
    }
    return [...matches.values()];
  }

  async listOf(issueIds: readonly number[]): Promise<Map<number, IssueFingerprint[]>> {
    const { records, collection } = this.parts;
    const holdings = await collection.findHoldings(issueIds);
    const home = new Map(holdings.map(({ path, issueId }) => [path, issueId]));
    for (const { path, issue_id: issueId } of await records.findPresent([...home.keys()]))
      if (home.get(path) !== issueId) await records.reassign({ from: issueId, to: home.get(path)!, path });
    const found = new Map<number, IssueFingerprint[]>();
    for (const row of await records.listOfIssues(issueIds)) {
      const list = found.get(row.issue_id) ?? [];
      if (row.is_current === 1 && home.get(row.path) !== row.issue_id) continue;
      for (const fingerprint of fingerprintsOf(row))
        if (!list.some(({ scheme, value }) => scheme === fingerprint.scheme && value === fingerprint.value))
          list.push(fingerprint);
      found.set(row.issue_id, list);
    }
    return found;
  }

  /**
   * A user may have assigned a file to another issue of its series; the collection does not say which files.
   * @returns whether anything was changed
   */
  async #followAssignments(rows: readonly FileFingerprintTable[]): Promise<boolean> {
    const { records, collection } = this.parts;
    const issueIds = [...new Set(rows.map((row) => row.issue_id))];
    const held = new Map((await collection.findHoldings(issueIds)).map(({ path, issueId }) => [path, issueId]));
    const present = await records.findPresent(rows.map((row) => row.path));
    const astray = present.filter((row) => held.get(row.path) !== row.issue_id && issueIds.includes(row.issue_id));
    let changed = false;
    for (const { path, issue_id: issueId } of astray) {
      const home = held.get(path) ?? (await this.#findInSeries(path));
      if (home === undefined) continue;
      await records.reassign({ from: issueId, to: home, path });
      changed = true;
    }
    return changed;
  }

  /** The issue that this file holds now; a person can only choose among those of its series. */
  async #findInSeries(path: string): Promise<number | undefined> {
    const { records, collection } = this.parts;
    const seriesId = await records.findSeriesOf(path);
    if (seriesId === undefined) return undefined;
    const issues = await collection.listIssues(seriesId, systemViewer);
    const holdings = await collection.findHoldings(issues.map(({ id }) => id));
    return holdings.find((holding) => holding.path === path)?.issueId;
  }
}

function fingerprintsOf(row: FileFingerprintTable): IssueFingerprint[] {
  const former = row.is_current === 0;
  const byName: IssueFingerprint = { scheme: "name-md5", value: row.name_md5, former };
  return row.partial_md5 === "" ? [byName] : [{ scheme: "partial-md5", value: row.partial_md5, former }, byName];
}
