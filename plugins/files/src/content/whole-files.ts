import { stat } from "node:fs/promises";
import type { CollectionContract, Holding } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { FilesContent, Fingerprint, FingerprintMatch, IssueFingerprint, WholeFile } from "../contract.js";
import type { FindingByFingerprint } from "../fingerprints/finding-by-fingerprint.js";
import type { Formats } from "../formats/formats.js";
import { mediaTypeOf } from "./media-types.js";

/** The files of issues, to be listed and sent as they are. */
export class WholeFiles implements FilesContent {
  constructor(
    private readonly collection: Pick<CollectionContract, "listHoldings" | "findHoldings">,
    private readonly formats: Formats,
    private readonly fingerprints: FindingByFingerprint,
  ) {}

  findByFingerprint(fingerprint: Fingerprint, viewer: Viewer): Promise<readonly FingerprintMatch[]> {
    return this.fingerprints.find(fingerprint, viewer);
  }

  findFingerprints(issueIds: readonly number[]): Promise<ReadonlyMap<number, readonly IssueFingerprint[]>> {
    return this.fingerprints.listOf(issueIds);
  }

  async findFile(issueId: number): Promise<WholeFile | undefined> {
    for (const holding of await this.collection.listHoldings(issueId))
      if (await isRegularFile(holding.path)) return this.#describe(holding);
    return undefined;
  }

  async findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, WholeFile>> {
    const files = new Map<number, WholeFile>();
    for (const holding of await this.collection.findHoldings(issueIds))
      if (!files.has(holding.issueId)) files.set(holding.issueId, this.#describe(holding));
    return files;
  }

  #describe(holding: Holding): WholeFile {
    const { path, name, sizeBytes, format } = holding;
    return { path, name, sizeBytes, format, contentType: mediaTypeOf(holding, this.formats) };
  }
}

async function isRegularFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
