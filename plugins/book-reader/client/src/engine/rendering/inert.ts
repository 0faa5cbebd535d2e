/*
 * Takes out of a parsed document of a book everything that could act, before the document is shown. This is the second
 * line: the first is the policy of the frame and its sandbox, under which none of it would work. What is taken out
 * leaves an empty element in its place, so that the steps of a CFI count as in other programs.
 */

const xhtml = "http://www.w3.org/1999/xhtml";

/** Elements that run code, load documents, send something, or change how addresses are read. */
const active = new Set(
  "script,iframe,frame,frameset,noframes,object,embed,applet,param,base,meta,portal,fencedframe,handler,listener,discard,template,webview".split(
    ",",
  ),
);
const harmlessMeta = new Set(["viewport", "charset"]);
/** Attributes with addresses. */
const addresses = new Set(
  "src,href,poster,data,background,action,formaction,cite,longdesc,profile,manifest,codebase,classid,lowsrc,dynsrc,icon,archive".split(
    ",",
  ),
);
/** Attributes that only do something that a book must not do. */
const refused = new Set(
  "srcdoc,srcset,imagesrcset,ping,target,download,formtarget,http-equiv,autoplay,autofocus,action,formaction,nonce,integrity,crossorigin,popovertarget,commandfor,base,attributionsrc,is,contenteditable".split(
    ",",
  ),
);
const ownContent = /^\s*(?:blob:|data:(?:image|font|audio|video)\/|#)/i;
/** Schemes of links, which the page opens after a question. */
const openable = /^\s*(?:https?:|mailto:|tel:)/i;
/** Schemes by which Kindle books link inside of themselves. */
const inside = /^\s*(?:filepos|kindle):/i;
const anyScheme = /^[\s\u0000-\u0020]*[a-z][a-z0-9+.-]*\s*:/i;
/** The scheme in which links that leave the book are kept, so that no browser looks up their host in advance. */
export const external = "external:";

/** Changes the document. */
export function makeInert(document: Document): void {
  takeStylesheetInstructions(document);
  for (const element of [...document.querySelectorAll("*")]) {
    if (isPicture(element)) replaceByPicture(element);
    else if (isActive(element)) replaceByNothing(element);
    else cleanAttributes(element);
    if (element.localName === "style") element.textContent = inertCss(element.textContent);
  }
}

/** Takes the addresses out of a style sheet that are not of the book, which has become `blob:` addresses by now. */
export function inertCss(css: string): string {
  const kept = (address: string) => ownContent.test(address);
  return withoutEscapedLetters(css)
    .replaceAll(/@import\s+(?:url\(\s*)?["']?([^"')\s;]*)["']?\s*\)?[^;]*;?/gi, (rule, address: string) =>
      kept(address) ? rule : "",
    )
    .replaceAll(/url\(\s*(["']?)([^"')]*)\1\s*\)/gi, (whole, _quote, address: string) =>
      kept(address) ? whole : 'url("data:image/gif,")',
    )
    .replaceAll(/(image-set|-webkit-image-set|image|src)\(\s*["'](?!blob:|data:)[^)]*\)/gi, "none");
}

/** `u\72l(` is `url(` too. */
function withoutEscapedLetters(css: string): string {
  return css
    .replaceAll(/\\0{0,4}([46][1-9a-f]|[57][0-9a])(?:\s|(?![0-9a-f]))/gi, (_whole, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\([g-z])/gi, "$1");
}

function isActive(element: Element): boolean {
  const name = element.localName.toLowerCase();
  if (name === "meta") return !harmlessMeta.has((element.getAttribute("name") ?? "").toLowerCase());
  if (name === "link") return !isStylesheet(element);
  if (active.has(name)) return true;
  // SVG animations could set an address or a handler after it was cleaned.
  const animated = element.getAttribute("attributeName")?.toLowerCase();
  return animated !== undefined && (animated.endsWith("href") || animated.startsWith("on") || addresses.has(animated));
}

function isStylesheet(link: Element): boolean {
  const relations = (link.getAttribute("rel") ?? "").toLowerCase().trim().split(/\s+/);
  return (
    relations.includes("stylesheet") &&
    relations.every((relation) => relation === "stylesheet" || relation === "alternate") &&
    /^blob:/i.test(link.getAttribute("href") ?? "")
  );
}

/** Books also show pictures by `object`. */
function isPicture(element: Element): boolean {
  return (
    element.localName === "object" &&
    /^image\//i.test(element.getAttribute("type") ?? "") &&
    /^blob:/i.test(element.getAttribute("data") ?? "")
  );
}

function replaceByPicture(element: Element): void {
  const picture = element.ownerDocument.createElementNS(xhtml, "img");
  picture.setAttribute("src", element.getAttribute("data") ?? "");
  picture.setAttribute("alt", element.getAttribute("aria-label") ?? element.textContent.trim());
  for (const name of ["id", "class", "width", "height"])
    if (element.hasAttribute(name)) picture.setAttribute(name, element.getAttribute(name) ?? "");
  element.replaceWith(picture);
}

function replaceByNothing(element: Element): void {
  const empty = element.ownerDocument.createElementNS(xhtml, "span");
  empty.setAttribute("hidden", "");
  if (element.id) empty.id = element.id;
  element.replaceWith(empty);
}

function cleanAttributes(element: Element): void {
  for (const attribute of [...element.attributes]) {
    const name = attribute.localName.toLowerCase();
    if (name.startsWith("on") || refused.has(name)) element.removeAttributeNode(attribute);
    else if (name === "style") attribute.value = inertCss(attribute.value);
    else if (addresses.has(name)) cleanAddress(element, attribute);
    else if (/url\s*\(/i.test(attribute.value)) attribute.value = inertCss(attribute.value);
  }
}

function cleanAddress(element: Element, attribute: Attr): void {
  const { value } = attribute;
  if (attribute.localName.toLowerCase() === "href" && isLink(element)) {
    if (openable.test(value)) attribute.value = external + encodeURIComponent(value.trim());
    else if ((!inside.test(value) && anyScheme.test(value)) || value.trim().startsWith("//"))
      element.removeAttributeNode(attribute);
    return;
  }
  if (!ownContent.test(value)) element.removeAttributeNode(attribute);
}

const isLink = ({ localName }: Element) => localName === "a" || localName === "area";

/** `<?xml-stylesheet?>` stands outside of the root element, which alone is shown: it becomes a link. */
function takeStylesheetInstructions(document: Document): void {
  const { documentElement } = document;
  for (const node of [...document.childNodes]) {
    if (!(node instanceof ProcessingInstruction) || node.target !== "xml-stylesheet") continue;
    const [, href = ""] = /\bhref\s*=\s*["']([^"']*)["']/i.exec(node.data) ?? [];
    if (!/^blob:/i.test(href)) continue;
    const link = document.createElementNS(xhtml, "link");
    link.setAttribute("rel", "stylesheet");
    link.setAttribute("href", href);
    (documentElement.querySelector("head") ?? documentElement).append(link);
  }
}
