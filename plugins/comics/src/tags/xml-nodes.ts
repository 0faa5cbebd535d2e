import { readXml, unlessRefused } from "@longbox/sdk/xml";
import { escapeXml } from "./escape-xml.js";

/** An element with everything that is in it, in order, so that it can be written again. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: ReadonlyArray<string | XmlNode>;
}

interface OpenNode extends XmlNode {
  readonly content: Array<string | XmlNode>;
}

/** Reads a small document. Comments and processing instructions are left out. @returns undefined when it is refused */
export function readXmlNodes(bytes: Uint8Array): XmlNode | undefined {
  const open: OpenNode[] = [];
  let root: XmlNode | undefined;
  const events = {
    open({ name, attributes }: Pick<XmlNode, "name" | "attributes">) {
      const node: OpenNode = { name, attributes: { ...attributes }, content: [] };
      open.at(-1)?.content.push(node);
      root ??= node;
      open.push(node);
    },
    text: (text: string) => void open.at(-1)?.content.push(text),
    close: () => void open.pop(),
  };
  return unlessRefused(() => (readXml(bytes, events), root));
}

/** The lines of an element. Indented where it holds only elements; text is written as it is. */
export function xmlLines(node: XmlNode, indent = ""): string[] {
  const elements = node.content.filter((part) => typeof part !== "string");
  const isText = node.content.some((part) => typeof part === "string" && part.trim() !== "");
  if (isText || elements.length === 0) return [indent + inOneLine(node)];
  const lines = elements.flatMap((element) => xmlLines(element, `${indent}  `));
  return [`${indent}${startTag(node)}`, ...lines, `${indent}</${node.name}>`];
}

/** The trimmed text directly inside an element; empty for none. */
export function textOfNode(node: XmlNode | undefined): string {
  const texts = node?.content.filter((part) => typeof part === "string") ?? [];
  return texts.join("").trim();
}

export function elementsOf(node: XmlNode | undefined): XmlNode[] {
  return node?.content.filter((part) => typeof part !== "string") ?? [];
}

export function elementOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return elementsOf(node).find((element) => element.name === name);
}

/** Attributes that are undefined are left out. */
export function xmlNode(
  name: string,
  content: string | readonly XmlNode[],
  attributes: Readonly<Record<string, string | undefined>> = {},
): XmlNode {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { name, attributes: Object.fromEntries(given), content: typeof content === "string" ? [content] : content };
}

function inOneLine(node: XmlNode): string {
  const inside = node.content.map((part) => (typeof part === "string" ? escapeXml(part) : inOneLine(part))).join("");
  return `${startTag(node)}${inside}</${node.name}>`;
}

function startTag({ name, attributes }: XmlNode): string {
  const said = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escapeXml(value)}"`);
  return `<${name}${said.join("")}>`;
}
