import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isLongboxError, type OptionalCapability, type Viewer } from "@longbox/sdk";
import type { CoversContract, IssueEvidence, ProviderIssue, SeriesEvidence } from "@longbox/collection/contract";
import { hashDistance, type ImagingContract } from "@longbox/imaging/contract";
import type { SourceVolume } from "../contract.js";
import type { Images } from "../images.js";
import type { MetadataDatabase } from "../tables.js";
import { pairs } from "./listed-issues.js";
import { unknown, type Part } from "./parts.js";
import { understandSeries } from "./understanding.js";

/** Of 128 bits. Copies of a cover differ in fewer, and other covers in more; between them nothing is said. */
const sameWithin = 24;
const otherFrom = 40;
/** Issues whose covers are compared: the first of them may be owned with a variant cover. */
const comparedIssues = 3;
const width = 160;

export interface CoverComparingParts {
  readonly covers: CoversContract;
  readonly imaging: OptionalCapability<ImagingContract>;
  readonly images: Images;
  readonly database: MetadataDatabase;
}

/** Compares the covers of owned issues with those of the provider, by perceptual hashes that are kept. */
export class CoverComparing {
  readonly #parts: CoverComparingParts;

  constructor(parts: CoverComparingParts) {
    this.#parts = parts;
  }

  /** One equal cover is enough. Where all are others it is another volume, or an edition of it. */
  async compare(
    evidence: SeriesEvidence,
    volume: Pick<SourceVolume, "issues">,
    { viewer, signal }: { readonly viewer: Viewer; readonly signal?: AbortSignal | undefined },
  ): Promise<Part> {
    if (!this.#parts.imaging.available()) return unknown;
    const distances: number[] = [];
    for (const [own, theirs] of pairs(understandSeries(evidence), volume)) {
      if (distances.length === comparedIssues) break;
      signal?.throwIfAborted();
      const distance = await this.#distance(own, theirs, viewer);
      if (distance === undefined) continue;
      if (distance <= sameWithin) return { points: 20, verdict: "for", reason: `same cover of number ${own.number}` };
      distances.push(distance);
    }
    if (distances.length === 0 || distances.some((distance) => distance < otherFrom)) return unknown;
    return { points: -20, verdict: "against", reason: "other covers" };
  }

  /** Hashes that were not asked for since are forgotten. */
  async tidy(olderThanMs: number): Promise<void> {
    const before = Date.now() - olderThanMs;
    await this.#parts.database.deleteFrom("cover_hash").where("kept_at", "<", before).execute();
  }

  async #distance(own: IssueEvidence, theirs: ProviderIssue, viewer: Viewer): Promise<number | undefined> {
    const left = await this.#ownHash(own.issueId, viewer);
    const right = left && (await this.#providersHash(theirs.cvIssueId));
    return left && right ? hashDistance(left, right) : undefined;
  }

  async #ownHash(issueId: number, viewer: Viewer): Promise<string | undefined> {
    const { covers } = this.#parts;
    const shape = { width, plain: true };
    const described = await covers.describe({ issueId }, shape, viewer);
    return described && (await this.#kept(`own ${described.validator}`, () => this.#readOwn(issueId, viewer)));
  }

  async #readOwn(issueId: number, viewer: Viewer): Promise<Uint8Array | undefined> {
    const content = await this.#parts.covers.read({ issueId }, { width, plain: true }, viewer);
    return content.kind === "file" ? await readFile(content.path) : undefined;
  }

  async #providersHash(cvIssueId: number): Promise<string | undefined> {
    const { images } = this.#parts;
    const validator = await images.validator("issue", cvIssueId);
    if (validator === undefined) return undefined;
    return await this.#kept(`provider ${validator}`, async () => readFile(await images.fetch("issue", cvIssueId)));
  }

  /** Undefined where there is no such cover, or no hash of it can be made: then it says nothing. */
  async #kept(name: string, read: () => Promise<Uint8Array | undefined>): Promise<string | undefined> {
    const { database, imaging } = this.#parts;
    const id = createHash("sha256").update(name).digest("hex").slice(0, 32);
    const row = await database.selectFrom("cover_hash").select("hash").where("id", "=", id).executeTakeFirst();
    if (row) return row.hash === "" ? undefined : row.hash;
    try {
      const bytes = await read();
      const hash = (bytes && (await imaging.use.perceptualHash(bytes))) ?? "";
      const kept = { id, hash, kept_at: Date.now() };
      await database
        .insertInto("cover_hash")
        .values(kept)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(kept))
        .execute();
      return hash === "" ? undefined : hash;
    } catch (fault) {
      if (isLongboxError(fault)) return undefined;
      throw fault;
    }
  }
}
