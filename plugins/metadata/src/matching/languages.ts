const names: Readonly<Record<string, string>> = {
  english: "en",
  german: "de",
  french: "fr",
  italian: "it",
  spanish: "es",
  portuguese: "pt",
  brazilian: "pt",
  dutch: "nl",
  swedish: "sv",
  norwegian: "no",
  danish: "da",
  finnish: "fi",
  polish: "pl",
  czech: "cs",
  hungarian: "hu",
  russian: "ru",
  turkish: "tr",
  greek: "el",
  japanese: "ja",
  korean: "ko",
  chinese: "zh",
};
const edition = new RegExp(
  `\\b(${Object.keys(names).join("|")})(?:[ -]language)? (?:edition|translation|version|reprints?|release|publication)\\b`,
  "i",
);

/**
 * The language that a short description of a volume names, such as "German translation of …"; providers have no field
 * for it.
 */
export function languageNamedIn(text: string): string | undefined {
  const name = edition.exec(text)?.[1]?.toLowerCase();
  return name === undefined ? undefined : names[name];
}
