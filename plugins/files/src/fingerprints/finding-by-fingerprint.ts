import { systemViewer, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Fingerprint, FingerprintMatch, IssueFingerprint } from "../contract.js";
import type { FileVersion, FingerprintRecords } from "./fingerprint-records.js";

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
    let versions = await records.find(column, wanted);
    if (await this.#followAssignments(versions)) versions = await records.find(column, wanted);
    const issues = await collection.findIssues([...new Set(versions.map(({ issueId }) => issueId))], viewer);
    const visible = new Set(issues.map(({ id }) => id));
    const matches = new Map<number, FingerprintMatch>();
    for (const { issueId, isCurrent, path } of versions) {
      if (!visible.has(issueId) || matches.has(issueId)) continue;
      matches.set(issueId, { issueId, path: isCurrent ? path : undefined, former: !isCurrent });
    }
    return [...matches.values()];
  }

  async listOf(issueIds: readonly number[]): Promise<Map<number, IssueFingerprint[]>> {
    const { records, collection } = this.parts;
    const holdings = await collection.findHoldings(issueIds);
    const home = new Map(holdings.map(({ path, issueId }) => [path, issueId]));
    for (const { path, issueId } of await records.findPresent([...home.keys()]))
      if (home.get(path) !== issueId) await records.reassign({ from: issueId, to: home.get(path)!, path });
    const found = new Map<number, IssueFingerprint[]>();
    for (const version of await records.listOfIssues(issueIds)) {
      const list = found.get(version.issueId) ?? [];
      if (version.isCurrent && home.get(version.path) !== version.issueId) continue;
      for (const fingerprint of fingerprintsOf(version))
        if (!list.some(({ scheme, value }) => scheme === fingerprint.scheme && value === fingerprint.value))
          list.push(fingerprint);
      found.set(version.issueId, list);
    }
    return found;
  }

  /**
   * A user may have assigned a file to another issue of its series; the collection does not say which files.
   * @returns whether anything was changed
   */
  async #followAssignments(versions: readonly FileVersion[]): Promise<boolean> {
    const { records, collection } = this.parts;
    const issueIds = [...new Set(versions.map(({ issueId }) => issueId))];
    const held = new Map((await collection.findHoldings(issueIds)).map(({ path, issueId }) => [path, issueId]));
    const present = await records.findPresent(versions.map(({ path }) => path));
    const astray = present.filter(({ path, issueId }) => held.get(path) !== issueId && issueIds.includes(issueId));
    let changed = false;
    for (const { path, issueId } of astray) {
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

function fingerprintsOf({ partialMd5, nameMd5, isCurrent }: FileVersion): IssueFingerprint[] {
  const former = !isCurrent;
  const byName: IssueFingerprint = { scheme: "name-md5", value: nameMd5, former };
  return partialMd5 === "" ? [byName] : [{ scheme: "partial-md5", value: partialMd5, former }, byName];
}
