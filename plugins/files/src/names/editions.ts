/** How collected editions and one-shots are written: the words in small letters, and the name we give them. */
const phrases: ReadonlyArray<readonly [string, string]> = [
  ["tpb", "TPB"],
  ["tpbs", "TPB"],
  ["trade paperback", "TPB"],
  ["softcover", "TPB"],
  ["soft cover", "TPB"],
  ["hc", "HC"],
  ["hardcover", "HC"],
  ["hard cover", "HC"],
  ["omnibus", "Omnibus"],
  ["compendium", "Compendium"],
  ["gn", "GN"],
  ["ogn", "GN"],
  ["graphic novel", "GN"],
  ["deluxe edition", "Deluxe"],
  ["deluxe", "Deluxe"],
  ["absolute edition", "Absolute"],
  ["intégrale", "Integral"],
  ["integrale", "Integral"],
  ["integral", "Integral"],
  ["gesamtausgabe", "Integral"],
  ["one shot", "One-Shot"],
  ["one-shot", "One-Shot"],
  ["oneshot", "One-Shot"],
];

const labels = new Map(phrases);
const firstWords = new Set(phrases.map(([phrase]) => phrase.split(/[ -]/)[0]!));

/** Whether an edition's words may begin with this one. */
export const mayBeginEdition = (key: string): boolean => firstWords.has(key);

/** The edition that exactly these words name: `TPB`, `HC`, `One-Shot` … */
export const editionOf = (words: string): string | undefined => labels.get(words);

const mentioned =
  /\b(?:(tpb|trade paperback)|(hc|hardcover|hard cover)|(omnibus)|(compendium)|(gn|graphic novel|ogn)|(deluxe edition)|(absolute)(?= edition))\b/iu;
const mentionedLabels = ["TPB", "HC", "Omnibus", "Compendium", "GN", "Deluxe", "Absolute"];

/** The short name of a collected edition that a text speaks of, such as the format in a file's tags. */
export function collectedEdition(text: string): string | undefined {
  const found = mentioned.exec(text);
  return found ? mentionedLabels[found.slice(1).findIndex((part) => part !== undefined)] : undefined;
}
