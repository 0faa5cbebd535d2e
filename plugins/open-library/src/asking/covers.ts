import { readFile } from "node:fs/promises";
import {
  imageTypeOf,
  ImageTypes,
  NotFound,
  type Content,
  type Fetch,
  type FileCache,
  type OutgoingHost,
} from "@longbox/sdk";
import type { CoverSource } from "@longbox/collection/contract";
import { NoCover, OpenLibraryFailure } from "../errors.js";
import type { BookRecords } from "../matching/book-records.js";
import type { OpenLibraryDatabase } from "../tables.js";
import type { FoundWork } from "../works.js";
import { keyFor, type AskOptions } from "./library-client.js";

type Audience = AskOptions["viewer"];
interface CoverParts {
  readonly database: OpenLibraryDatabase;
  readonly cache: FileCache;
  readonly fetch: Fetch;
  readonly host: () => OutgoingHost;
  readonly access: () => { readonly coversUrl: string; readonly userAgent: string };
}

const maxBytes = 10 * 1024 * 1024;

/** The covers of works that were found, each fetched once, by the server. */
export class WorkCovers {
  readonly #types = new ImageTypes();

  constructor(private readonly parts: CoverParts) {}

  /** Remembers which covers the answers of a search named: only those are fetched. */
  async remember(works: ReadonlyArray<Pick<FoundWork, "id" | "coverId">>, viewer?: Audience): Promise<void> {
    const rows = works.flatMap(({ id, coverId }) =>
      coverId === undefined ? [] : [{ work: keyFor(id, viewer), cover_id: coverId }],
    );
    if (rows.length === 0) return;
    await this.parts.database
      .insertInto("work_cover")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("work").doUpdateSet((eb) => ({ cover_id: eb.ref("excluded.cover_id") })),
      )
      .execute();
  }

  /** Whether an answer to a viewer like this one has named the cover of a work. */
  async knows(workId: string, viewer: Audience): Promise<boolean> {
    return (await this.#find(workId, viewer)) !== undefined;
  }

  /** @throws {NotFound} `open-library/no-cover` @throws {OpenLibraryFailure} */
  async read(workId: string, viewer: Audience): Promise<{ readonly content: Content; readonly validator: string }> {
    const coverId = await this.#find(workId, viewer);
    if (coverId === undefined) throw new NoCover(workId);
    const path = await this.fetch(coverId, viewer);
    const contentType = await this.#types.of(path);
    return { content: { kind: "file", path, contentType }, validator: String(coverId) };
  }

  /** The path of the kept image. @throws {NotFound} `open-library/no-cover` @throws {OpenLibraryFailure} */
  fetch(coverId: number, viewer?: Audience): Promise<string> {
    return this.parts.cache.fetch(keyFor(String(coverId), viewer).replace(" ", "-"), () => this.#download(coverId));
  }

  async #find(workId: string, viewer: Audience): Promise<number | undefined> {
    const row = await this.parts.database
      .selectFrom("work_cover")
      .select("cover_id")
      .where("work", "=", keyFor(workId, viewer))
      .executeTakeFirst();
    return row?.cover_id;
  }

  async #download(coverId: number): Promise<Uint8Array> {
    const { coversUrl, userAgent } = this.parts.access();
    // Without `default` an image that is not there is answered with a blank one.
    const url = `${coversUrl.replace(/\/+$/, "")}/b/id/${coverId}-L.jpg?default=false`;
    const headers = { "user-agent": userAgent, accept: "image/*" };
    const answer = await this.parts
      .host()
      .fetch(url, { headers, maxBytes, timeoutMs: 20_000 })
      .catch((cause: unknown) => {
        throw new OpenLibraryFailure("The cover cannot be fetched.", { cause });
      });
    if (answer.status === 404) throw new NoCover(String(coverId));
    const bytes = answer.ok ? await answer.bytes() : undefined;
    // The first bytes decide, not the header: an SVG could hold scripts.
    if (bytes === undefined || imageTypeOf(bytes) === undefined)
      throw new OpenLibraryFailure(`Open Library answers ${answer.status} where a cover should be.`);
    return bytes;
  }
}

/** Covers of books that have none on disk. */
export function bookCovers(covers: WorkCovers, records: BookRecords): CoverSource {
  const coverIdOf = async (issueId: number) => (await records.find([issueId])).get(issueId)?.coverId;
  return {
    rank: 110,
    isRemote: true,
    async validator({ issueId }) {
      const coverId = await coverIdOf(issueId);
      return coverId === undefined ? undefined : `open-library-${coverId}`;
    },
    async findCover({ issueId }) {
      const coverId = await coverIdOf(issueId);
      if (coverId === undefined) return undefined;
      try {
        const bytes = await readFile(await covers.fetch(coverId));
        return { bytes, contentType: imageTypeOf(bytes) ?? "application/octet-stream" };
      } catch (fault) {
        if (fault instanceof NotFound) return undefined;
        throw fault;
      }
    },
  };
}
