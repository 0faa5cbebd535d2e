import type { Tell } from "../../protocol.js";
import { boxOf } from "./boxes.js";
import { followWheel } from "./wheel.js";

interface Followed {
  readonly document: Document;
  readonly index: number;
  readonly view: FoliateView;
  readonly tell: Tell;
  /** Whether the wheel moves the text rather than turning pages. */
  isScrolled(): boolean;
  locator(range: Range): { readonly locator: string; readonly fraction: number };
}

/** Milliseconds without a change after which a selection is offered to the page. */
const quietMs = 250;
const longestSelection = 4_000;

/** Tells the page of keys, taps and selections in a section, which its own document does not get. */
export function followInput(followed: Followed): void {
  const { document } = followed;
  followAround(followed);
  // Links that the renderer does not know, such as those of drawings, lead nowhere.
  document.addEventListener("click", (event) => {
    const target = event.target as Element | null;
    if (target?.closest?.("a, area")) event.preventDefault();
  });
  document.addEventListener("submit", (event) => event.preventDefault(), { capture: true });
  document.addEventListener("dragstart", (event) => event.preventDefault());
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(() => tellSelection(followed), quietMs);
  });
}

/** Keys, taps and the wheel, also in the document around the sections: it has the margins, and may have the focus. */
export function followAround(followed: Pick<Followed, "document" | "tell" | "isScrolled">): void {
  const { document, tell } = followed;
  followKeys(document, tell);
  followWheel(followed);
  document.addEventListener("click", (event) => tapped(event, followed));
}

function followKeys(document: Document, tell: Tell): void {
  document.addEventListener("keydown", (event) => {
    const { key, code, ctrlKey: ctrl, altKey: alt, shiftKey: shift, metaKey } = event;
    if (metaKey || (ctrl && key !== "f")) return;
    if (isHandledByPage(key, ctrl)) event.preventDefault();
    tell("key", { key, code, ctrl, alt, shift });
  });
}

const isHandledByPage = (key: string, ctrl: boolean) => ctrl || /^(?:Arrow|Page|Home|End| $)/.test(key);

function tapped(
  event: MouseEvent,
  { document, tell, isScrolled }: Pick<Followed, "document" | "tell" | "isScrolled">,
): void {
  if (event.defaultPrevented || document.getSelection()?.isCollapsed === false) return;
  if ((event.target as Element | null)?.closest?.("a, area, button, input, textarea, select, video, audio, summary"))
    return;
  const frame = document.defaultView?.frameElement?.getBoundingClientRect();
  tell("tapped", { x: event.clientX + (frame?.left ?? 0), width: innerWidth, turns: !isScrolled() });
}

function tellSelection({ document, tell, locator }: Followed): void {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) {
    tell("selected", undefined);
    return;
  }
  const range = selection.getRangeAt(0);
  const text = range.toString().trim().slice(0, longestSelection);
  if (text === "") tell("selected", undefined);
  else tell("selected", { text, ...locator(range), box: boxOf(range) });
}
