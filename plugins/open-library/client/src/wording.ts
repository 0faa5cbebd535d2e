import { t, language } from "@longbox/sdk/ui";
import type { ReviewedBook, WorkRow } from "@longbox/open-library/api";

const shownLanguages = 4;

/** `de`, `pl` as a reader calls them. */
function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(tag) ?? tag;
  } catch {
    // Not every code of Open Library is one that browsers take.
    return tag;
  }
}

/** `1999 · English, German · Tides 2` */
export function factsOf({ year, languages, series }: Pick<WorkRow, "year" | "languages" | "series">): string {
  const more = languages.length - shownLanguages;
  const shown = languages.slice(0, shownLanguages).map(languageName).join(", ");
  const named = more > 0 ? t("wording.andMore", { languages: shown, more }) : shown;
  const [first] = series;
  const place = first ? [first.name, first.number].filter(Boolean).join(" ") : "";
  return [year === null ? "" : String(year), named, place].filter(Boolean).join(" · ");
}

/** What the library knows of a book: `2014 · English · ISBN 9780306406157` */
export function bookFacts({ year, language, isbns }: ReviewedBook): string {
  const isbn = isbns[0] === undefined ? "" : t("wording.isbn", { value: isbns[0] });
  return [year === null ? "" : String(year), language === null ? "" : languageName(language), isbn]
    .filter(Boolean)
    .join(" · ");
}

export function byAuthors(authors: readonly string[]): string {
  return authors.length === 0 ? t("wording.authorUnknown") : t("wording.by", { authors: authors.join(", ") });
}
