import { SaxesParser } from "saxes";
import { decodeXml } from "./xml-text.js";

/** An element with what is in it; texts are trimmed. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const most = { elements: 50_000, depth: 20, textLength: 1_000_000 };

/** Reads a small document as leniently as {@link readComicInfo}; undefined when there is no element in it, or too much. */
export function readXmlTree(bytes: Buffer): XmlElement | undefined {
  type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };
  const open: Open[] = [];
  let root: Open | undefined;
  let elements = 0;
  const parser = new SaxesParser({ position: false });
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name, attributes }) => {
    const element: Open = { name, attributes: attributes as Record<string, string>, children: [], text: "" };
    elements++;
    if (elements <= most.elements && open.length < most.depth) open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element && element.text.length < most.textLength) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop();
    if (element) element.text = element.text.trim();
  });
  parser.write(decodeXml(bytes)).close();
  return elements > most.elements ? undefined : root;
}
