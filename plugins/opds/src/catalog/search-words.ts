/** What a search is for. */
export interface Search {
  /** For the collection's own search of series. */
  readonly text: string;
  /** The numbers of the issues that are meant; none when all are. */
  readonly numbers: readonly string[];
}

/** Reads a search as people type it: `moth patrol #3`. */
export function readSearch(text: string): Search {
  return { text, numbers: [...text.matchAll(/(?:^|\s)#\s*([^\s#]+)/g)].map((match) => plainNumber(match[1]!)) };
}

/** The same search, when a number at its end is that of an issue: `moth patrol 3`. Undefined when it has none. */
export function readTrailingNumber(text: string): Search | undefined {
  const end = /^(.*\S)\s+(\d+(?:[.½¼¾]\d*)?)$/u.exec(text.trim());
  return end && !text.includes("#") ? readSearch(`${end[1]} #${end[2]}`) : undefined;
}

/** Numbers that are the same one way or another: `003` and `3`. */
export function plainNumber(number: string): string {
  return number.toLowerCase().replace(/^0+(?=\d)/, "");
}
