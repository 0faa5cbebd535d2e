/** A compiled message: text, or text with arguments, plurals, choices and tags. */
export type Message = string | readonly MessagePart[];
export type MessagePart =
  | string
  | readonly [name: string]
  | readonly [name: string, tagged: Message]
  | readonly [name: string, cases: Readonly<Record<string, Message>>, kind: "plural" | "ordinal" | "select"];

/** The values of a message's arguments; a tag is a function of its content. */
export type MessageValues = Readonly<Record<string, unknown>>;

/** The rules of a language by which messages are filled in. */
export interface MessageRules {
  readonly plural: Intl.PluralRules;
  readonly ordinal: Intl.PluralRules;
  /** The value of an argument as it is shown. */
  readonly shown: (value: unknown) => unknown;
}

/** @param locale - whose numbers are shown, such as `en-GB` for `en` */
export function messageRules(language: string, isRightToLeft: boolean, locale: string | undefined): MessageRules {
  const numbers = new Intl.NumberFormat(locale);
  return {
    plural: new Intl.PluralRules(language),
    ordinal: new Intl.PluralRules(language, { type: "ordinal" }),
    shown(value) {
      if (typeof value === "number") return numbers.format(value);
      // Names may be of another direction than the sentence, so they are isolated where it runs from right to left.
      return isRightToLeft && typeof value === "string" ? `\u2068${value}\u2069` : value;
    },
  };
}

/** The parts of a message with its values filled in. */
export function messageParts(message: Message, values: MessageValues, rules: MessageRules): readonly unknown[] {
  if (typeof message === "string") return [message];
  return message.flatMap((part) => (typeof part === "string" ? [part] : filled(part, values, rules)));
}

function filled(
  [name, inside, kind]: Exclude<MessagePart, string>,
  values: MessageValues,
  rules: MessageRules,
): readonly unknown[] {
  const value = values[name];
  if (inside === undefined) return [rules.shown(value)];
  if (kind !== undefined) {
    const cases = inside as Readonly<Record<string, Message>>;
    const chosen = kind === "select" ? cases[String(value)] : counted(cases, value, rules[kind]);
    return messageParts(chosen ?? cases["other"] ?? "", values, rules);
  }
  const tagged = messageParts(inside as Message, values, rules);
  return typeof value === "function" ? [value(tagged) as unknown] : tagged;
}

function counted(cases: Readonly<Record<string, Message>>, value: unknown, rules: Intl.PluralRules) {
  return cases[`=${String(value)}`] ?? cases[rules.select(Number(value))];
}
