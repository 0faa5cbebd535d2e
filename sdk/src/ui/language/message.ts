import { isRightToLeft, language, locale } from "./language.js";

/** A compiled message: text, or text with arguments, plurals, choices and tags. */
export type Message = string | readonly MessagePart[];
export type MessagePart =
  | string
  | readonly [name: string]
  | readonly [name: string, tagged: Message]
  | readonly [name: string, cases: Readonly<Record<string, Message>>, kind: "plural" | "ordinal" | "select"];

/** The values of a message's arguments; a tag is a function of what stands in it. */
export type MessageValues = Readonly<Record<string, unknown>>;

const numbers = new Intl.NumberFormat(locale);
const rules = {
  plural: new Intl.PluralRules(language),
  ordinal: new Intl.PluralRules(language, { type: "ordinal" }),
};

/** The parts of a message with its values filled in. */
export function partsOf(message: Message, values: MessageValues): readonly unknown[] {
  if (typeof message === "string") return [message];
  return message.flatMap((part) => (typeof part === "string" ? [part] : filled(part, values)));
}

function filled([name, inside, kind]: Exclude<MessagePart, string>, values: MessageValues): readonly unknown[] {
  const value = values[name];
  if (inside === undefined) return [shown(value)];
  if (kind !== undefined) return partsOf(chosen(inside as Readonly<Record<string, Message>>, value, kind), values);
  const tagged = partsOf(inside as Message, values);
  return typeof value === "function" ? [value(tagged) as unknown] : tagged;
}

function chosen(
  cases: Readonly<Record<string, Message>>,
  value: unknown,
  kind: "plural" | "ordinal" | "select",
): Message {
  const exact = kind === "select" ? String(value) : `=${String(value)}`;
  return (
    cases[exact] ?? (kind === "select" ? undefined : cases[rules[kind].select(Number(value))]) ?? cases["other"] ?? ""
  );
}

/** Names may be of another direction than the sentence, so they are isolated where it runs from right to left. */
function shown(value: unknown): unknown {
  if (typeof value === "number") return numbers.format(value);
  return isRightToLeft && typeof value === "string" ? `\u2068${value}\u2069` : value;
}
