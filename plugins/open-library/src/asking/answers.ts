import type { ParseJson } from "@longbox/sdk";
import { z } from "zod";
import type { OpenLibraryDatabase } from "../tables.js";

/** More than a hundred works with all their ISBNs hold. */
export const answerLimits = { maxValues: 400_000 } as const;
const most = { answers: 20_000, ageMs: 180 * 86_400_000 } as const;

/** The cache of Open Library's answers. */
export class KeptAnswers {
  readonly #asking = new Map<string, Promise<unknown>>();

  constructor(
    private readonly database: OpenLibraryDatabase,
    private readonly parseJson: ParseJson,
  ) {}

  /**
   * The cached answer if it is recent, otherwise a new one; when the request fails, an older cached one. `null` stands
   * for what Open Library does not have. Concurrent lookups share one request.
   */
  async fetch(
    key: string,
    { maxAgeMs, staleMs }: { readonly maxAgeMs: (answer: unknown) => number; readonly staleMs: number },
    ask: () => Promise<unknown>,
  ): Promise<unknown> {
    const kept = await this.database.selectFrom("answer").selectAll().where("key", "=", key).executeTakeFirst();
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : Date.now() - kept.fetched_at;
    const answer = kept && (await this.parseJson(kept.body, z.unknown(), answerLimits));
    if (kept && ageMs < maxAgeMs(answer)) return answer;
    try {
      return await this.#share(key, ask);
    } catch (fault) {
      if (kept && ageMs < staleMs) return answer;
      throw fault;
    }
  }

  /** Drops answers that are too old to be used, and the oldest of too many. */
  async tidy(): Promise<void> {
    const newest = await this.database
      .selectFrom("answer")
      .select("fetched_at")
      .orderBy("fetched_at", "desc")
      .offset(most.answers)
      .limit(1)
      .executeTakeFirst();
    await this.database
      .deleteFrom("answer")
      .where("fetched_at", "<", Math.max(Date.now() - most.ageMs, (newest?.fetched_at ?? 0) + 1))
      .execute();
  }

  #share(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const running = this.#asking.get(key);
    if (running) return running;
    const asking = this.#keep(key, ask).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #keep(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const answer = (await ask()) ?? null;
    const row = { key, body: JSON.stringify(answer), fetched_at: Date.now() };
    await this.database
      .insertInto("answer")
      .values(row)
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
    return answer;
  }
}
