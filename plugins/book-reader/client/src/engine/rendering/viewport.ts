/** What a page of fixed layout may name in place of a length. */
const ofDevice = /^device-(?:width|height)$/i;

/**
 * Gives a page of fixed layout a size in numbers, before the renderer reads it: `device-width` and `device-height` mean
 * the space that there is.
 */
export function repairViewport(section: Document): void {
  const meta = section.querySelector('meta[name="viewport"]');
  const content = meta?.getAttribute("content") ?? "";
  if (!meta || !/device-/i.test(content)) return;
  const named: Readonly<Record<string, number>> = { "device-width": innerWidth, "device-height": innerHeight };
  const pairs = content.split(/[,;\s]+/).map((pair) => pair.split("=").map((part) => part.trim()));
  const lengths = pairs.map(([name = "", value = ""]) =>
    ofDevice.test(value) ? `${name}=${Math.round(named[value.toLowerCase()] ?? 0)}` : `${name}=${value}`,
  );
  meta.setAttribute("content", lengths.join(", "));
}
