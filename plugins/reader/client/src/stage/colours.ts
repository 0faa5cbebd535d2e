/** Changes of a page's colours, in percent; 100 leaves brightness and contrast as they are. */
export interface Colours {
  readonly brightness: number;
  readonly contrast: number;
  readonly sepia: number;
  readonly invert: boolean;
}

export const noColours: Colours = { brightness: 100, contrast: 100, sepia: 0, invert: false };

/** The lowest and highest value of each, in percent. */
export const colourRanges = { brightness: [40, 160], contrast: [40, 200], sepia: [0, 100] } as const;

export function isColours(value: unknown): value is Colours {
  if (typeof value !== "object" || value === null) return false;
  const colours = value as Record<string, unknown>;
  const isWithin = ([name, [least, most]]: [string, readonly [number, number]]) =>
    typeof colours[name] === "number" && colours[name] >= least && colours[name] <= most;
  return typeof colours["invert"] === "boolean" && Object.entries(colourRanges).every(isWithin);
}

/** The CSS filter for the pages. */
export function colourFilter({ brightness, contrast, sepia, invert }: Colours): string {
  const filters = [
    brightness === 100 ? "" : `brightness(${brightness}%)`,
    contrast === 100 ? "" : `contrast(${contrast}%)`,
    sepia === 0 ? "" : `sepia(${sepia}%)`,
    // Turned by half a circle, colours keep their hue while light and dark change places.
    invert ? "invert(1) hue-rotate(180deg)" : "",
  ].filter((filter) => filter !== "");
  return filters.join(" ") || "none";
}
