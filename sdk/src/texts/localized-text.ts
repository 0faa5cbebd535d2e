/**
 * One text in several languages, by their tags, such as `{ en: "Done", de: "Fertig" }`. Who shows it chooses the
 * language of the person who reads it. `pluginMessages` of `@longbox/sdk/messages` makes it from the messages of a
 * plugin.
 */
export interface LocalizedText {
  readonly en: string;
  readonly [language: string]: string;
}

/**
 * A text as a person reads it: in the language, or in the one it is a kind of (`de` for `de-AT`), in English otherwise.
 * @param language - its tag; undefined where it is not known
 */
export function textIn(text: string | LocalizedText, language: string | undefined): string {
  if (typeof text === "string") return text;
  if (language === undefined) return text.en;
  return ownOf(text, language) ?? ownOf(text, language.split("-", 1)[0] ?? "") ?? text.en;
}

function ownOf(text: LocalizedText, language: string): string | undefined {
  return Object.hasOwn(text, language) ? text[language] : undefined;
}
