import type { LocalizedText } from "../texts/localized-text.js";

/** What a message of a plugin is filled with. A text in several languages fills each language with its own. */
export type SaidValues = Readonly<Record<string, string | number | LocalizedText>>;

/**
 * A message in all languages in which the plugin has it.
 * @param key - of `messages` in the plugin's `messages/en.json`
 * @throws {Error} when the plugin has no such message in English, or one of its languages is not ICU
 */
export type Say = (key: string, values?: SaidValues) => Promise<LocalizedText>;
