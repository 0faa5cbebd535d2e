/** What a search is for: words, and the number of an issue where `#` names one. */
export function readSearch(text: string): { words: string; number: string | undefined } {
  const number = /(?:^|\s)#(\S+)/.exec(text);
  const words = number ? text.replace(number[0], " ") : text;
  return { words: words.trim().replace(/\s+/g, " "), number: number?.[1]?.toLowerCase() };
}
