import type { Direction, Fit, Mode } from "@longbox/reader/api";

/** The current view options. */
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

export const modeLabels: Record<Choices["mode"], string> = {
  auto: "Automatic",
  single: "Single page",
  double: "Two pages",
  continuous: "Continuous strip",
};
export const directionLabels: Record<Direction, string> = { ltr: "Left to right", rtl: "Right to left" };
export const fitLabels: Record<Fit, string> = {
  page: "Whole page",
  width: "Width",
  height: "Height",
  original: "Original size",
};
export const stageLabels: Record<Choices["stage"], string> = {
  auto: "As the theme",
  paper: "Light",
  dark: "Dark",
  black: "Black",
};

const key = "longbox.reader";
const pairedKey = "longbox.reader.paired";
/** How many issues are remembered with their own pairing of pages; the oldest are dropped. */
const mostPaired = 300;

/** View options that are stored per device instead of per user. Whether the cover stands alone is stored per issue. */
export type DeviceChoices = Pick<Choices, "trim" | "stage" | "coverAlone">;

export function readDeviceChoices(cvIssueId: number): DeviceChoices {
  const { trim, stage } = (read(key) ?? {}) as Partial<DeviceChoices>;
  return {
    trim: trim === true,
    stage: stage !== undefined && stage in stageLabels ? stage : "auto",
    coverAlone: !readPaired().includes(cvIssueId),
  };
}

export function keepDeviceChoices(cvIssueId: number, { trim, stage, coverAlone }: DeviceChoices): void {
  write(key, { trim, stage });
  const others = readPaired().filter((id) => id !== cvIssueId);
  if (!coverAlone || others.length < readPaired().length)
    write(pairedKey, coverAlone ? others : [...others, cvIssueId].slice(-mostPaired));
}

/** Issues whose first page stands beside the second. */
function readPaired(): readonly number[] {
  const kept = read(pairedKey);
  return Array.isArray(kept) ? kept : [];
}

function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    // Invalid content, or a browser without storage: the defaults apply.
    return undefined;
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser without storage: the choice lasts until the reader is closed.
  }
}
