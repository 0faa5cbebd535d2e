const glyphs: Readonly<Record<string, string>> = {
  "¼": ".25",
  "½": ".5",
  "¾": ".75",
  "⅓": ".333",
  "⅔": ".667",
  "⅕": ".2",
  "⅖": ".4",
  "⅗": ".6",
  "⅘": ".8",
  "⅙": ".167",
  "⅚": ".833",
  "⅛": ".125",
  "⅜": ".375",
  "⅝": ".625",
  "⅞": ".875",
};
const articles = /^(?:the|an?|der|die|das|les?|la|el|los|las|il|lo|gli|de|het) (?=.)/;

/** A series' name without what writers disagree about: accents, case, punctuation, `&`, a leading article. */
export function nameKey(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['’`]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words.replace(articles, "") || name.trim().toLowerCase();
}

/** An issue's number without what writers disagree about: `#`, leading zeros, `½` for `.5`, case. `Annual 1` stays apart from `1`. */
export function numberKey(number: string): string {
  const plain = number
    .normalize("NFC")
    .replace(/[¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]/g, (glyph) => glyphs[glyph] as string)
    .replace(/−/g, "-")
    .trim()
    .toLowerCase()
    .replace(/^#\s*/, "")
    .replace(/\s+/g, " ");
  return plain
    .replace(/^(-?)0+(?=\d)/, "$1")
    .replace(/^(-?)\./, "$10.")
    .replace(/^(-?\d+)\.0+(?!\d)/, "$1")
    .replace(/^(-?\d+\.\d*?[1-9])0+(?!\d)/, "$1");
}

/** The year in a text such as `2019`; a volume may also be a count, such as `2`. */
export function yearOf(text: string): number | undefined {
  return /^(1[89]|2[01])\d\d$/.test(text.trim()) ? Number(text) : undefined;
}
