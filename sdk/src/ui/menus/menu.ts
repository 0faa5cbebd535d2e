import { html, nothing, type TemplateResult } from "lit";
import { overlay, type Overlay } from "../dialogs/overlay.js";
import { focusedElement } from "../focus.js";
import { icon } from "../icons/icon.js";
import { base } from "../styles/base.js";
import { menus } from "../styles/menus.js";
import { placed, type Point } from "./placing.js";

export interface MenuItem {
  readonly label: string;
  readonly icon?: string | undefined;
  /** One of several that exclude each other. */
  readonly isChecked?: boolean;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly run: () => unknown;
}

/** Parts a menu into groups. */
export const rule = "rule" as const;

export interface Menu {
  /** What the menu is called by screen readers. */
  readonly label: string;
  readonly items: ReadonlyArray<MenuItem | typeof rule>;
  /** Beside what it opens: a button, or where the pointer was. */
  readonly at: Element | Point;
}

let open: { readonly from: Element | undefined; close(): void } | undefined;
/** A press on its button closes a menu; the click that ends the press must not open it again. */
let pressedWhileOpen: { readonly from: Element; readonly at: number } | undefined;
const longestPressMs = 700;

/**
 * Opens a menu over the page; one at a time. Keyboard: arrows, Home, End, first letters, Escape. The focus returns to
 * where it was.
 */
export function openMenu({ label, items, at }: Menu): void {
  const from = at instanceof Element ? at : undefined;
  open?.close();
  const pressed = pressedWhileOpen;
  pressedWhileOpen = undefined;
  if (from && pressed?.from === from && performance.now() - pressed.at < longestPressMs) return;
  const before = from instanceof HTMLElement ? from : focusedElement();
  const over = overlay([base, menus], from ?? before);
  const gone = new AbortController();
  const close = (): void => {
    if (open?.close !== close) return;
    open = undefined;
    gone.abort();
    from?.setAttribute("aria-expanded", "false");
    const hadFocus = over.root.activeElement !== null;
    over.remove();
    if (hadFocus) before?.focus({ preventScroll: true });
  };
  open = { from, close };
  from?.setAttribute("aria-expanded", "true");
  over.draw(template({ label, items }, close));
  show(over, at, { close, signal: gone.signal });
}

/** A button that opens a menu. */
export function menuButton(
  text: unknown,
  menu: () => Omit<Menu, "at">,
  options: { readonly style?: string; readonly label?: string; readonly icon?: string } = {},
): TemplateResult {
  return html`<button
    type="button"
    class=${options.style ?? nothing}
    aria-haspopup="menu"
    aria-expanded="false"
    aria-label=${options.label ?? nothing}
    title=${options.label ?? nothing}
    @click=${(event: Event) => openMenu({ ...menu(), at: event.currentTarget as Element })}
  >
    ${options.icon ? icon(options.icon) : nothing}${text}
  </button>`;
}

function show(
  over: Overlay,
  at: Element | Point,
  { close, signal }: { close(): void; readonly signal: AbortSignal },
): void {
  const menu = over.root.querySelector<HTMLElement>("[role=menu]");
  if (!menu) return;
  menu.showPopover();
  placed(menu, at);
  menu.addEventListener("toggle", (event) => (event as ToggleEvent).newState === "closed" && close());
  const press = (event: Event): void => {
    if (!(at instanceof Element) || !event.composedPath().includes(at)) return;
    pressedWhileOpen = { from: at, at: performance.now() };
  };
  window.addEventListener("pointerdown", press, { signal, capture: true });
  window.addEventListener("resize", close, { signal });
  const { scrollX: left, scrollY: top } = window;
  // The event of a movement that ended before the menu opened may come after it.
  const scrolled = (): void => void ((window.scrollX !== left || window.scrollY !== top) && close());
  window.addEventListener("scroll", scrolled, { signal, passive: true });
  const checked = menu.querySelector<HTMLElement>("[aria-checked=true]");
  (checked ?? menu.querySelector<HTMLElement>("button:not([disabled])"))?.focus({ preventScroll: true });
}

function template({ label, items }: Omit<Menu, "at">, close: () => void): TemplateResult {
  const isChoice = items.some((item) => item !== rule && item.isChecked !== undefined);
  const choose = (item: MenuItem): void => {
    close();
    void item.run();
  };
  return html`<div class="menu" popover="auto" role="menu" aria-label=${label} @keydown=${pressed}>
    ${items.map((item) => (item === rule ? html`<hr />` : entry(item, isChoice, choose)))}
  </div>`;
}

function entry(item: MenuItem, isChoice: boolean, choose: (item: MenuItem) => void): TemplateResult {
  return html`<button
    type="button"
    tabindex="-1"
    role=${isChoice ? "menuitemradio" : "menuitem"}
    aria-checked=${isChoice ? String(item.isChecked ?? false) : nothing}
    class=${item.isDangerous ? "danger" : nothing}
    ?disabled=${item.isDisabled ?? false}
    @click=${() => choose(item)}
  >
    ${isChoice ? html`<span class="tick">${item.isChecked ? icon("check") : nothing}</span>` : nothing}
    ${item.icon ? icon(item.icon) : nothing}<span>${item.label}</span>
  </button>`;
}

function pressed(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const entries = [...menu.querySelectorAll<HTMLElement>("button:not([disabled])")];
  const at = entries.indexOf(event.target as HTMLElement);
  const next = entryAfter(event.key, at, entries);
  if (event.key === "Tab") menu.hidePopover();
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

function entryAfter(key: string, at: number, entries: readonly HTMLElement[]): HTMLElement | undefined {
  const count = entries.length;
  switch (key) {
    case "ArrowDown":
      return entries[(at + 1) % count];
    case "ArrowUp":
      return entries[(at - 1 + count) % count];
    case "Home":
      return entries[0];
    case "End":
      return entries[count - 1];
    default:
      return key.length === 1 ? startingWith(key, [...entries.slice(at + 1), ...entries.slice(0, at + 1)]) : undefined;
  }
}

function startingWith(letter: string, entries: readonly HTMLElement[]): HTMLElement | undefined {
  const wanted = letter.toLocaleLowerCase();
  return entries.find((entry) => entry.textContent.trim().toLocaleLowerCase().startsWith(wanted));
}
