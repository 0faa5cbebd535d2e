import { latinKey } from "@longbox/sdk/ui";

/** What keys do. Turning left and right follows the direction of the book. */
export type Command =
  | "left"
  | "right"
  | "next"
  | "previous"
  | "first"
  | "last"
  | "contents"
  | "search"
  | "notes"
  | "look"
  | "help"
  | "bookmark"
  | "highlight"
  | "speak"
  | "larger"
  | "smaller"
  | "back"
  | "fullscreen"
  | "close";

const commands: Readonly<Record<string, Command>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "previous",
  ArrowDown: "next",
  PageUp: "previous",
  PageDown: "next",
  " ": "next",
  Home: "first",
  End: "last",
  t: "contents",
  "/": "search",
  n: "notes",
  a: "look",
  "?": "help",
  b: "bookmark",
  h: "highlight",
  s: "speak",
  "+": "larger",
  "=": "larger",
  "-": "smaller",
  Backspace: "back",
  f: "fullscreen",
  Escape: "close",
};

interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export function commandOf({ ctrl, alt, shift, ...pressed }: PressedKey): Command | undefined {
  const key = latinKey(pressed);
  if (ctrl) return key === "f" ? "search" : undefined;
  if (alt) return undefined;
  if (key === " " && shift) return "previous";
  return commands[key.length === 1 ? key.toLowerCase() : key];
}

/** Whether a key belongs to a field or a control that has the focus. */
export function isForControl(event: KeyboardEvent): boolean {
  const [target] = event.composedPath() as Partial<HTMLElement>[];
  const name = target?.localName ?? "";
  if (["input", "textarea", "select"].includes(name)) return event.key !== "Escape";
  return name === "button" && (event.key === " " || event.key === "Enter");
}
