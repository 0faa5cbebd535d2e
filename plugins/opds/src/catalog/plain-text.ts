/** The maximum length of a description. */
const longest = 10_000;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/**
 * The text of a description without its markup, because files may contain any markup, and not every client sanitises
 * it.
 */
export function plainText(description: string): string {
  const text = description
    .slice(0, longest)
    .replace(/<br\b[^<>]*>|<\/(?:p|li|h[1-6]|tr|blockquote|div)\s*>/gi, "\n")
    .replace(/<!--|-->|<\/?[a-z][^<>]*>/gi, "")
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
      (whole, ...found: (string | undefined)[]) => decodeEntity(found[0], found[1], found[2]) ?? whole,
    );
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function decodeEntity(
  decimal: string | undefined,
  hexadecimal: string | undefined,
  name: string | undefined,
): string | undefined {
  if (name !== undefined) return entities[name.toLowerCase()];
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  return point > 0 && point <= 0x10_ffff && (point < 0xd800 || point > 0xdfff)
    ? String.fromCodePoint(point)
    : undefined;
}
