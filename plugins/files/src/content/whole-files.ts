import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionContract, Holding } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type {
  FilesContent,
  Fingerprint,
  FingerprintMatch,
  IssueFingerprint,
  WholeFile,
  WorkPart,
} from "../contract.js";
import type { FindingByFingerprint } from "../fingerprints/finding-by-fingerprint.js";
import type { Formats } from "../formats/formats.js";
import { mediaTypeOf } from "./media-types.js";
import { staysInside } from "./staying-inside.js";

/** The files of issues, to be listed and sent as they are. */
export class WholeFiles implements FilesContent {
  constructor(
    private readonly collection: Pick<CollectionContract, "listHoldings" | "findHoldings" | "listLibraries">,
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
      if ((await isRegularFile(holding.path)) && (await staysInside(holding.path, this.collection)))
        return this.#describe(holding);
    return undefined;
  }

  async findParts(issueId: number): Promise<readonly WorkPart[] | undefined> {
    for (const { path } of await this.collection.listHoldings(issueId)) {
      const parts = await listParts(path);
      if (parts) return parts;
    }
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
    // Formats of single files have endings.
    const isFolder = this.formats.find(format)?.extensions.length === 0;
    return { path, name, sizeBytes, format, isFolder, contentType: mediaTypeOf(holding, this.formats) };
  }
}

const byName = new Intl.Collator("en", { numeric: true });

/** What lies in a folder, without what is hidden; undefined for what is no folder. */
async function listParts(folder: string): Promise<WorkPart[] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  const names = entries?.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
  if (!names) return undefined;
  const parts: WorkPart[] = [];
  for (const name of names.toSorted(byName.compare)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) parts.push({ path, name, sizeBytes: found.size });
  }
  return parts;
}

async function isRegularFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
