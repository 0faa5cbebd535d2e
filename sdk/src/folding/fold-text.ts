/** Combining marks of Latin, Greek and Cyrillic, and vowel points of Hebrew and Arabic. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu;
/** Letters that Unicode does not decompose. */
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

/** Most texts are plain ASCII, of which only case and spaces are folded. */
const plain = /^[ -~]*$/;

/**
 * Folds case, accents, width and ligatures, in every alphabet, so that texts that are equal to a
 * reader are equal in the database. Marks that make a different letter, as in Japanese or Hindi, are kept.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
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
