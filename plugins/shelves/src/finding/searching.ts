import { titleWorth, worthInPlace } from "@longbox/collection/contract";
import type { FindableKind, FindableTexts } from "./findable.js";
import type { FittingWord } from "./words.js";

/** How much more the title of a series counts than, say, the name of an artist that fits as well. */
const kindWorth: Readonly<Record<FindableKind, number>> = {
  series: 33,
  issue: 8,
  arc: 7,
  character: 6,
  author: 5,
  artist: 4,
  narrator: 4,
  team: 4,
  publisher: 3,
};

/**
 * With fewer entries than this, those are added that have typing errors: where one word was typed, and where several
 * were.
 */
const fewOfOneWord = 3;
const fewOfSeveral = 1;
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
 * The entries that have every word, or words that begin so; the best of each kind, the best first. Whether words with
 * typing errors are looked for depends only on what the viewer can see, so that it says nothing of what is hidden.
 */
export function search(texts: FindableTexts, asked: Searched): Hit[] {
  const words = asked.words.slice(0, mostWords);
  if (words.length === 0) return [];
  const beginning = words.map((word) => texts.words.beginningWith(word));
  const exact = best(texts, beginning, asked);
  if (exact.length >= (words.length === 1 ? fewOfOneWord : fewOfSeveral)) return exact;
  const similar = words.map((word, at) => [...beginning[at]!, ...texts.words.similarTo(word, at === words.length - 1)]);
  if (similar.every((fitting, at) => fitting.length === beginning[at]!.length)) return exact;
  const known = new Set(exact.map(({ entry }) => entry));
  const others = best(texts, similar, asked).filter(({ entry }) => !known.has(entry));
  return [...exact, ...others].sort((one, other) => other.score - one.score);
}

/** Hears of an entry, and what its words are worth. */
type Visit = (entry: number, score: number) => void;

/**
 * Calls for the entries that have a fitting word for each of those that were asked for, what was added first comes
 * first. The entries of the rarest word are looked at; whether they have the others, their own words say.
 */
function match(texts: FindableTexts, fittings: ReadonlyArray<readonly FittingWord[]>, visit: Visit): void {
  const sizes = fittings.map((fitting) => fitting.reduce((sum, { word }) => sum + texts.countOf(word), 0));
  const rarest = sizes.indexOf(Math.min(...sizes));
  const scores = scoresOf(texts, fittings[rarest]!, rarest);
  const worths = fittings.map((fitting) => new Map(fitting.map(({ word, worth }) => [word, worth])));
  for (let entry = 0; entry < scores.length; entry++) {
    if (scores[entry] === 0) continue;
    const score = fittings.length === 1 ? scores[entry]! : scoreOf(texts, entry, worths);
    if (score > 0) visit(entry, score);
  }
}

/**
 * What the best of some words is worth in each entry, 0 where it has none.
 * @param at - The place of the word that was asked for
 */
function scoresOf(texts: FindableTexts, fitting: readonly FittingWord[], at: number): Uint8Array {
  const scores = new Uint8Array(texts.count);
  for (const word of fitting)
    texts.forEachWith(word, (entry, place) => {
      const score = word.worth + (place === at ? worthInPlace : 0);
      if (score > scores[entry]!) scores[entry] = score;
    });
  return scores;
}

/** 0 where one of the words is missing. */
function scoreOf(texts: FindableTexts, entry: number, worths: ReadonlyArray<ReadonlyMap<number, number>>): number {
  let sum = 0;
  for (const [at, worth] of worths.entries()) {
    let most = 0;
    texts.forEachOf(entry, (word, place) => {
      const own = worth.get(word);
      if (own !== undefined) most = Math.max(most, own + (place === at ? worthInPlace : 0));
    });
    if (most === 0) return 0;
    sum += most;
  }
  return sum;
}

/**
 * The best entries of each kind that are visible. What is not better than those that are kept is not even looked at.
 */
function best(texts: FindableTexts, fittings: ReadonlyArray<readonly FittingWord[]>, asked: Searched): Hit[] {
  const { limit, isVisible } = asked;
  const kept = new Map<FindableKind, Hit[]>();
  match(texts, fittings, (entry, sum) => {
    const kind = texts.kindOf(entry);
    const score = sum + titleWorth(texts.lengthOf(entry), sum, fittings.length) + kindWorth[kind];
    let hits = kept.get(kind);
    if (!hits) kept.set(kind, (hits = []));
    if (hits.length === limit && hits[limit - 1]!.score >= score) return;
    if (!isVisible(entry)) return;
    let place = hits.length;
    while (place > 0 && hits[place - 1]!.score < score) place--;
    hits.splice(place, 0, { entry, score });
    if (hits.length > limit) hits.pop();
  });
  return [...kept.values()].flat().sort((one, other) => other.score - one.score);
}
