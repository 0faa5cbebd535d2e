import type { LocalizedText } from "../texts/localized-text.js";
import type { SaidValues, Say } from "./saying.js";

/**
 * The messages of a plugin for people who may speak another language than the one who caused them, such as in
 * notifications: ICU messages below `messages` in `messages/<language>.json` of its package. They are read at the first
 * use.
 *
 * @param moduleUrl - `import.meta.url` of any module of the plugin
 * @example
 * const say = pluginMessages(import.meta.url);
 * await notifications.notify({ category: "request", title: await say("declined", { title }) }, { userIds });
 */
export function pluginMessages(moduleUrl: string): Say {
  let languages: Promise<{ say(key: string, values: SaidValues): LocalizedText }> | undefined;
  return async (key, values = {}) => {
    // The parser of messages takes 40 ms to load, and most runs of a server say nothing for a long time.
    languages ??= import("./spoken-languages.js").then(({ readLanguages }) => readLanguages(moduleUrl));
    try {
      return (await languages).say(key, values);
    } catch (fault) {
      // Files that could not be read are read again next time.
      languages = undefined;
      throw fault;
    }
  };
}
