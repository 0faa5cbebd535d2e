/** The commands of the reader's keys. */
export type Command =
  | "forward"
  | "backward"
  | "left"
  | "right"
  | "up"
  | "down"
  | "first"
  | "last"
  | "advance"
  | "retreat"
  | "zoom-in"
  | "zoom-out"
  | "zoom-reset"
  | "fullscreen"
  | "mode"
  | "direction"
  | "fit"
  | "trim"
  | "bookmark"
  | "next-issue"
  | "previous-issue"
  | "close"
  | "help"
  | "overview";

interface Shortcut {
  /** Values of KeyboardEvent.key. */
  readonly keys: readonly string[];
  readonly command: Command;
  readonly shift?: boolean;
  /** The keys and their description in the help; without it, the help omits the line. */
  readonly help?: readonly [keys: string, does: string];
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ["ArrowRight"], command: "right", help: ["→ ←", "Turn the page, in reading direction"] },
  { keys: ["ArrowLeft"], command: "left" },
  { keys: ["ArrowDown"], command: "down", help: ["↓ ↑", "Move within the page, then turn it"] },
  { keys: ["ArrowUp"], command: "up" },
  { keys: [" "], command: "retreat", shift: true },
  { keys: [" "], command: "advance", help: ["Space", "Continue; with Shift, go back"] },
  { keys: ["PageDown", "j"], command: "forward", help: ["Page Down, j", "Next page"] },
  { keys: ["PageUp", "k"], command: "backward", help: ["Page Up, k", "Previous page"] },
  { keys: ["Home"], command: "first", help: ["Home, End", "First and last page"] },
  { keys: ["End"], command: "last" },
  { keys: ["g"], command: "overview", help: ["g", "Overview of all pages"] },
  { keys: ["n"], command: "next-issue", help: ["n, p", "Next and previous in the series"] },
  { keys: ["p"], command: "previous-issue" },
  { keys: ["+", "="], command: "zoom-in", help: ["+ − 0", "Zoom"] },
  { keys: ["-"], command: "zoom-out" },
  { keys: ["0"], command: "zoom-reset" },
  { keys: ["m"], command: "mode", help: ["m", "One page, two pages, strip"] },
  { keys: ["d"], command: "direction", help: ["d", "Reading direction"] },
  { keys: ["w"], command: "fit", help: ["w", "Whole page, width, height, original size"] },
  { keys: ["t"], command: "trim", help: ["t", "Cut away plain borders"] },
  { keys: ["b"], command: "bookmark", help: ["b", "Bookmark this page"] },
  { keys: ["f"], command: "fullscreen", help: ["f", "Full screen"] },
  { keys: ["?"], command: "help", help: ["?", "This help"] },
  { keys: ["Escape"], command: "close", help: ["Esc", "Close"] },
];

/** The command of a key press, or undefined. Keys with Ctrl, Alt or Meta belong to the browser. */
export function commandOf(event: KeyboardEvent): Command | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return shortcuts.find(
    (shortcut) =>
      shortcut.keys.includes(key) && (shortcut.shift === undefined ? true : shortcut.shift === event.shiftKey),
  )?.command;
}

/** Whether a key press is meant for the thing that has the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && target.type === "range")
    return event.key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(event.key);
  if (target instanceof HTMLInputElement && (target.type === "radio" || target.type === "checkbox"))
    return event.key.startsWith("Arrow") || event.key === " ";
  if (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement)
    return event.key === " " || event.key === "Enter";
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.isContentEditable
  );
}
