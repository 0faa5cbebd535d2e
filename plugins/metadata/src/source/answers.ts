import type { ParseJson } from "@longbox/sdk";
import { z } from "zod";
import type { MetadataDatabase } from "../tables.js";

/** How much an answer may hold: more than the longest volume's list of issues. */
export const answerLimits = { maxValues: 200_000 } as const;

/** The cache of provider answers. The key contains no secret. */
export class KeptAnswers {
  readonly #database: MetadataDatabase;
  readonly #parseJson: ParseJson;
  readonly #asking = new Map<string, Promise<unknown>>();

  constructor(database: MetadataDatabase, parseJson: ParseJson) {
    this.#database = database;
    this.#parseJson = parseJson;
  }

  /**
   * The cached answer if it is recent, otherwise a new one; when the request fails, an older cached one.
   * Concurrent lookups share one request.
   */
  async fetch(
    key: string,
    options: { maxAgeMs: number; staleMs: number },
    ask: () => Promise<unknown>,
  ): Promise<unknown> {
    const kept = await this.#database.selectFrom("answer").selectAll().where("key", "=", key).executeTakeFirst();
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Date.now() - kept.fetched_at;
    if (kept && ageMs < options.maxAgeMs) return await this.#read(kept.body);
    try {
      return await this.#share(key, ask);
    } catch (fault) {
      if (kept && ageMs < options.staleMs) return await this.#read(kept.body);
      throw fault;
    }
  }

  async count(): Promise<number> {
    const { total } = await this.#database
      .selectFrom("answer")
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return total;
  }

  /** Drops answers that are too old to be used. */
  async tidy(maxAgeMs: number): Promise<void> {
    await this.#database
      .deleteFrom("answer")
      .where("fetched_at", "<", Date.now() - maxAgeMs)
      .execute();
  }

  #read(body: string): Promise<unknown> {
    return this.#parseJson(body, z.unknown(), answerLimits);
  }

  #share(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const running = this.#asking.get(key);
    if (running) return running;
    const asking = this.#keep(key, ask).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #keep(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const answer = await ask();
    const row = { key, body: JSON.stringify(answer), fetched_at: Date.now() };
    await this.#database
      .insertInto("answer")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
    return answer;
  }
}
