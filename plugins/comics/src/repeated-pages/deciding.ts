import type { CollectionContract } from "@longbox/collection/contract";
import { areAlike, hashWords } from "./alike.js";
import { eachHash } from "./each-hash.js";
import type { HiddenPages } from "./hidden-pages.js";
import type { PictureState, RepeatedPictures } from "./repeated-pictures.js";
import type { HiddenPageTable, RepeatedPagesDatabase } from "./tables.js";

const rowsAtOnce = 500;

export interface DecidingParts {
  readonly database: RepeatedPagesDatabase;
  readonly collection: Pick<CollectionContract, "hidePages">;
  readonly hidden: HiddenPages;
  readonly pictures: RepeatedPictures;
}

/**
 * What a person decided about repeated pictures, and the pages that are hidden for it. Every decision can be taken
 * back.
 */
export class Deciding {
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: DecidingParts) {}

  /** Reads the hidden pages, which readers need from the beginning. */
  async load(): Promise<void> {
    this.parts.hidden.replace(await this.parts.database.selectFrom("hidden_page").selectAll().execute());
  }

  /**
   * `open` takes back what was decided.
   * @returns how many pages are hidden now
   * @throws {NotFound} `comics/no-such-picture`
   */
  async decide(hash: string, state: PictureState): Promise<number> {
    const { pictures, database } = this.parts;
    const picture = await pictures.get(hash);
    await database.deleteFrom("decided_picture").where("hash", "=", picture.hash).execute();
    if (state !== "open")
      await database.insertInto("decided_picture").values({ hash, state, decided_at: Date.now() }).execute();
    return await this.apply();
  }

  /**
   * Hides the pages of every hidden picture in all files, and shows all others. @returns how many pages are hidden
   * @param hashed - files that were hashed since: what the collection counts of them may be that of another path
   */
  apply(hashed: readonly string[] = []): Promise<number> {
    const turn = this.#turn.then(() => this.#apply(hashed));
    // The caller gets the failure; the next turn does not depend on it.
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #apply(hashed: readonly string[]): Promise<number> {
    const { database, collection, hidden } = this.parts;
    const before = await database.selectFrom("hidden_page").selectAll().execute();
    const rows = await this.#pagesToHide();
    await database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("hidden_page").execute();
      for (let at = 0; at < rows.length; at += rowsAtOnce)
        await transaction
          .insertInto("hidden_page")
          .values(rows.slice(at, at + rowsAtOnce))
          .execute();
    });
    hidden.replace(rows);
    await collection.hidePages(changedCounts([...before.map(({ path }) => path), ...hashed], rows));
    return rows.length;
  }

  async #pagesToHide(): Promise<HiddenPageTable[]> {
    const decided = await this.parts.database
      .selectFrom("decided_picture")
      .select("hash")
      .where("state", "=", "hidden")
      .execute();
    const pictures = decided.map(({ hash }) => hashWords(hash));
    if (pictures.length === 0) return [];
    const alike: string[] = [];
    for await (const hash of eachHash(this.parts.database)) {
      const words = hashWords(hash);
      if (pictures.some((picture) => areAlike(picture, words))) alike.push(hash);
    }
    const rows: HiddenPageTable[] = [];
    for (let at = 0; at < alike.length; at += rowsAtOnce)
      rows.push(...(await this.#pagesWith(alike.slice(at, at + rowsAtOnce))));
    return rows;
  }

  async #pagesWith(hashes: readonly string[]): Promise<HiddenPageTable[]> {
    return await this.parts.database
      .selectFrom("page_hash")
      .innerJoin("hashed_file", "hashed_file.path", "page_hash.path")
      .select(["page_hash.path", "page_hash.page", "page_hash.size", "hashed_file.pages", "hashed_file.validator"])
      .where("page_hash.hash", "in", [...hashes])
      .execute();
  }
}

function changedCounts(paths: readonly string[], now: readonly HiddenPageTable[]) {
  const counts = new Map(paths.map((path) => [path, 0]));
  for (const { path } of now) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].map(([path, hidden]) => ({ path, hidden }));
}
