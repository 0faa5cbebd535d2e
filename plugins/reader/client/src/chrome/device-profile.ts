import { isColours } from "../stage/colours.js";
import { isTapLayout } from "../stage/tap-zones.js";
import { fastest, fitLabels, modeLabels, stageLabels, usualChoices, type Choices } from "./choices.js";

const key = "longbox.reader.profiles";
const pairedKey = "longbox.reader.paired";
/** How many issues are remembered with their own pairing of pages; the oldest are dropped. */
const mostPaired = 300;

/**
 * View options that this device keeps for each type of work: a phone and a wide screen, comics and strips, are read in
 * different ways. `mode` and `fit` apply to series without a choice of their own.
 */
export type Profile = Partial<Pick<Choices, "trim" | "stage" | "colours" | "taps" | "speed" | "mode" | "fit">>;

const checks: { readonly [K in keyof Required<Profile>]: (value: unknown) => boolean } = {
  trim: (value) => typeof value === "boolean",
  stage: (value) => typeof value === "string" && value in stageLabels,
  mode: (value) => typeof value === "string" && value in modeLabels,
  fit: (value) => typeof value === "string" && value in fitLabels,
  colours: isColours,
  taps: isTapLayout,
  speed: (value) => typeof value === "number" && value >= 1 && value <= fastest,
};

/** @param type - of the work, such as `comic` or `manga`; `strip` for strips of every type */
export function readProfile(type: string): Profile {
  const kept = asRecord(asRecord(readStored(key))[type]);
  return Object.fromEntries(
    Object.entries(checks).flatMap(([name, isValid]) => (isValid(kept[name]) ? [[name, kept[name]]] : [])),
  ) as Profile;
}

/** Keeps the options that differ from the usual ones. */
export function keepProfile(type: string, change: Profile): void {
  const usual = usualChoices(type === "strip");
  const next = Object.entries({ ...readProfile(type), ...change }).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name as keyof Profile]),
  );
  writeStored(key, { ...asRecord(readStored(key)), [type]: Object.fromEntries(next) });
}

/** Whether the first page of an issue stands alone. */
export function readCoverAlone(cvIssueId: number): boolean {
  return !readPaired().includes(cvIssueId);
}

export function keepCoverAlone(cvIssueId: number, coverAlone: boolean): void {
  const others = readPaired().filter((id) => id !== cvIssueId);
  if (!coverAlone || others.length < readPaired().length)
    writeStored(pairedKey, coverAlone ? others : [...others, cvIssueId].slice(-mostPaired));
}

/** Issues whose first page stands beside the second. */
function readPaired(): readonly number[] {
  const kept = readStored(pairedKey);
  return Array.isArray(kept) ? kept : [];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** What this browser keeps under a name; undefined where there is nothing valid, or no storage. */
export function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    // Invalid content, or a browser without storage: the defaults apply.
    return undefined;
  }
}

export function writeStored(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser without storage: the choice lasts until the reader is closed.
  }
}
