import type { ClientPart, PluginTexts } from "@longbox/kernel/api";
import { filledIn, isRightToLeft, language, pseudoLanguage, translatedBy, type Translating } from "@longbox/sdk/ui";

export const textsPath = "/api/plugins/texts";

type Asking = (path: string) => Promise<PluginTexts>;
type Said = (text: string) => string;

/**
 * Names and paths may be of another direction than the sentence, so they are isolated where it runs from right to left.
 */
const written = (value: string): string => (isRightToLeft ? `\u2068${value}\u2069` : value);

/**
 * What the server says in English, in the language of the document: the texts of manifests by the English text, and
 * messages of errors by their codes, from the `messages` folders of plugins. What has no translation stays as it is.
 */
export class ServerTexts {
  readonly #ask: Asking;
  #loaded: Promise<unknown> | undefined;
  #texts: PluginTexts = {};
  #translate: Translating = () => undefined;

  constructor(ask: Asking) {
    this.#ask = ask;
  }

  /** Resolves when the texts are there, or could not be fetched. English needs none. */
  load(): Promise<unknown> {
    if (language === "en" || language === pseudoLanguage) return Promise.resolve();
    this.#loaded ??= this.#ask(`${textsPath}?language=${encodeURIComponent(language)}`).then(
      (texts) => {
        this.#texts = texts;
        this.#translate = translatedBy(
          Object.values(texts).map((plugin) => plugin.texts),
          written,
        );
      },
      (thrown: unknown) => {
        this.#loaded = undefined;
        console.warn("The texts of plugins could not be fetched.", thrown);
      },
    );
    return this.#loaded;
  }

  /**
   * A text of any plugin, such as the word of a library type, or "3 unread" where "{count} unread" has a translation.
   */
  said(text: string): string {
    return language === pseudoLanguage ? `[${text}]` : (this.#translate(text) ?? text);
  }

  /** The message of an error; undefined where it has no translation, or lacks a detail. */
  failed(code: string, details: unknown): string | undefined {
    const found = Object.values(this.#texts).find(({ errors }) => errors[code] !== undefined)?.errors[code];
    return found === undefined ? undefined : filledIn(found, details, written);
  }

  /** What a plugin adds to the interface, with its texts in the language. */
  part(part: ClientPart): ClientPart {
    const own = this.#texts[part.name]?.texts;
    if (own === undefined && language !== pseudoLanguage) return part;
    const said: Said = language === pseudoLanguage ? (text) => `[${text}]` : (text) => own?.[text] ?? text;
    return {
      ...part,
      title: said(part.title),
      nav: part.nav.map((item) => ({ ...item, label: said(item.label) })),
      pages: part.pages.map((page) => ({ ...page, title: said(page.title) })),
      slots: part.slots.map((slot) => (slot.title === undefined ? slot : { ...slot, title: said(slot.title) })),
      actions: part.actions.map((action) => actionIn(action, said)),
      activity: part.activity.map((source) => ({ ...source, title: said(source.title) })),
    };
  }
}

function actionIn(action: ClientPart["actions"][number], said: Said): ClientPart["actions"][number] {
  const { label, heading, confirm, call } = action;
  return {
    ...action,
    label: said(label),
    ...(heading !== undefined && { heading: said(heading) }),
    ...(confirm && { confirm: { title: said(confirm.title), text: said(confirm.text), action: said(confirm.action) } }),
    ...(call && { call: { ...call, ...(call.done !== undefined && { done: said(call.done) }) } }),
  };
}
