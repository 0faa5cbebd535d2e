/** Characters in a section: small enough to be laid out at once. */
const sectionLength = 30_000;
const heading =
  /^(?:(?:chapter|part|book|kapitel|teil|chapitre|capítulo|capitolo|глава|часть)\s+\S.{0,60}|[IVXLC]{1,8}\.?|\d{1,3}\.?|prologue|epilogue)$/iu;

interface TextSection {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/**
 * A book in plain text, as the engine's book: paragraphs are divided by empty lines, chapters are found by their
 * headings.
 */
export async function openText(file: Blob, name: string): Promise<FoliateBook> {
  const sections = divided(paragraphsOf(decode(await file.arrayBuffer())));
  const documents = sections.map(pageOf);
  const urls = documents.map((page) => URL.createObjectURL(new Blob([page], { type: "application/xhtml+xml" })));
  return {
    metadata: { title: name.replace(/\.[^.]*$/, "") },
    sections: documents.map((page, index) => ({
      id: `section-${index}`,
      size: page.length,
      load: () => urls[index]!,
      createDocument: () => new DOMParser().parseFromString(page, "application/xhtml+xml"),
    })),
    toc: sections.flatMap(({ title }, index) => (title === "" ? [] : [{ label: title, href: `section-${index}` }])),
    resolveHref: (href) => ({ index: Math.max(0, Number(href.replace("section-", ""))), anchor: () => 0 }),
    splitTOCHref: (href) => [href],
    getTOCFragment: (document) => document.body,
    isExternal: (href) => /^(?!blob)\w+:/i.test(href),
    destroy: () => urls.forEach((url) => URL.revokeObjectURL(url)),
  };
}

/** UTF-8 and UTF-16 by their marks, UTF-8 where every byte fits, else Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Where no line is empty, every line is a paragraph. */
function paragraphsOf(text: string): string[] {
  const lines = text.replaceAll(/\r\n?/g, "\n");
  const blocks = /\n[ \t]*\n/.test(lines) ? lines.split(/\n[ \t]*\n+/) : lines.split("\n");
  return blocks.map((block) => block.trim()).filter((block) => block !== "");
}

function divided(paragraphs: readonly string[]): TextSection[] {
  const sections: { title: string; paragraphs: string[]; length: number }[] = [];
  for (const paragraph of paragraphs) {
    const isHeading = heading.test(paragraph);
    const last = sections.at(-1);
    if (last === undefined || isHeading || last.length > sectionLength)
      sections.push({ title: isHeading ? paragraph : "", paragraphs: [], length: 0 });
    const section = sections.at(-1)!;
    if (!isHeading) section.paragraphs.push(paragraph);
    section.length += paragraph.length;
  }
  return sections.length > 0 ? sections : [{ title: "", paragraphs: [] }];
}

function pageOf({ title, paragraphs }: TextSection): string {
  const page = document.implementation.createDocument("http://www.w3.org/1999/xhtml", "html");
  const element = (name: string, text: string) =>
    Object.assign(page.createElementNS("http://www.w3.org/1999/xhtml", name), { textContent: text });
  const body = element("body", "");
  if (title !== "") body.append(element("h2", title));
  body.append(...paragraphs.map((text) => element("p", text)));
  const head = element("head", "");
  head.append(element("title", title), element("style", "p { white-space: pre-line; margin: 0 0 0.8em }"));
  page.documentElement.append(head, body);
  // Control characters may stand in a text but not in XML.
  return new XMLSerializer()
    .serializeToString(page)
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
}
