/**
 * Texts in the code of a client that are no messages: what templates show, and literals that read as a sentence or a
 * label.
 */
import { parseSync } from "vite";
import { shownNames, textsOf } from "./template-texts.js";

/** A text that is no message, and its index in the code. */
export interface RawText {
  readonly text: string;
  readonly index: number;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

/** Calls whose arguments are for programs and developers, or name messages. */
const forPrograms =
  /^(?:t|rich|require|warn|error|debug|log|customElement|querySelector(?:All)?|matches|closest|getElementById|includes|startsWith|replace|replaceAll)$/;
const templates = new Set(["html", "svg"]);
/** Keys as browsers name them, and headers. */
const known = /^(?:Enter|Escape|Tab|Backspace|Home|End|Shift|Control|Alt|Meta|Insert|Space|Accept|Vary)$/;
/** The same in every language: names of products, formats and languages, and what stands on keys. */
const names =
  /\b(?:Longbox|LB|Markdown|JSON|Edge|Opera|Firefox|Chrome|Safari|Android|Windows|Mac|Linux|English|Deutsch|Ctrl|Esc|DejaVu|Noto|Sans|Mono)\b|&\w+;/g;
/** Addresses, whole documents, and lists of fonts. */
const code = /^(?:\/|<!DOCTYPE|[\w-]+, ")/;
/** Two words of which the first begins a sentence, a label of one word, or three words in a row. */
const sentence =
  /^\P{L}*\p{Lu}[\p{L}'’-]*[,:]?\s+[\p{L}\d'’"“({]|^\P{L}*\p{Lu}\p{Ll}{2,}(?:[ .…?!:]|$)|\p{Ll}{2,} \p{Ll}{2,} \p{Ll}{2,}/u;
const word = /\p{L}{2,}/u;
/** A value and what happened to it: "{} was removed.", "{}: saved." */
const saying = /^\{\}.*\s\p{L}{2,}[.!?…]$/u;
/** Calls whose value shows what the array in front of them holds. */
const keepsItems = /^(?:filter|join|toReversed|toSorted)$/;

/** @throws {SyntaxError} When the code cannot be parsed. */
export function rawTexts(path: string, code: string): RawText[] {
  const { program, errors } = parseSync(path, code);
  if (errors[0]) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const found = new Map<number, RawText>();
  walk(program, false, (text, index) => found.set(index, { text: text.trim().replaceAll(/\s+/g, " "), index }));
  return [...found.values()].sort((one, other) => one.index - other.index);
}

type Report = (text: string, index: number) => void;

/** @param isShown - whether the value of the expression is shown: then every word counts, not only a sentence */
function walk(value: unknown, isShown: boolean, report: Report): void {
  if (Array.isArray(value)) return value.forEach((part) => walk(part, isShown, report));
  if (!isNode(value)) return;
  switch (value.type) {
    case "ImportDeclaration":
    case "ImportExpression":
    case "ExportAllDeclaration":
    case "ThrowStatement":
    case "TSTypeAnnotation":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return;
    case "Literal":
      return literal(value["value"], value.start, { isShown, report });
    case "TemplateLiteral":
      return template(value, isShown, report);
    case "TaggedTemplateExpression":
      return tagged(value, report);
    case "CallExpression":
    case "NewExpression":
      return call(value, isShown, report);
    case "Property":
      return property(value, report);
    case "SwitchCase":
      return walk(value["consequent"], false, report);
    case "ConditionalExpression":
      walk(value["test"], false, report);
      return [value["consequent"], value["alternate"]].forEach((part) => walk(part, isShown, report));
    case "BinaryExpression":
      return operands(value, isShown && value["operator"] === "+", report);
    case "LogicalExpression":
      walk(value["left"], isShown && value["operator"] !== "&&", report);
      return walk(value["right"], isShown, report);
    default:
      return within(value, keepsPlace.has(value.type) && isShown, report);
  }
}

/** Their value is that of the expression in them. */
const keepsPlace = new Set([
  ...["ArrayExpression", "ChainExpression", "ParenthesizedExpression", "SpreadElement"],
  ...["TSAsExpression", "TSNonNullExpression"],
]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function within(node: Node, isShown: boolean, report: Report): void {
  for (const part of Object.values(node)) if (typeof part === "object") walk(part, isShown, report);
}

function literal(value: unknown, index: number, { isShown, report }: { isShown: boolean; report: Report }): void {
  if (typeof value !== "string" || (!isShown && known.test(value))) return;
  if (!code.test(value)) spoken(value, index, { isShown, report });
}

function spoken(text: string, index: number, { isShown, report }: { isShown: boolean; report: Report }): void {
  const own = text.replaceAll(names, "");
  if (isShown ? word.test(own) : sentence.test(own) || saying.test(own)) report(text, index);
}

function template(node: Node, isShown: boolean, report: Report): void {
  const text = stringsOf(node).join("{}");
  if (!code.test(text)) spoken(text, node.start, { isShown, report });
  walk(node["expressions"], isShown, report);
}

function stringsOf(node: Node): string[] {
  return (node["quasis"] as { value: { raw: string } }[]).map(({ value }) => value.raw);
}

function tagged(node: Node, report: Report): void {
  const quasi = node["quasi"] as Node;
  const tag = (node["tag"] as Node)["name"];
  if (!templates.has(String(tag))) return walk(quasi["expressions"], false, report);
  const { texts, areShown } = textsOf(stringsOf(quasi));
  // A string begins after its backtick or brace.
  const starts = (quasi["quasis"] as Node[]).map(({ start }) => start + 1);
  for (const { text, string, offset } of texts)
    spoken(text, (starts[string] ?? node.start) + offset, { isShown: true, report });
  (quasi["expressions"] as Node[]).forEach((part, index) => walk(part, areShown[index] ?? false, report));
}

function call(node: Node, isShown: boolean, report: Report): void {
  const callee = node["callee"] as Node;
  const name = String((callee["property"] as Node | undefined)?.["name"] ?? callee["name"]);
  if (node.type === "NewExpression" && name.endsWith("Error")) return;
  if (forPrograms.test(name)) return;
  const items = isShown && keepsItems.test(name) ? (callee["object"] as Node | undefined) : undefined;
  walk(items ?? callee, items !== undefined, report);
  // The kit's `count(3, "file")` makes the plurals of English.
  walk(node["arguments"], callee["name"] === "count", report);
}

function property(node: Node, report: Report): void {
  const key = node["key"] as Node;
  const name = String(key["name"] ?? key["value"]);
  walk(node["value"], shownNames.has(name), report);
}

function operands(node: Node, isShown: boolean, report: Report): void {
  const compares = node["operator"] !== "+";
  for (const side of [node["left"], node["right"]])
    if (!(compares && isNode(side) && side.type === "Literal")) walk(side, isShown, report);
}
