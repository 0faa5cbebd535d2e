/** What a search is for. */
export interface Search {
  /** For the collection's own search of series. */
  readonly text: string;
  /** The numbers of the issues to find; empty for all. */
  readonly numbers: readonly string[];
}

/** Parses a search such as `moth patrol #3`. */
export function readSearch(text: string): Search {
  return { text, numbers: [...text.matchAll(/(?:^|\s)#\s*([^\s#]+)/g)].map((match) => plainNumber(match[1]!)) };
}

/** The same search, when a number at its end is that of an issue: `moth patrol 3`. Undefined when it has none. */
export function readTrailingNumber(text: string): Search | undefined {
  const end = /^(.*\S)\s+(\d+(?:[.½¼¾]\d*)?)$/u.exec(text.trim());
  return end && !text.includes("#") ? readSearch(`${end[1]} #${end[2]}`) : undefined;
}

/** Equal numbers in different forms: `003` and `3`. */
export function plainNumber(number: string): string {
  return number.toLowerCase().replace(/^0+(?=\d)/, "");
}
