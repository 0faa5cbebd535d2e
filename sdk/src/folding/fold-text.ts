/** Marks that are written over or under letters of Latin, Greek and Cyrillic; vowel points of Hebrew and Arabic. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu;
/** Letters that Unicode does not take apart. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ς: "σ",
};
const special = new RegExp(`[${Object.keys(letters).join("")}]`, "gu");

/**
 * Text without the difference of capitals, accents, width and ligatures, in every alphabet, so that what is equal to a
 * reader is equal to a database. Marks that make another letter, as in Japanese or Hindi, stay.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(accents, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(accents, "")
    .replaceAll(special, (letter) => letters[letter] ?? letter)
    .replaceAll(/\s+/gu, " ")
    .trim();
}
