import { createHash } from "node:crypto";
import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";

/** A message as the UI kit formats it; it has the shape of `Message` of `@longbox/sdk/ui`. */
export type CompiledMessage = string | readonly CompiledPart[];
export type CompiledPart =
  | string
  | readonly [name: string]
  | readonly [name: string, tagged: CompiledMessage]
  | readonly [name: string, cases: Readonly<Record<string, CompiledMessage>>, kind: "plural" | "ordinal" | "select"];

/**
 * The parts of an ICU message: text, arguments, `plural`, `selectordinal` and `select`, and tags without attributes.
 * @throws {Error} When the message is not ICU, or uses what the kit does not format (dates and times, offsets,
 *   skeletons).
 */
export function compileMessage(source: string): CompiledMessage {
  return compiled(parse(source, { ignoreTag: false }), undefined);
}

/** The name under which a built module asks for a message: short, since it is in every module that uses it. */
export function messageId(packageName: string, key: string): string {
  // Code that is not built by vite, such as the kit, has its ids itself.
  if (key.includes(":")) return key;
  return createHash("sha256").update(`${packageName}:${key}`).digest("base64url").slice(0, 6);
}

/** The names of the arguments and tags of a message, sorted. @throws {Error} When the message is not ICU. */
export function placeholdersOf(source: string): string[] {
  const names = new Set<string>();
  collect(parse(source, { ignoreTag: false }), names);
  return [...names].sort();
}

function collect(elements: readonly MessageFormatElement[], names: Set<string>): void {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    names.add(element.value);
    if (element.type === TYPE.tag) collect(element.children, names);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const { value } of Object.values(element.options)) collect(value, names);
  }
}

function compiled(elements: readonly MessageFormatElement[], counted: string | undefined): CompiledMessage {
  const parts = elements.map((element) => partOf(element, counted));
  if (parts.length === 0) return "";
  return parts.length === 1 && typeof parts[0] === "string" ? parts[0] : parts;
}

function partOf(element: MessageFormatElement, counted: string | undefined): CompiledPart {
  switch (element.type) {
    case TYPE.literal:
      return element.value;
    case TYPE.argument:
      return [element.value];
    case TYPE.pound:
      return [counted ?? "#"];
    case TYPE.tag:
      return [element.value, compiled(element.children, counted)];
    case TYPE.select:
      return [element.value, casesOf(element.options, counted), "select"];
    case TYPE.plural:
      if (element.offset !== 0) throw new Error("Plurals with an offset are not supported.");
      return [
        element.value,
        casesOf(element.options, element.value),
        element.pluralType === "ordinal" ? "ordinal" : "plural",
      ];
    default:
      throw new Error("Format numbers, dates and times with the kit, and pass the text as an argument.");
  }
}

type Options = Readonly<Record<string, { readonly value: MessageFormatElement[] }>>;

function casesOf(options: Options, counted: string | undefined): Record<string, CompiledMessage> {
  return Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, compiled(value, counted)]));
}
