import sanitize from "sanitize-html";

const allowed = [
  "p",
  "br",
  "b",
  "strong",
  "i",
  "em",
  "u",
  "s",
  "ul",
  "ol",
  "li",
  "blockquote",
  "h2",
  "h3",
  "h4",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
];

/** Longer texts are cut before they are read: a parser of HTML takes a while for what was made to hold it up. */
const mostCharacters = { html: 40_000, line: 2_000 } as const;

/** Removes unsafe markup from a provider's text: scripts, styles, images, frames, links, control characters. */
export function cleanHtml(html: string | null | undefined): string | undefined {
  if (!html) return undefined;
  const clean = sanitize(html.slice(0, mostCharacters.html), {
    allowedTags: allowed,
    allowedAttributes: {},
    disallowedTagsMode: "discard",
  })
    .replace(/(?!\s)\p{Cc}/gu, "")
    .trim();
  return clean === "" ? undefined : clean;
}

/** The same for texts that are one line; control characters count as spaces. */
export function plainText(html: string | null | undefined): string | undefined {
  if (!html) return undefined;
  const text = withoutTags(html.slice(0, mostCharacters.line))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return text === "" ? undefined : text;
}

function withoutTags(html: string): string {
  if (!/[<&]/.test(html)) return html;
  return sanitize(html, { allowedTags: [], allowedAttributes: {}, parser: { decodeEntities: true } });
}
