import { t } from "@longbox/sdk/ui";
import type { Direction, Fit, Mode } from "@longbox/reader/api";
import { noColours, type Colours } from "../stage/colours.js";
import type { Rotation } from "../stage/rotation.js";
import type { TapLayout } from "../stage/tap-zones.js";

/** How pages are shown in the end. */
export type ShownMode = Exclude<Mode, "auto">;

/** The current view options. */
export interface Choices {
  /** `auto` shows two pages where there is room, and strips as strips. */
  readonly mode: Mode;
  readonly direction: Direction;
  readonly fit: Fit;
  /** Whether the first page stands alone when two are shown. */
  readonly coverAlone: boolean;
  readonly trim: boolean;
  readonly stage: "auto" | "paper" | "dark" | "black";
  readonly rotation: Rotation;
  readonly colours: Colours;
  readonly taps: TapLayout;
  /** How fast pages move by themselves, from 1 to 10. */
  readonly speed: number;
}

export const modeLabels: Record<Mode, string> = {
  auto: t("choices.automatic"),
  single: t("choices.singlePage"),
  double: t("choices.twoPages"),
  continuous: t("choices.continuousStrip"),
};
export const directionLabels: Record<Direction, string> = {
  ltr: t("choices.leftToRight"),
  rtl: t("choices.rightToLeft"),
};
export const fitLabels: Record<Fit, string> = {
  page: t("choices.wholePage"),
  width: t("choices.width"),
  height: t("choices.height"),
  original: t("choices.originalSize"),
};
export const stageLabels: Record<Choices["stage"], string> = {
  auto: t("choices.asTheTheme"),
  paper: t("choices.light"),
  dark: t("choices.dark"),
  black: t("choices.black"),
};
export const fastest = 10;

/** What applies until something else is chosen. Strips scroll, so a tap on them shows the controls. */
export function usualChoices(isStrip: boolean): Omit<Choices, "direction" | "coverAlone"> {
  return {
    mode: "auto",
    fit: "page",
    trim: false,
    stage: "auto",
    rotation: 0,
    colours: noColours,
    taps: isStrip ? "none" : "sides",
    speed: 4,
  };
}
