import type { Direction, Fit, Mode } from "../shapes.js";

/** How pages are shown now. */
export interface Choices {
  /** `auto` shows two pages where there is room, and strips as strips. */
  readonly mode: Mode | "auto";
  readonly direction: Direction;
  readonly fit: Fit;
  /** Whether the first page stands alone when two are shown. */
  readonly coverAlone: boolean;
  readonly trim: boolean;
  readonly stage: "auto" | "paper" | "dark" | "black";
}

export const modeLabels: Record<Choices["mode"], string> = { auto: "Automatic", single: "Single page", double: "Two pages", continuous: "Continuous strip" };
export const directionLabels: Record<Direction, string> = { ltr: "Left to right", rtl: "Right to left" };
export const fitLabels: Record<Fit, string> = { page: "Whole page", width: "Width", height: "Height", original: "Original size" };
export const stageLabels: Record<Choices["stage"], string> = { auto: "As the theme", paper: "Light", dark: "Dark", black: "Black" };

const key = "longbox.reader";

/** Choices that belong to the device rather than to the user. */
export type DeviceChoices = Pick<Choices, "trim" | "stage">;

export function readDeviceChoices(): DeviceChoices {
  const fallback: DeviceChoices = { trim: false, stage: "auto" };
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<DeviceChoices>;
    return { trim: kept.trim === true, stage: kept.stage !== undefined && kept.stage in stageLabels ? kept.stage : "auto" };
  } catch {
    // Somebody else's text, or a browser that keeps nothing: the usual choices do.
    return fallback;
  }
}

export function keepDeviceChoices({ trim, stage }: DeviceChoices): void {
  try {
    localStorage.setItem(key, JSON.stringify({ trim, stage }));
  } catch {
    // A browser that keeps nothing: the choice holds until the reader closes.
  }
}
