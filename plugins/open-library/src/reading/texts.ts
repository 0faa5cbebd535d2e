/** Longer texts are cut: nothing honest is longer. */
const most = { line: 300, description: 20_000 } as const;

const tags = /<[^<>]*>/g;
/** Characters that show nothing, or turn the direction of what stands around a text. */
const invisible = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** One line without markup; undefined when nothing is left. */
export function lineOf(text: string | undefined): string | undefined {
  const line = (text ?? "")
    .slice(0, most.line * 4)
    .replaceAll(/\s+/g, " ")
    .replaceAll(tags, "")
    .replaceAll(invisible, "");
  return line.trim().slice(0, most.line).toWellFormed() || undefined;
}

/** Lines, without those that are empty or were there before. @param count - how many at most */
export function linesOf(texts: readonly (string | undefined)[], count: number): string[] {
  return [...new Set(texts.slice(0, count * 2).flatMap((text) => lineOf(text) ?? []))].slice(0, count);
}

/**
 * Open Library's texts are Markdown, plain or with HTML: paragraphs of plain text are left, as HTML that is safe to
 * show.
 */
export function paragraphsOf(text: string | undefined): string | undefined {
  const paragraphs = (text ?? "")
    .slice(0, most.description * 2)
    .replaceAll("\r\n", "\n")
    .replaceAll(/<(?:br|\/p|\/div|\/li)\s*\/?>/gi, "\n\n")
    .replaceAll(tags, "")
    .split(/\n-{4,}/, 1)
    .join("")
    .split(/\n\s*\n/)
    .map(withoutLinks)
    .filter((paragraph) => paragraph !== "");
  const html = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join("");
  return html === "" ? undefined : cutAtParagraph(html);
}

/** `([source][1])` and the addresses at the end: `[1]: https://…` */
function withoutLinks(paragraph: string): string {
  return paragraph
    .replaceAll(/^\s*\[\d+\]:.*$/gm, "")
    .replaceAll(/\(\[source\]\[\d+\]\)/gi, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(invisible, "")
    .toWellFormed()
    .trim();
}

function cutAtParagraph(html: string): string {
  if (html.length <= most.description) return html;
  const end = html.lastIndexOf("</p>", most.description - 4);
  return end === -1 ? `${html.slice(0, most.description - 100).replace(/&[^;]*$/, "")}…</p>` : html.slice(0, end + 4);
}

function escaped(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
