import { createHash } from "node:crypto";
import {
  ImageTypes,
  isLongboxError,
  NotFound,
  reply,
  type Content,
  type Contributions,
  type FileCache,
  type OptionalCapability,
  type Reply,
} from "@longbox/sdk";
import type { ImageFormat, ImagingContract } from "@longbox/imaging/contract";
import type { CoverSource } from "../contract.js";
import type { CoverShape } from "./covers-contract.js";
import { FewAtATime } from "./few-at-a-time.js";

/** A picture of a comic may have 64 MB, and is held until it is rendered and kept. */
const mostFromDisk = 3;
/** Those of other servers are smaller, and mostly waited for. */
const mostFromElsewhere = 8;

/** Files that are opened at a time to see whether they have a cover. */
const mostLooks = 8;

/** The issue whose cover it is. */
export interface CoveredIssue {
  readonly issueId: number;
  readonly cvIssueId: number;
  /** The page that is shown, from 0; without one, as the source sees fit. */
  readonly page?: number | undefined;
}

interface Rendition {
  readonly width: number | undefined;
  readonly format: ImageFormat | undefined;
}

/** A cover that is there and need not have been made yet. */
export interface FoundCover {
  readonly validator: string;
  /** @throws {NotFound} `collection/no-cover` when it has gone meanwhile */
  make(): Promise<Content>;
}

/** Covers: from the first source that has one, resized, and kept. */
export class KeptCovers {
  readonly #sources: Contributions<CoverSource>;
  readonly #imaging: OptionalCapability<ImagingContract>;
  readonly #cache: FileCache;
  readonly #types = new ImageTypes();
  readonly #fromDisk = new FewAtATime(mostFromDisk);
  readonly #fromElsewhere = new FewAtATime(mostFromElsewhere);
  readonly #looks = new FewAtATime(mostLooks);

  constructor(sources: Contributions<CoverSource>, imaging: OptionalCapability<ImagingContract>, cache: FileCache) {
    this.#sources = sources;
    this.#imaging = imaging;
    this.#cache = cache;
  }

  /** @returns undefined when no source has one */
  async find(issue: CoveredIssue, shape: CoverShape): Promise<FoundCover | undefined> {
    const found = await this.#findSource(issue);
    if (!found) return undefined;
    const rendition = await this.#rendition(shape);
    const validator = createHash("sha256")
      .update(JSON.stringify([issue.issueId, found.validator, rendition]))
      .digest("hex")
      .slice(0, 32);
    const make = async () => {
      const path = await this.#cache.fetch(validator, () => this.#makeInTurn(found.source, issue, rendition));
      return { kind: "file", path, contentType: await this.#types.of(path) } as const;
    };
    return { validator, make };
  }

  /** The ids of the issues that some source has a cover for. */
  async findCovered(issues: readonly CoveredIssue[]): Promise<ReadonlySet<number>> {
    const covered = new Set<number>();
    for (const source of this.#inOrder()) {
      const left = issues.filter(({ issueId }) => !covered.has(issueId));
      if (left.length === 0) break;
      for (const issueId of await this.#coveredBy(source, left)) covered.add(issueId);
    }
    return covered;
  }

  /** @throws {NotFound} `collection/no-cover` when no source has one */
  async answer(issue: CoveredIssue, shape: CoverShape): Promise<Reply> {
    const cover = await this.find(issue, shape);
    if (!cover) throw noCover(issue);
    const { make, validator } = cover;
    return reply.content(make, { validator, vary: ["Accept"], headers: { "Cache-Control": "private, no-cache" } });
  }

  async #findSource(issue: CoveredIssue): Promise<{ source: CoverSource; validator: string } | undefined> {
    for (const source of this.#inOrder()) {
      const validator = await source.validator(issue);
      if (validator !== undefined) return { source, validator };
    }
    return undefined;
  }

  async #coveredBy(source: CoverSource, issues: readonly CoveredIssue[]): Promise<readonly number[]> {
    if (source.findCovered) return source.findCovered(issues.map(({ issueId }) => issueId));
    // One that cannot be looked at may be there: the request that reads it says what is wrong.
    const mayHave = (issue: CoveredIssue) =>
      source.validator(issue).then(
        (validator) => validator !== undefined,
        () => true,
      );
    const covered = await Promise.all(issues.map((issue) => this.#looks.run(() => mayHave(issue))));
    return issues.filter((_, index) => covered[index]).map(({ issueId }) => issueId);
  }

  #inOrder(): CoverSource[] {
    return this.#sources.all().toSorted((left, right) => left.rank - right.rank);
  }

  async #rendition({ width, accept, plain }: CoverShape): Promise<Rendition> {
    const asItIs = width === undefined && !plain;
    if (asItIs || !this.#imaging.available()) return { width: undefined, format: undefined };
    const format = plain ? "jpeg" : await this.#imaging.use.chooseFormat(accept);
    return { width: width === undefined ? undefined : await this.#imaging.use.snap(width), format: format ?? "jpeg" };
  }

  /** So that many requests at once hold few pictures. */
  #makeInTurn(source: CoverSource, issue: CoveredIssue, rendition: Rendition): Promise<Uint8Array> {
    const turns = source.isRemote ? this.#fromElsewhere : this.#fromDisk;
    return turns.run(() => this.#make(source, issue, rendition));
  }

  async #make(source: CoverSource, issue: CoveredIssue, { width, format }: Rendition): Promise<Uint8Array> {
    const cover = await source.findCover(issue);
    if (!cover) throw noCover(issue);
    if (format === undefined) return cover.bytes;
    try {
      return (await this.#imaging.use.render(cover.bytes, { width, format })).bytes;
    } catch (problem) {
      // An image that cannot be changed is better than none.
      if (isLongboxError(problem) && problem.code.startsWith("imaging/")) return cover.bytes;
      throw problem;
    }
  }
}

function noCover({ cvIssueId }: CoveredIssue): NotFound {
  return new NotFound("collection/no-cover", "There is no cover.", { cvIssueId });
}
