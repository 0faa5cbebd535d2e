import { t } from "@longbox/sdk/ui";
import type { Direction } from "@longbox/reader/api";
import type { Extent, Point } from "./view-box.js";

/** What a tap does: it turns the page on or back, or shows the controls. */
export type TapZone = "forward" | "back" | "controls";

/** Three rows of three zones, when reading from left to right: f forward, b back, c controls. */
const layouts = {
  sides: ["bcf", "bcf", "bcf"],
  corner: ["bbb", "bcf", "fff"],
  onward: ["fcf", "fcf", "bbb"],
  none: ["ccc", "ccc", "ccc"],
} as const;

export type TapLayout = keyof typeof layouts;

export const tapLabels: Record<TapLayout, string> = {
  sides: t("tapZones.leftAndRight"),
  corner: t("tapZones.edges"),
  onward: t("tapZones.oneHand"),
  none: t("tapZones.controlsOnly"),
};

/** Where a row or column begins, as a share of the window. */
const starts = [0, 0.3, 0.7] as const;
const zones = { f: "forward", b: "back", c: "controls" } as const satisfies Record<string, TapZone>;

export function isTapLayout(value: unknown): value is TapLayout {
  return typeof value === "string" && value in layouts;
}

/** The nine zones, row by row, as they lie on the screen. */
export function tapZones(layout: TapLayout, direction: Direction): TapZone[] {
  return layouts[layout].flatMap((row) => {
    const cells = [...row].map((cell) => zones[cell as keyof typeof zones]);
    return direction === "rtl" ? cells.toReversed() : cells;
  });
}

/** The zone that a point of the window lies in. */
export function tapZoneAt(
  point: Point,
  window: Extent,
  { taps, direction }: { taps: TapLayout; direction: Direction },
): TapZone {
  const column = starts.findLastIndex((start) => point.x >= start * window.width);
  const row = starts.findLastIndex((start) => point.y >= start * window.height);
  return tapZones(taps, direction)[Math.max(0, row) * 3 + Math.max(0, column)]!;
}
