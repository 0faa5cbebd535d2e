import { containsText, foldWords } from "@longbox/sdk";
import type { Expression, SqlBool } from "kysely";

/** Stands before each word, so that the beginning of a word can be found. No folded word contains it. */
const mark = "|";

/** The words of an issue's title as the column `title_words` holds them: `|the|salt|road`. */
export function titleWords(title: string | null | undefined): string | null {
  return title === null || title === undefined ? null : marked(title);
}

/** The condition that a title has these words one after the other; the last may be the beginning of a word. */
export function hasTitleWords(words: string): Expression<SqlBool> {
  return containsText("issue.title_words", marked(words));
}

function marked(text: string): string {
  return foldWords(text).replaceAll(/(?:^| )(?=.)/gu, mark);
}
