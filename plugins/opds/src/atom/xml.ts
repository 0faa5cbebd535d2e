/** A piece of XML that is safe to put into another. */
export interface Xml {
  readonly xml: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

// What XML 1.0 cannot hold, even escaped: most control characters, lone surrogates and two non-characters.
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** One element. Text is escaped; attributes and children that are undefined are left out. */
export function element(name: string, attributes: Attributes = {}, ...children: ReadonlyArray<Xml | string | undefined>): Xml {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escape(String(value))}"`)
    .join("");
  const inside = children.map((child) => (child === undefined ? "" : typeof child === "string" ? escape(child) : child.xml)).join("");
  return { xml: inside === "" ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>` };
}

/** A whole document. */
export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}

// Most texts hold none of these, and are written as they are.
const special = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/;

function escape(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(illegal, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replace(/[\t\n\r]/g, " ");
}
