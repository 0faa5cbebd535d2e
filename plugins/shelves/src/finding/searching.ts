import { titleWorth, worthInPlace } from "@longbox/collection/contract";
import type { FindableKind, FindableTexts } from "./findable.js";
import type { FittingWord } from "./words.js";

/** How much more the title of a series counts than, say, the name of an artist that fits as well. */
const kindWorth: Readonly<Record<FindableKind, number>> = {
  series: 12,
  issue: 8,
  arc: 7,
  character: 6,
  author: 5,
  artist: 4,
  narrator: 4,
  team: 4,
  publisher: 3,
};

/** With fewer entries than this, those are added that have typing errors. */
const fewHits = 3;
export const mostWords = 8;

export interface Hit {
  readonly entry: number;
  readonly score: number;
}

export interface Searched {
  readonly words: readonly string[];
  /** Of each kind. */
  readonly limit: number;
  /** Whether the viewer may know of an entry, and it is not out of date. */
  isVisible(entry: number): boolean;
}

/**
 * The entries that have every word, or words that begin so; the best of each kind, the best first. Whether words with typing
 * errors are looked for depends only on what the viewer can see, so that it says nothing of what is hidden.
 */
export function search(texts: FindableTexts, asked: Searched): Hit[] {
  const words = asked.words.slice(0, mostWords);
  if (words.length === 0) return [];
  const beginning = words.map((word) => texts.words.beginningWith(word));
  const exact = best(texts, matching(texts, beginning), { ...asked, words });
  if (exact.length >= fewHits) return exact;
  const similar = words.map((word, at) => [...beginning[at]!, ...texts.words.similarTo(word, at === words.length - 1)]);
  if (similar.every((fitting, at) => fitting.length === beginning[at]!.length)) return exact;
  const known = new Set(exact.map(({ entry }) => entry));
  const others = best(texts, matching(texts, similar), { ...asked, words }).filter(({ entry }) => !known.has(entry));
  return [...exact, ...others].sort((one, other) => other.score - one.score);
}

interface Matching {
  readonly entries: readonly number[];
  /** By entry. */
  readonly scores: Uint16Array;
}

/** The entries that have a fitting word for each of those that were asked for. */
function matching(texts: FindableTexts, fittings: ReadonlyArray<readonly FittingWord[]>): Matching {
  const scores = new Uint16Array(texts.count);
  const matched = new Uint8Array(texts.count);
  let entries: number[] = [];
  for (const [at, fitting] of fittings.entries()) {
    const found: number[] = [];
    for (const word of fitting) {
      texts.forEachWith(word, (entry, place) => {
        if (matched[entry] !== at) return;
        matched[entry] = at + 1;
        scores[entry]! += word.worth + (place === at ? worthInPlace : 0);
        found.push(entry);
      });
    }
    entries = found;
    if (entries.length === 0) break;
  }
  return { entries, scores };
}

/** The best entries of each kind that are visible. What is not better than those that are kept is not even looked at. */
function best(texts: FindableTexts, { entries, scores }: Matching, { words, limit, isVisible }: Searched): Hit[] {
  const kept = new Map<FindableKind, Hit[]>();
  // The lists of words begin with what was added last: of entries that fit as well, the first to be added is kept.
  for (const entry of entries.toReversed()) {
    const kind = texts.kindOf(entry);
    const score = scores[entry]! + titleWorth(texts.lengthOf(entry), scores[entry]!, words.length) + kindWorth[kind];
    let hits = kept.get(kind);
    if (!hits) kept.set(kind, (hits = []));
    if (hits.length === limit && hits[limit - 1]!.score >= score) continue;
    if (!isVisible(entry)) continue;
    let place = hits.length;
    while (place > 0 && hits[place - 1]!.score < score) place--;
    hits.splice(place, 0, { entry, score });
    if (hits.length > limit) hits.pop();
  }
  return [...kept.values()].flat().sort((one, other) => other.score - one.score);
}
