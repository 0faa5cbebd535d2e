import { XmlRefused } from "./limits.js";
import { readXml, type XmlOptions } from "./reading.js";

/** An element with what is in it; texts are trimmed. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: OpenElement[];
  text: string;
}

/** Reads a small document as a whole; undefined when no element is in it. @throws {XmlRefused} */
export function readXmlTree(bytes: Uint8Array, options: XmlOptions = {}): XmlElement | undefined {
  const open: OpenElement[] = [];
  let root: OpenElement | undefined;
  readXml(
    bytes,
    {
      open({ name, attributes }) {
        const element: OpenElement = { name, attributes, children: [], text: "" };
        open.at(-1)?.children.push(element);
        root ??= element;
        open.push(element);
      },
      text(text) {
        const element = open.at(-1);
        if (element) element.text += text;
      },
      close() {
        const element = open.pop();
        if (element) element.text = element.text.trim();
      },
    },
    options,
  );
  return root;
}

/** The result of reading, or undefined when the document was refused: for tags that may be left out. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof XmlRefused) return undefined;
    throw thrown;
  }
}
