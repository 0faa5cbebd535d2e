import { foldTitle } from "@longbox/sdk/light";

/** How much a word of a title counts that is the one that was typed, begins with it, or has typing errors. */
export const wordWorth = { same: 32, beginning: 20, oneTypo: 12, twoTypos: 8 } as const;
/** A word counts this much more when it is in the same place in the title as it was typed. */
export const worthInPlace = 4;

const wholeTitle = 40;
const beginningOfTitle = 20;
const mostPenalty = 10;

/**
 * How much a title counts beside its words: most when it is exactly what was typed, then when it begins so, and less
 * the more words it has.
 * @param length - the words of the title @param score - the sum of its words @param asked - the words that were typed
 */
export function titleWorth(length: number, score: number, asked: number): number {
  const wholeWord = wordWorth.same + worthInPlace;
  if (length === asked && score === asked * wholeWord) return wholeTitle;
  const begins = score >= (asked - 1) * wholeWord + wordWorth.beginning + worthInPlace;
  return (begins ? beginningOfTitle : 0) - Math.min(mostPenalty, Math.max(0, length - asked));
}

/** The words of a title or of what was typed, as they are compared. */
export function wordsOfTitle(text: string): readonly string[] {
  const folded = foldTitle(text);
  return folded === "" ? [] : folded.split(" ");
}

/** How well a title fits; undefined unless it has every word, or one that begins so. For plugins with few titles. */
export function scoreTitle(words: readonly string[], title: string): number | undefined {
  const own = wordsOfTitle(title);
  let score = 0;
  for (const [at, word] of words.entries()) {
    const places = own.map((text, place) => wordScore({ text, word }, place === at));
    const best = Math.max(0, ...places);
    if (best === 0) return undefined;
    score += best;
  }
  return words.length === 0 ? undefined : score + titleWorth(own.length, score, words.length);
}

function wordScore({ text, word }: { readonly text: string; readonly word: string }, isInPlace: boolean): number {
  if (!text.startsWith(word)) return 0;
  return (text === word ? wordWorth.same : wordWorth.beginning) + (isInPlace ? worthInPlace : 0);
}
