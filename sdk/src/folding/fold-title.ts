import { foldText } from "./fold-text.js";

const apostrophes = /['’‘‛`ʼ]/gu;
/** Articles of the languages in which titles are sorted without them; the elided one of French and Italian too. */
const names = "the|an?|der|die|das|les?|la|el|los|las|il|lo|gli|de|het";
const articles = new RegExp(`^(?:${names}) (?=.)`, "u");
/** As in catalogs: `Salt Road, The`. */
const inverted = new RegExp(`(?<=.), ?(?:${names})$`, "u");
const elided = /^l['’‘‛`ʼ](?=\p{L})/u;

/**
 * The words of a text, folded as by `foldText` and separated by one space. Punctuation separates words, an apostrophe
 * does not; `&` is `and`; numbers have no separators of thousands. Leading zeros are kept for sorting.
 */
export function foldWords(text: string): string {
  return foldText(text)
    .replaceAll(apostrophes, "")
    .replaceAll("&", " and ")
    .replaceAll(/(?<=\d)[.,](?=\d{3}(?!\d))/gu, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/**
 * The key by which titles are compared and sorted: {@link foldWords} without a leading article or a trailing article.
 * Two titles with the same key are the same title in other spelling. A title of nothing but punctuation is folded as
 * text, so that no key is empty unless its title is.
 */
export function foldTitle(title: string): string {
  return foldWords(foldText(title).replace(elided, "").replace(inverted, "")).replace(articles, "") || foldText(title);
}
