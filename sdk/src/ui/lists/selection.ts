import type { ReactiveController, ReactiveControllerHost } from "lit";
import { latinKey } from "./latin-key.js";

export interface SelectionOptions<Key> {
  /** The key of what stands at an index of the list; undefined while it has not arrived. */
  readonly keyAt: (index: number) => Key | undefined;
  readonly total: () => number;
  readonly changed?: () => void;
}

/** A touch that stays this long begins a selection. */
const longPressMs = 450;
const driftPixels = 10;

/**
 * What of a list is selected: with the mouse (Ctrl or ⌘ and click, Shift and click for a stretch), by touch (a long
 * press, then taps) and by keyboard (Space, Shift and Space for a stretch, Ctrl or ⌘ and A, Escape). While something is
 * selected, a click selects instead of opening. Pass the events of the list's items to it, together with their index.
 */
export class Selection<Key> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: SelectionOptions<Key>;
  #keys: ReadonlySet<Key> = new Set();
  /** Where a stretch begins. */
  #anchor = 0;
  #press: { readonly timer: ReturnType<typeof setTimeout>; readonly x: number; readonly y: number } | undefined;
  /** The long press selected; the click that ends it does nothing more. */
  #isHeld = false;

  constructor(host: ReactiveControllerHost, options: SelectionOptions<Key>) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get keys(): ReadonlySet<Key> {
    return this.#keys;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** Something is selected, so that clicks select. */
  get isActive(): boolean {
    return this.#keys.size > 0;
  }

  has(key: Key): boolean {
    return this.#keys.has(key);
  }

  hostConnected(): void {}

  hostDisconnected(): void {
    this.#endPress();
  }

  clear(): void {
    this.#put(new Set());
  }

  /** Selects all that have arrived. */
  all(): void {
    this.#put(new Set(this.#stretch(0, this.#options.total() - 1)));
  }

  toggle(index: number): void {
    const key = this.#options.keyAt(index);
    if (key === undefined) return;
    const next = new Set(this.#keys);
    if (!next.delete(key)) next.add(key);
    this.#anchor = index;
    this.#put(next);
  }

  /** Everything from where the selection began to here is selected as well. */
  extendTo(index: number): void {
    this.#put(new Set([...this.#keys, ...this.#stretch(this.#anchor, index)]));
  }

  /** @returns whether the click selected, so that it must not open anything */
  clicked(event: MouseEvent, index: number): boolean {
    const isHeld = this.#isHeld;
    this.#isHeld = false;
    const isCommand = event.ctrlKey || event.metaKey;
    if (!isHeld && !isCommand && !event.shiftKey && !this.isActive) return false;
    event.preventDefault();
    event.stopPropagation();
    if (isHeld) return true;
    if (event.shiftKey && this.isActive) this.extendTo(index);
    else this.toggle(index);
    return true;
  }

  /** @returns whether the key meant something to the selection */
  pressed(event: KeyboardEvent, index: number): boolean {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === " " && event.shiftKey) this.extendTo(index);
    else if (event.key === " ") this.toggle(index);
    else if (event.key === "Escape" && this.isActive) this.clear();
    else if (latinKey(event).toLowerCase() === "a" && isCommand) this.all();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  touched(event: PointerEvent, index: number): void {
    if (event.pointerType === "mouse" || this.isActive) return;
    this.#endPress();
    this.#isHeld = false;
    const timer = setTimeout(() => {
      this.#isHeld = true;
      this.toggle(index);
    }, longPressMs);
    this.#press = { timer, x: event.clientX, y: event.clientY };
  }

  /** A finger that moves scrolls. */
  moved(event: PointerEvent): void {
    const press = this.#press;
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > driftPixels) this.#endPress();
  }

  released(): void {
    this.#endPress();
  }

  #endPress(): void {
    clearTimeout(this.#press?.timer);
    this.#press = undefined;
  }

  #stretch(from: number, to: number): Key[] {
    const keys: Key[] = [];
    for (let index = Math.min(from, to); index <= Math.max(from, to); index++) {
      const key = this.#options.keyAt(index);
      if (key !== undefined) keys.push(key);
    }
    return keys;
  }

  #put(keys: ReadonlySet<Key>): void {
    this.#keys = keys;
    this.#options.changed?.();
    this.#host.requestUpdate();
  }
}
