/** How long the controls stay after the last sign of use. */
const idleMs = 2600;
/** Pixels from the upper and lower edge within which the mouse shows the controls. */
const nearEdge = 96;

/** Whether the controls are shown: for some time after an interaction, and as long as they are held open. */
export class Presence {
  #shown = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #changed: () => void;
  readonly #held: () => boolean;

  constructor(options: { changed: () => void; held: () => boolean }) {
    this.#changed = options.changed;
    this.#held = options.held;
  }

  get shown(): boolean {
    return this.#shown || this.#held();
  }

  call(): void {
    this.#set(true);
    this.#timer = setTimeout(() => (this.#held() ? this.call() : this.#set(false)), idleMs);
  }

  toggle(): void {
    if (this.shown) this.#set(false);
    else this.call();
  }

  dismiss(): void {
    this.#set(false);
  }

  pointerAt(event: PointerEvent): void {
    if (event.pointerType !== "mouse") return;
    if (event.clientY < nearEdge || event.clientY > innerHeight - nearEdge) this.call();
  }

  release(): void {
    clearTimeout(this.#timer);
  }

  #set(shown: boolean): void {
    clearTimeout(this.#timer);
    if (this.#shown === shown) return;
    this.#shown = shown;
    this.#changed();
  }
}
