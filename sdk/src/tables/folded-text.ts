import { sql, type Expression, type SqlBool } from "kysely";

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
/** Sorts after every text that begins like the one before it. */
const last = "\u{10ffff}";

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

/** The condition that a column of folded text begins with this text. An index on the column serves it. */
export function beginsWith(column: string, text: string): Expression<SqlBool> {
  const folded = foldText(text);
  return sql<SqlBool>`(${sql.ref(column)} >= ${folded} and ${sql.ref(column)} < ${folded + last})`;
}

/** The condition that a column of folded text contains this text anywhere. Every row is looked at. */
export function containsText(column: string, text: string): Expression<SqlBool> {
  const pattern = `%${foldText(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
