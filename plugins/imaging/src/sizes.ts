/** The widths that are rendered, in pixels. There are few, so that a cached rendering serves many screens. */
export const keptWidths = [160, 320, 480, 640, 800, 1200, 1600, 2000, 2400] as const;

/** The smallest kept width that is at least the wanted one; the largest when none is. */
export function snapWidth(wanted: number): number {
  return keptWidths.find((kept) => kept >= wanted) ?? keptWidths[keptWidths.length - 1]!;
}
