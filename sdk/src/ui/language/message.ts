import { messageParts, messageRules, type Message, type MessageValues } from "../../messages/message-parts.js";
import { isRightToLeft, language, locale } from "./language.js";

export type { Message, MessagePart, MessageValues } from "../../messages/message-parts.js";

const rules = messageRules(language, isRightToLeft, locale);

/** The parts of a message in the language of the document, with its values filled in. */
export function partsOf(message: Message, values: MessageValues): readonly unknown[] {
  return messageParts(message, values, rules);
}
