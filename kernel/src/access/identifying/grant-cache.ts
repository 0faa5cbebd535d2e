import { LRUCache } from "lru-cache";
import type { Grant } from "./grant.js";

/** A grant that was found for a credential, and when its use was last written down. */
export interface KeptGrant {
  readonly grant: Grant;
  readonly accountId: number;
  /** Milliseconds; a grant is not believed longer. */
  readonly expiresAt: number;
  notedAt: number;
}

const mostKept = 4096;

/**
 * Caches the grants of credentials by digest, so that requests do not query the database. Any change of accounts,
 * keys, sessions or roles clears the whole cache, including pending lookups.
 */
export class GrantCache {
  readonly #kept = new LRUCache<string, KeptGrant>({ max: mostKept });
  #generation = 0;

  get(key: string): KeptGrant | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.expiresAt > Date.now() ? kept : undefined;
  }

  async fetch(key: string, find: () => Promise<KeptGrant | undefined>): Promise<KeptGrant | undefined> {
    const generation = this.#generation;
    const found = await find();
    if (found !== undefined && generation === this.#generation) this.#kept.set(key, found);
    return found;
  }

  forget(): void {
    this.#generation += 1;
    this.#kept.clear();
  }
}
