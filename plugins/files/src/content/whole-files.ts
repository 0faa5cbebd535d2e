import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionContract, Holding } from "@longbox/collection/contract";
import type { Contributions, Viewer } from "@longbox/sdk";
import type {
  FileHolder,
  FilesContent,
  Fingerprint,
  FingerprintMatch,
  IssueFingerprint,
  OpenedFile,
  SendableFile,
  WholeFile,
  WorkPart,
} from "../contract.js";
import type { FindingByFingerprint } from "../fingerprints/finding-by-fingerprint.js";
import type { Formats } from "../formats/formats.js";
import { mediaTypeOf } from "./media-types.js";
import { OpeningFiles } from "./opening-files.js";
import { sendable } from "./sending-files.js";

export interface WholeFilesParts {
  readonly collection: Pick<CollectionContract, "listHoldings" | "findHoldings" | "listLibraries">;
  readonly formats: Formats;
  readonly fingerprints: FindingByFingerprint;
  readonly holders: Pick<Contributions<FileHolder>, "all">;
}

/** The files of issues, to be listed and sent as they are. */
export class WholeFiles implements FilesContent {
  readonly #opening: OpeningFiles;

  constructor(private readonly parts: WholeFilesParts) {
    this.#opening = new OpeningFiles(parts.collection);
  }

  open(path: string): Promise<OpenedFile | undefined> {
    return this.#opening.open(path);
  }

  send(file: { readonly path: string; readonly contentType: string }): Promise<SendableFile | undefined> {
    const holder = this.#holderOf(file.path);
    return holder ? holder.send(file) : sendable(this.#opening, file);
  }

  findByFingerprint(fingerprint: Fingerprint, viewer: Viewer): Promise<readonly FingerprintMatch[]> {
    return this.parts.fingerprints.find(fingerprint, viewer);
  }

  findFingerprints(issueIds: readonly number[]): Promise<ReadonlyMap<number, readonly IssueFingerprint[]>> {
    return this.parts.fingerprints.listOf(issueIds);
  }

  async findFile(issueId: number): Promise<WholeFile | undefined> {
    for (const holding of this.#preferred(await this.parts.collection.listHoldings(issueId)))
      if (this.#holderOf(holding.path) || (await this.#look(holding.path))?.kind === "file")
        return this.#describe(holding);
    return undefined;
  }

  async findParts(issueId: number): Promise<readonly WorkPart[] | undefined> {
    for (const { path } of await this.parts.collection.listHoldings(issueId)) {
      if ((await this.#look(path))?.kind === "folder") return this.#listParts(path);
    }
    return undefined;
  }

  async findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, WholeFile>> {
    const files = new Map<number, WholeFile>();
    const holdings = await this.parts.collection.findHoldings(issueIds);
    for (const [issueId, ofIssue] of Map.groupBy(holdings, (holding) => holding.issueId))
      files.set(issueId, this.#describe(this.#preferred(ofIssue)[0]!));
    return files;
  }

  #holderOf(path: string): FileHolder | undefined {
    return this.parts.holders.all().find(({ prefix }) => path.startsWith(prefix));
  }

  /** The visible entries of a folder. */
  async #listParts(folder: string): Promise<WorkPart[]> {
    // A folder that is away has no parts at present.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name);
    const parts: WorkPart[] = [];
    for (const name of names.toSorted(byName.compare)) {
      const path = join(folder, name);
      const found = await this.#look(path);
      if (found?.kind === "file") parts.push({ path, name, sizeBytes: found.sizeBytes });
    }
    return parts;
  }

  async #look(path: string): Promise<Pick<OpenedFile, "kind" | "sizeBytes"> | undefined> {
    // A file that cannot be opened is not offered.
    const opened = await this.open(path).catch(() => undefined);
    await opened?.close();
    return opened;
  }

  /** Of files that are equally good otherwise, and not measured in pages, the format that its plugin names first. */
  #preferred<H extends Holding>(holdings: readonly H[]): readonly H[] {
    if (holdings.length < 2) return holdings;
    const ranks = new Map(this.parts.formats.all().map(({ id }, rank) => [id, rank]));
    const rankOf = ({ format, pages }: Holding) => (pages > 0 ? 0 : (ranks.get(format ?? "") ?? ranks.size));
    const goodness = ({ valid, assigned, tagged, pages }: Holding) => [valid, assigned, tagged, pages].map(Number);
    return holdings.toSorted((one, other) => {
      const [mine, theirs] = [goodness(one), goodness(other)];
      const differing = mine.findIndex((value, index) => value !== theirs[index]);
      return differing === -1 ? rankOf(one) - rankOf(other) : theirs[differing]! - mine[differing]!;
    });
  }

  #describe(holding: Holding): WholeFile {
    const { path, name, sizeBytes, format } = holding;
    // Formats of single files have endings.
    const isFolder = this.parts.formats.find(format)?.extensions.length === 0;
    return { path, name, sizeBytes, format, isFolder, contentType: mediaTypeOf(holding, this.parts.formats) };
  }
}

const byName = new Intl.Collator("en", { numeric: true });
