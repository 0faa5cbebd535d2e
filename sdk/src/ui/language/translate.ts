import { language, pseudoLanguage } from "./language.js";
import { partsOf, type Message, type MessageValues } from "./message.js";
import { tables } from "./tables.js";

/**
 * The key of a message in `client/messages/en.json` of the package that the code belongs to. Its build puts an id with
 * the English message in its place; code that is built without it has that pair itself.
 */
export type MessageKey = string | readonly [id: string, english: Message];

// Before any module that uses messages runs, so that constants of modules are in the right language.
const table = (await tables[language]?.())?.default ?? {};

/** A message in the language of the document, in English where it is not translated. */
export function t(key: MessageKey, values: MessageValues = {}): string {
  return rich(key, values).map(String).join("");
}

/**
 * A message as content of a template, whose values may be templates. A tag of the message is a function of its content:
 * `rich("shelves.empty", { link: (text) => html`<a href="/add">${text}</a>` })` for
 * `No shelf yet. <link>Add one</link>.`
 */
export function rich(key: MessageKey, values: MessageValues = {}): readonly unknown[] {
  const [id, english] = typeof key === "string" ? [key, key] : key;
  const parts = partsOf(table[id] ?? english, values);
  return language === pseudoLanguage ? marked(parts) : parts;
}

/** A third longer, as many languages are, and in brackets, so that missing ends are seen. */
function marked(parts: readonly unknown[]): readonly unknown[] {
  const length = parts.reduce<number>((sum, part) => sum + (typeof part === "string" ? part.length : 8), 0);
  return ["[", ...parts, `${" ~~~~~".repeat(Math.ceil(length / 18))}]`];
}

/**
 * A text without the marks around values that messages have where they run from right to left, for what is not shown as
 * a sentence of the page: a name that is stored or sent.
 */
export function unmarked(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, "");
}
