import { latinKey, t } from "@longbox/sdk/ui";

/** What each command of the reader does, in the order of the help. */
export const commandLabels = {
  right: t("shortcuts.turnToTheRight"),
  left: t("shortcuts.turnToTheLeft"),
  down: t("shortcuts.downThenTheNext"),
  up: t("shortcuts.upThenThePrevious"),
  advance: t("shortcuts.readOnTheNext"),
  retreat: t("shortcuts.backByAScreen"),
  forward: t("shortcuts.nextPage"),
  backward: t("shortcuts.previousPage"),
  first: t("shortcuts.firstPage"),
  last: t("shortcuts.lastPage"),
  overview: t("shortcuts.allPages"),
  "next-issue": t("shortcuts.nextInTheSeries"),
  "previous-issue": t("shortcuts.previousInTheSeries"),
  "zoom-in": t("shortcuts.zoomIn"),
  "zoom-out": t("shortcuts.zoomOut"),
  "zoom-reset": t("shortcuts.usualSize"),
  mode: t("shortcuts.automaticOnePageTwo"),
  direction: t("shortcuts.readingDirection"),
  fit: t("shortcuts.wholePageWidthHeight"),
  rotate: t("shortcuts.turnThePageBy"),
  trim: t("shortcuts.cutAwayPlainBorders"),
  panels: t("shortcuts.panelByPanel"),
  auto: t("shortcuts.moveByItselfOr"),
  bookmark: t("shortcuts.bookmarkThisPage"),
  note: t("shortcuts.noteOnThisPage"),
  private: t("shortcuts.privateReading"),
  fullscreen: t("shortcuts.fullScreen"),
  help: t("shortcuts.keysAndGestures"),
  close: t("shortcuts.close"),
} as const;

/** The commands of the reader's keys. */
export type Command = keyof typeof commandLabels;

/** The keys of every command: values of KeyboardEvent.key, with `Shift+` before keys that write nothing. */
export type KeyMap = Readonly<Record<Command, readonly string[]>>;

export const usualKeys: KeyMap = {
  right: ["ArrowRight"],
  left: ["ArrowLeft"],
  down: ["ArrowDown"],
  up: ["ArrowUp"],
  advance: ["Space"],
  retreat: ["Shift+Space"],
  forward: ["PageDown", "j"],
  backward: ["PageUp", "k"],
  first: ["Home"],
  last: ["End"],
  overview: ["g"],
  "next-issue": ["n"],
  "previous-issue": ["p"],
  "zoom-in": ["+", "="],
  "zoom-out": ["-"],
  "zoom-reset": ["0"],
  mode: ["m"],
  direction: ["d"],
  fit: ["w"],
  rotate: ["r"],
  trim: ["t"],
  panels: ["v"],
  auto: ["a"],
  bookmark: ["b"],
  note: ["e"],
  private: ["i"],
  fullscreen: ["f"],
  help: ["?"],
  close: ["Escape"],
};

const keyNames: Readonly<Record<string, string>> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowDown: "↓",
  ArrowUp: "↑",
  Space: t("shortcuts.space"),
  Home: t("shortcuts.home"),
  End: t("shortcuts.end"),
  PageDown: t("shortcuts.pageDown"),
  PageUp: t("shortcuts.pageUp"),
  Escape: "Esc",
  "-": "−",
};

/** What is printed on the key, as in `Shift + Space`. */
export function keyLabel(key: string): string {
  const bare = key.replace(/^Shift\+/, "");
  const label = keyNames[bare] ?? (bare.length === 1 ? bare.toUpperCase() : bare);
  return bare === key ? label : t("shortcuts.shift", { key: label });
}

/** The name of the pressed key; undefined for keys that only change others, and those that belong to the browser. */
export function keyOf(event: KeyboardEvent): string | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  if (["Shift", "CapsLock", "AltGraph", "Dead", "Tab", "Unidentified"].includes(event.key)) return undefined;
  const name = event.key === " " ? "Space" : latinKey(event);
  if (name.length === 1) return name.toLowerCase();
  return event.shiftKey ? `Shift+${name}` : name;
}

/**
 * The command of a key press, or undefined. A key without a command of its own does with Shift what it does without.
 */
export function commandOf(event: KeyboardEvent, keys: KeyMap): Command | undefined {
  const key = keyOf(event);
  if (key === undefined) return undefined;
  const find = (name: string) => (Object.keys(keys) as Command[]).find((command) => keys[command].includes(name));
  return find(key) ?? find(key.replace(/^Shift\+/, ""));
}

/** Whether a key press is meant for the thing that has the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "range")
    return event.key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(event.key);
  if (target instanceof HTMLInputElement && (target.type === "radio" || target.type === "checkbox"))
    return event.key.startsWith("Arrow") || event.key === " ";
  if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement || target.localName === "summary")
    return event.key === " " || event.key === "Enter";
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.isContentEditable
  );
}
