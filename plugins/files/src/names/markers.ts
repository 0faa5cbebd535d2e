/** Words that announce an issue's or a chapter's number, in the languages in which comics are often named. */
const issueWords = "issue|no\\.|nr\\.|n\\.º|nº|n°|№|num(?:ber|ero|éro)?\\.?";
const chapterWords = "ch(?:ap(?:ter|itre)?)?|chp|ep(?:isode)?|cap(?:[ií]tulo)?|kap(?:itel)?|глава|c";
const volumeWords = "v|vol(?:ume|umen)?|book|tome|t|band|bd|tomo|том|deel|season";

/** A number as it stands in names: `12`, `-1`, `1.5`, `½`, `1½`, `078.BEY`, `12A`, `5 extra`. */
export const numberPattern =
  "-?(?:\\d+(?:[.,]\\d+)*[½¼¾]?|[½¼¾])(?:[.,\\- ]?(?:extra|omake|special)(?![a-uw-z])|[.,-][a-h](?![\\w])|\\.[A-Z]{2,4}(?![\\w])|(?!v(?:ol)?\\.?\\d|(?:st|nd|rd|th)(?![\\w]))[A-Za-z]{1,2}(?![\\w]))?";

const before = "(?<=^|[\\s_\\-|,.:\\]])";

export const patterns = {
  /** `#12`, `#B01` */
  hash: new RegExp(`#\\s*([A-Z]?${numberPattern})`, "u"),
  chapter: new RegExp(`${before}(?:${chapterWords})[.,:]?\\s*(${numberPattern})(?:\\s*-\\s*(\\d+)(?![\\w.]))?`, "iu"),
  cjkChapter: /第?\s*(\d+(?:\.\d+)?)\s*(?:話|话|章|화|회)/u,
  cjkVolume: /第?\s*(\d+)\s*(?:巻|卷|권)/u,
  issue: new RegExp(`${before}(?:${issueWords})\\s*(${numberPattern})`, "iu"),
  volume: new RegExp(
    `${before}(?:${volumeWords})(?:[.,:]\\s*|\\s+|(?=\\d))(\\d{1,4})(?:\\s*-\\s*(?:v(?:ol)?\\.?\\s*)?(\\d{1,3})(?![\\w]))?(?![\\w]|\\.\\d)`,
    "iu",
  ),
  /** `Annual 2`, `Annual`, `Annual #1` */
  annual: new RegExp(`\\bannual\\b(?:[\\s|]*#?\\s*(${numberPattern}))?`, "iu"),
  special: new RegExp(`\\bspecial\\s+#?\\s*(${numberPattern})`, "iu"),
  /** `3 of 6`, `1-6` */
  ofCount: /(?<![\w.])(\d{1,4})\s*(?:of|\/)\s*(\d{1,4})(?![\w])/iu,
  range: /(?<=[\s|#]|^)#?(\d{1,4})\s*[-–]\s*#?(\d{1,4})(?![\w.-])/u,
  bare: new RegExp(`(?<=^|[\\s|])(${numberPattern})(?=$|[\\s|:;,)]|v(?:ol)?\\.?\\d)`, "gu"),
  collected:
    /\b(?:(tpb|trade paperback)|(hc|hardcover)|(omnibus)|(compendium)|(gn|graphic novel|ogn)|(deluxe edition)|(absolute)(?= edition))\b/iu,
  oneShot: /\bone[- ]?shot\b/iu,
};

const collectedLabels = ["TPB", "HC", "Omnibus", "Compendium", "GN", "Deluxe", "Absolute"];

/** The short name of a collected edition that a text speaks of. */
export function collectedEdition(text: string): string | undefined {
  const found = patterns.collected.exec(text);
  return found ? collectedLabels[found.slice(1).findIndex((part) => part !== undefined)] : undefined;
}

/** A number as the collection writes it: no leading zeros, decimals by a point. */
export function plainNumber(text: string): string {
  const tidy = text
    .trim()
    .replace(/,(?=\d)/g, ".")
    .replace(/^([A-Za-z]?-?)0+(?=\d)/, "$1");
  return tidy
    .replace(/[.,\- ]?(extra|omake|special)$/i, (_whole, word: string) => ` ${word.toLowerCase()}`)
    .replace(/[.,-]([a-h])$/, "$1");
}
