import { wordWorth } from "@longbox/collection/contract";
import { Numbers } from "../columns/growing.js";

/** A word of the table, and how much it is worth that it fits a word that was asked for. */
export interface FittingWord {
  readonly word: number;
  readonly worth: number;
}

/** Words that are shorter have no typing errors: too many others differ from them by one letter. */
const leastTypoLength = 4;
const twoTyposLength = 8;
const longestWord = 60;

/** Every word that occurs in names and titles, with a number: found by its beginning, and in spite of typing errors. */
export class Words {
  readonly #numbers = new Map<string, number>();
  readonly #all: string[] = [];
  /** Which letters each word has, as bits: most words are told apart by them without comparing. */
  readonly #letters = new Numbers();
  #sorted: number[] = [];

  get count(): number {
    return this.#all.length;
  }

  /** In the order of their numbers. */
  get all(): readonly string[] {
    return this.#all;
  }

  add(text: string): number {
    const word = text.slice(0, longestWord);
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#all.length;
    this.#all.push(word);
    this.#numbers.set(word, number);
    this.#letters.push(lettersOf(word) >>> 0);
    return number;
  }

  /** The word itself and those that begin with it, the best first. */
  beginningWith(text: string): FittingWord[] {
    const sorted = this.#inOrder();
    const fitting: FittingWord[] = [];
    for (let at = this.#placeOf(text, sorted); at < sorted.length; at++) {
      const word = sorted[at]!;
      if (!this.#all[word]!.startsWith(text)) break;
      fitting.push({ word, worth: this.#all[word] === text ? wordWorth.same : wordWorth.beginning });
    }
    return fitting;
  }

  /**
   * Words that differ by a typing error or two: letters that are wrong, missing, added or swapped.
   * @param isPart - whether the text may be the beginning of a word
   */
  similarTo(text: string, isPart: boolean): FittingWord[] {
    // Other numbers are other numbers, not typing errors.
    const most = text.length < leastTypoLength || /\d/.test(text) ? 0 : text.length < twoTyposLength ? 1 : 2;
    if (most === 0 || text.length > longestWord) return [];
    const wanted = lettersOf(text);
    const letters = this.#letters.values;
    const fitting: FittingWord[] = [];
    for (let word = 0; word < letters.length; word++) {
      const has = letters[word]!;
      if (ones(wanted & ~has) > most || (!isPart && ones(has & ~wanted) > most)) continue;
      const errors = errorsBetween(text, this.#all[word]!, { most, isPart });
      if (errors > 0 && errors <= most)
        fitting.push({ word, worth: errors === 1 ? wordWorth.oneTypo : wordWorth.twoTypos });
    }
    return fitting.sort((one, other) => other.worth - one.worth);
  }

  /** Words that are new are sorted into the others when they are first looked for. */
  #inOrder(): readonly number[] {
    const { count } = this;
    if (this.#sorted.length === count) return this.#sorted;
    for (let word = this.#sorted.length; word < count; word++) this.#sorted.push(word);
    const all = this.#all;
    return this.#sorted.sort((one, other) => (all[one]! < all[other]! ? -1 : 1));
  }

  #placeOf(text: string, sorted: readonly number[]): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#all[sorted[middle]!]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** One bit for each letter from a to z, and five for digits and the letters of other alphabets. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    bits |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return bits;
}

function ones(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; count++) left &= left - 1;
  return count;
}

/**
 * How many letters are wrong, missing, added or swapped with the next (optimal string alignment), or one more than
 * `most` when there are more. With `isPart`, the text is compared with the beginning of the word that fits best.
 */
export function errorsBetween(
  text: string,
  word: string,
  { most, isPart }: { readonly most: number; readonly isPart: boolean },
): number {
  if (text.length - word.length > most || (!isPart && word.length - text.length > most)) return most + 1;
  const width = Math.min(word.length, text.length + most);
  let before = Array.from({ length: width + 1 }, () => 0);
  let above = Array.from({ length: width + 1 }, (_, at) => at);
  for (let row = 1; row <= text.length; row++) {
    const line = [row];
    for (let column = 1; column <= width; column++) {
      const differs = text[row - 1] === word[column - 1] ? 0 : 1;
      let errors = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + differs);
      const isSwapped =
        row > 1 && column > 1 && text[row - 1] === word[column - 2] && text[row - 2] === word[column - 1];
      if (isSwapped) errors = Math.min(errors, before[column - 2]! + 1);
      line.push(errors);
    }
    if (Math.min(...line) > most) return most + 1;
    [before, above] = [above, line];
  }
  return isPart ? Math.min(...above) : above[width]!;
}
