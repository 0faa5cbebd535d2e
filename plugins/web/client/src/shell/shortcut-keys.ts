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
  { keys: ["/"], does: "Search everything" },
  { keys: ["Ctrl K", "⌘ K"], does: "Search everything, also from a field" },
  { keys: ["g", "h"], does: "Go home" },
  { keys: ["g", "l"], does: "Go to the library" },
  { keys: ["g", "s"], does: "Go to the settings" },
  { keys: ["g", "a"], does: "Go to your account" },
  { keys: ["←", "→", "↑", "↓"], does: "Move from cover to cover" },
  { keys: ["Home", "End"], does: "First and last cover" },
  { keys: ["Enter"], does: "Open" },
  { keys: ["Esc"], does: "Close what is open" },
  { keys: ["?"], does: "Show this sheet" },
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
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return this.#actions.search();
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(event.composedPath()[0]))
      return;
    const place = performance.now() - this.#goAt < secondKeyMs ? places[event.key] : undefined;
    this.#goAt = event.key === "g" ? performance.now() : 0;
    if (place !== undefined) this.#actions.go(place);
    else if (event.key === "/") this.#actions.search();
    else if (event.key === "?") this.#actions.help();
    else return;
    event.preventDefault();
  }
}

function isField(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}
