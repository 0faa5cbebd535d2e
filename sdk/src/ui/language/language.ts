/** The tag of a language that no translator has written: it marks every message, so that tests see what is none. */
export const pseudoLanguage = "en-XA";

const root = typeof document === "undefined" ? undefined : document.documentElement;

/** The language of the document: `en`, `de`. It does not change until the document is loaded again. */
export const language: string = root?.lang || "en";

export const isRightToLeft: boolean = root?.dir === "rtl";

/**
 * Whose dates and numbers are shown: the browser's, where it is of the same language (`en-GB` for `en`), or the
 * language's own.
 */
export const locale: string | undefined = root === undefined ? undefined : localeOf(language, navigator.languages);

function localeOf(tag: string, preferred: readonly string[]): string {
  return preferred.find((other) => primary(other) === primary(tag)) ?? tag;
}

function primary(tag: string): string | undefined {
  return tag.split("-", 1)[0];
}

const collator = new Intl.Collator(locale, { numeric: true });

/** Compares texts for sorting as the language does; `#9` stands before `#10`. */
export function compareTexts(one: string, other: string): number {
  return collator.compare(one, other);
}
