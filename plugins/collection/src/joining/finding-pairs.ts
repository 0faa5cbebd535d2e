import { alikePairs, type Titled } from "./alike-titles.js";

/** A series as it is compared with others. */
export interface ComparedSeries extends Titled {
  readonly year: number | null;
  readonly cv_id: number | null;
  readonly library_id: number | null;
  readonly type: string;
}

export interface PairRequest {
  /** JSON of arrays of {@link ComparedSeries}: texts cross to a thread at once, and each is written quickly. */
  readonly pages: readonly string[];
  /** Pairs that are two series, as a person said: the lower id, a hyphen, the higher id. */
  readonly apart: readonly string[];
  /** How many pairs are known already. */
  readonly skip: number;
  readonly limit: number;
}

export interface FoundPair {
  readonly one: number;
  readonly other: number;
  readonly reason: string;
}

/** Pairs of series that may be one, the surest reasons first. */
export function findPairs({ pages, apart, skip, limit }: PairRequest): FoundPair[] {
  const series = pages.flatMap((page) => JSON.parse(page) as ComparedSeries[]);
  series.sort((one, other) => compare(one.title_key, other.title_key) || one.id - other.id);
  const told = new Set(apart);
  const found: FoundPair[] = [];
  let passed = 0;
  for (const [one, other, reason] of alikePairs(series)) {
    if (told.has(pairKey(one.id, other.id)) || !mayBeOne(one, other) || ++passed <= skip) continue;
    found.push({ one: one.id, other: other.id, reason });
    if (found.length === limit) break;
  }
  return found;
}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

/** The same for both orders. */
export const pairKey = (one: number, other: number): string => `${Math.min(one, other)}-${Math.max(one, other)}`;

/** Two volumes, libraries or types, or years that differ, make two series. */
function mayBeOne(one: ComparedSeries, other: ComparedSeries): boolean {
  if (one.cv_id !== null && other.cv_id !== null) return false;
  if (one.type !== other.type || one.library_id !== other.library_id) return false;
  return one.year === null || other.year === null || one.year === other.year;
}
