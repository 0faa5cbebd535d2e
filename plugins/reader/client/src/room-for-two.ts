import { modeLabels, type ShownMode } from "./chrome/choices.js";
import type { Mode } from "@longbox/reader/api";

/**
 * A window whose shorter side is below this is a phone's, however it is held: it never shows two pages side by side.
 */
const leastSide = 500;
/** Two pages are shown automatically when the window is at least this wide, with this ratio of width to height. */
const roomForTwo = 900;
const roomAspect = 1.15;

const { double: _, ...ofPhones } = modeLabels;

/** The ways in which this window can show pages, with their labels. */
export function offeredModes(): Readonly<Record<string, string>> {
  return hasRoom() ? modeLabels : ofPhones;
}

/** Which of them was chosen: two pages that were chosen on a larger screen are single ones here. */
export function chosenOf(mode: Mode): Mode {
  return mode === "double" && !hasRoom() ? "single" : mode;
}

/** How pages are shown in this window. */
export function modeInWindow(chosen: Mode, isStrip: boolean): ShownMode {
  if (chosen === "double") return hasRoom() && innerWidth > innerHeight ? "double" : "single";
  if (chosen !== "auto") return chosen;
  if (isStrip) return "continuous";
  return hasRoom() && innerWidth >= roomForTwo && innerWidth > innerHeight * roomAspect ? "double" : "single";
}

function hasRoom(): boolean {
  return Math.min(innerWidth, innerHeight) >= leastSide;
}
