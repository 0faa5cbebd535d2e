import { latinKey, t } from "@longbox/sdk/ui";
import type { ReactiveController, ReactiveControllerHost } from "lit";

interface Actions {
  /** Whether the shortcuts are active; a page that fills the whole window has its own keys. */
  listening(): boolean;
  search(): void;
  help(): void;
  go(path: string): void;
}

/** Listed by the sheet that `?` opens. */
export const shortcuts: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ["/"], does: t("shortcutKeys.searchEverything") },
  { keys: ["Ctrl K", "⌘ K"], does: t("shortcutKeys.searchEverythingAlsoFrom") },
  { keys: ["g", "h"], does: t("shortcutKeys.goHome") },
  { keys: ["g", "l"], does: t("shortcutKeys.goToTheLibrary") },
  { keys: ["g", "s"], does: t("shortcutKeys.goToTheSettings") },
  { keys: ["g", "a"], does: t("shortcutKeys.goToYourAccount") },
  { keys: ["←", "→", "↑", "↓"], does: t("shortcutKeys.moveFromCoverTo") },
  { keys: [t("shortcutKeys.home"), t("shortcutKeys.end")], does: t("shortcutKeys.firstAndLastCover") },
  { keys: [t("shortcutKeys.space")], does: t("shortcutKeys.select") },
  { keys: [t("shortcutKeys.shift"), t("shortcutKeys.space")], does: t("shortcutKeys.selectUpToHere") },
  { keys: ["Ctrl A", "⌘ A"], does: t("shortcutKeys.selectAll") },
  { keys: ["Enter"], does: t("shortcutKeys.open") },
  { keys: ["Esc"], does: t("shortcutKeys.closeWhatIsOpen") },
  { keys: ["?"], does: t("shortcutKeys.showThisSheet") },
];

const places: Readonly<Record<string, string>> = { h: "/", l: "/library", s: "/settings", a: "/account" };
const secondKeyMs = 1200;

/** Shortcuts that work everywhere except in fields, and except while a page fills the whole window. */
export class ShortcutKeys implements ReactiveController {
  readonly #actions: Actions;
  #goAt = 0;
  readonly #listen = (event: KeyboardEvent): void => this.#pressed(event);

  constructor(host: ReactiveControllerHost, actions: Actions) {
    this.#actions = actions;
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener("keydown", this.#listen);
  }

  hostDisconnected(): void {
    window.removeEventListener("keydown", this.#listen);
  }

  #pressed(event: KeyboardEvent): void {
    if (!this.#actions.listening()) return;
    const key = latinKey(event);
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === "k") {
      event.preventDefault();
      return this.#actions.search();
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(event.composedPath()[0]))
      return;
    const place = performance.now() - this.#goAt < secondKeyMs ? places[key] : undefined;
    this.#goAt = key === "g" ? performance.now() : 0;
    if (place !== undefined) this.#actions.go(place);
    else if (key === "/") this.#actions.search();
    else if (key === "?") this.#actions.help();
    else return;
    event.preventDefault();
  }
}

function isField(target: EventTarget | undefined): boolean {
  // A field keeps the keys for a moment after the dialog around it has closed.
  if (!(target instanceof HTMLElement) || !target.checkVisibility()) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
