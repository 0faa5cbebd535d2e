/** Words that do not count where titles are sorted and compared. */
const articles = /^(?:the|an?|der|die|das|les?|la|el|los|las|il|lo|gli|de|het) (?=.)/;

/** Folds a title for sorting and finding: no accents, no case, no punctuation, no leading article. */
export function titleKey(title: string): string {
  const words = title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['’`]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words.replace(articles, "") || title.trim().toLowerCase();
}
