/** A piece of XML that is safe to put into another. */
export interface Xml {
  readonly xml: string;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

// What XML 1.0 cannot hold, even escaped: most control characters, lone surrogates and two non-characters.
const illegal =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** One element. Text is escaped; attributes and children that are undefined are left out. */
export function element(
  name: string,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Xml | string | undefined>
): Xml {
  let written = `<${name}`;
  for (const key in attributes)
    if (attributes[key] !== undefined) written += ` ${key}="${escape(String(attributes[key]))}"`;
  let inside = "";
  for (const child of children)
    if (child !== undefined) inside += typeof child === "string" ? escape(child) : child.xml;
  return { xml: inside === "" ? `${written}/>` : `${written}>${inside}</${name}>` };
}

/** A whole document. */
export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.xml}\n`;
}

// Most texts hold none of these, and are written as they are.
const special = /[&<>"\u0000-\u001f\ud800-\udfff\ufffe\uffff]/;

function escape(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replace(illegal, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\t\n\r]/g, " ");
}
