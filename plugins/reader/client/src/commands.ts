import { t } from "@longbox/sdk/ui";
import { directionLabels, fitLabels, type Choices } from "./chrome/choices.js";
import type { Command } from "./chrome/shortcuts.js";
import type { Reading } from "./reading.js";
import { offeredModes } from "./room-for-two.js";
import type { ContinuousStage } from "./stage/continuous-stage.js";
import type { PagedStage } from "./stage/paged-stage.js";
import { turnedOn } from "./stage/rotation.js";

const panStep = 120;

export type ReaderAction = "panels" | "auto" | "note" | "fullscreen" | "help" | "overview" | "close";

/** What the commands do to the reader. */
export interface Commanded {
  /** Only asked when an issue is open. */
  readonly open: Reading;
  readonly shownStage: PagedStage | ContinuousStage | null;
  /** Whether the card after the last page is shown. */
  readonly isAtEnd: boolean;
  /** Whether pages are read panel by panel. */
  readonly isGuided: boolean;
  turn(by: 1 | -1): void;
  goTo(page: number): void;
  openNeighbour(which: "previous" | "next"): void;
  /** Shows a short message, which replaces the last one. */
  say(text: string): void;
  run(action: ReaderAction): void;
  /** Hides the bars and the panel of options. */
  hideControls(): void;
}

/** What each command of a key does. */
export function readerCommands(reader: Commanded): Record<Command, () => void> {
  const choose = (change: Partial<Choices>) => reader.open.choose(change);
  const zoom = (factor: number) => () => reader.shownStage?.zoomBy(factor);
  return {
    ...moves(reader),
    "next-issue": () => reader.openNeighbour("next"),
    "previous-issue": () => reader.openNeighbour("previous"),
    "zoom-in": zoom(1.25),
    "zoom-out": zoom(0.8),
    "zoom-reset": () => reader.shownStage?.resetZoom(),
    mode: () => cycle(reader, "mode", offeredModes()),
    direction: () => cycle(reader, "direction", directionLabels),
    fit: () => cycle(reader, "fit", fitLabels),
    rotate: () => choose({ rotation: turnedOn(reader.open.choices.rotation) }),
    trim: () => choose({ trim: !reader.open.choices.trim }),
    bookmark: () => void reader.open.toggleBookmark(),
    private: () => togglePrivate(reader),
    panels: () => reader.run("panels"),
    auto: () => reader.run("auto"),
    note: () => reader.run("note"),
    fullscreen: () => reader.run("fullscreen"),
    help: () => reader.run("help"),
    overview: () => reader.run("overview"),
    close: () => reader.run("close"),
  };
}

function moves(reader: Commanded) {
  return {
    forward: () => reader.turn(1),
    backward: () => reader.turn(-1),
    left: () => sideways(reader, -1),
    right: () => sideways(reader, 1),
    up: () => vertically(reader, -1),
    down: () => vertically(reader, 1),
    advance: () => readOn(reader, 1),
    retreat: () => readOn(reader, -1),
    first: () => reader.goTo(0),
    last: () => reader.goTo(reader.open.issue.pageCount - 1),
  } satisfies Partial<Record<Command, () => void>>;
}

export function togglePrivate(reader: Pick<Commanded, "open" | "say">): void {
  reader.open.setPrivate(!reader.open.isPrivate);
  reader.say(reader.open.isPrivate ? t("commands.privateReadingNothingIs") : t("commands.readingIsRecordedAgain"));
}

/**
 * The right arrow moves forward when reading left to right, and back otherwise; a page wider than the window scrolls
 * first.
 */
function sideways(reader: Commanded, by: 1 | -1): void {
  const { mode, choices } = reader.open;
  const pans = mode !== "continuous" && !reader.isAtEnd && !reader.isGuided;
  if (pans && reader.shownStage?.pan({ x: -by * panStep, y: 0 })) return;
  reader.turn((by === 1) === (choices.direction === "ltr") ? 1 : -1);
}

function vertically(reader: Commanded, by: 1 | -1): void {
  if (reader.isAtEnd || reader.isGuided || !reader.shownStage?.pan({ x: 0, y: -by * panStep })) reader.turn(by);
}

export function readOn(reader: Commanded, by: 1 | -1): void {
  if (reader.isAtEnd || reader.isGuided || !reader.shownStage?.advance(by)) reader.turn(by);
}

/** Selects the next of several options and says which. */
function cycle<K extends "mode" | "direction" | "fit">(
  reader: Commanded,
  name: K,
  labels: Partial<Record<Choices[K], string>>,
): void {
  const order = Object.keys(labels) as Array<Choices[K]>;
  const next = order[(order.indexOf(reader.open.choices[name]) + 1) % order.length]!;
  reader.open.choose({ [name]: next });
  reader.say(labels[next] ?? "");
}
