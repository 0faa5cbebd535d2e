/** What the engine says itself, in the language of the page: its frame has no messages of its own. */
import type { EngineWords } from "../protocol.js";

let said: EngineWords | undefined;

export function setWords(words: EngineWords): void {
  said = words;
}

/** Empty until a book is opened. `page` stands in place of the number in a name of a page. */
export function word(name: keyof EngineWords, page?: number): string {
  return (said?.[name] ?? "").replace("#", String(page));
}
