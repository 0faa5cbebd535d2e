import type { ReleaseQuery } from "@longbox/downloads/contract";

const mostAliases = 3;

/** What to search for, one after the other until something is found: titles of releases write numbers with zeros. */
export function wordsFor({ series, aliases, issue, typed, packs }: ReleaseQuery): string[] {
  const titles = [series, ...aliases.slice(0, mostAliases)].map(plainWords).filter((title) => title !== "");
  if (typed || packs || !issue) return titles;
  if (issue.number === "") return titles.map((title) => `${title} ${plainWords(issue.title ?? "")}`.trim());
  const number = plainWords(issue.number);
  const padded = /^\d{1,2}$/u.test(number) ? number.padStart(3, "0") : number;
  const [first, ...others] = titles;
  const words = [`${first} ${padded}`, `${first} ${number}`, ...others.map((title) => `${title} ${padded}`)];
  return [...new Set(words)];
}

/** Indexers compare words: signs between them only get in the way. */
function plainWords(text: string): string {
  return text
    .replaceAll(/['’]/gu, "")
    .replaceAll(/[^\p{L}\p{N}½.-]+/gu, " ")
    .trim()
    .slice(0, 200);
}
