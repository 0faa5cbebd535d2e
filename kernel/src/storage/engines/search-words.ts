import { foldText } from "@longbox/sdk";

/** Scripts that are written without spaces: each of their characters is a word of its own for an index. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const words = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** More words than any search has; each costs a look into the index. */
const mostWords = 32;

/**
 * Text as it goes into a full-text index: folded words with a space between them. The folding is done here and not by
 * the engine, so that every engine finds the same, in every alphabet.
 */
export function indexedText(text: string): string {
  return partsOf(text).flat().join(" ");
}

/**
 * The words that were typed, in folded form. Each is a list of parts that have to follow each other, the last one as a
 * prefix; only text without spaces has more than one. No part holds anything but letters, digits and marks.
 */
export function searchedWords(text: string): string[][] {
  return partsOf(text).slice(0, mostWords);
}

function partsOf(text: string): string[][] {
  return (foldText(text).match(words) ?? []).map((word) => word.replaceAll(unspaced, " $& ").trim().split(/ +/));
}
