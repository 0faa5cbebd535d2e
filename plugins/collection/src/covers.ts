import { createHash } from "node:crypto";
import { isLongboxError, reply, type Contributions, type FileCache, type OptionalCapability, type Reply, NotFound } from "@longbox/sdk";
import type { ImageFormat, ImagingContract } from "@longbox/imaging/contract";
import type { CoverSource } from "./contract.js";
import { contentTypeOf } from "./image-type.js";

export interface CoverWish {
  readonly issueId: number;
  readonly cvIssueId: number;
  /** Pixels; undefined leaves the image as it is. */
  readonly width: number | undefined;
  readonly accept: string | undefined;
}

interface Rendition {
  readonly width: number | undefined;
  readonly format: ImageFormat | undefined;
}

/** Covers: from the first source that has one, resized, and kept. */
export class Covers {
  readonly #sources: Contributions<CoverSource>;
  readonly #imaging: OptionalCapability<ImagingContract>;
  readonly #cache: FileCache;

  constructor(sources: Contributions<CoverSource>, imaging: OptionalCapability<ImagingContract>, cache: FileCache) {
    this.#sources = sources;
    this.#imaging = imaging;
    this.#cache = cache;
  }

  /** @throws {NotFound} `collection/no-cover` when no source has one */
  async answer(wish: CoverWish): Promise<Reply> {
    const found = await this.#findSource(wish);
    if (!found) throw new NotFound("collection/no-cover", "This issue has no cover.", { cvIssueId: wish.cvIssueId });
    const rendition = await this.#rendition(wish);
    const validator = createHash("sha256").update(JSON.stringify([wish.issueId, found.validator, rendition])).digest("hex").slice(0, 32);
    const make = async () => {
      const path = await this.#cache.fetch(validator, () => this.#make(found.source, wish, rendition));
      return { kind: "file", path, contentType: await contentTypeOf(path) } as const;
    };
    return reply.content(make, { validator, vary: ["Accept"], headers: { "Cache-Control": "private, no-cache" } });
  }

  async #findSource(wish: CoverWish): Promise<{ source: CoverSource; validator: string } | undefined> {
    const sources = this.#sources.all().toSorted((left, right) => left.rank - right.rank);
    for (const source of sources) {
      const validator = await source.validator(wish);
      if (validator !== undefined) return { source, validator };
    }
    return undefined;
  }

  async #rendition({ width, accept }: CoverWish): Promise<Rendition> {
    if (width === undefined || !this.#imaging.available()) return { width: undefined, format: undefined };
    return { width: await this.#imaging.use.snap(width), format: (await this.#imaging.use.chooseFormat(accept)) ?? "jpeg" };
  }

  async #make(source: CoverSource, wish: CoverWish, { width, format }: Rendition): Promise<Uint8Array> {
    const cover = await source.findCover(wish);
    if (!cover) throw new NotFound("collection/no-cover", "The cover is gone.", { cvIssueId: wish.cvIssueId });
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
