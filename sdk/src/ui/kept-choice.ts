import { AsyncDirective, directive } from "lit/async-directive.js";

/**
 * How long a choice stays whose change returns no promise, in milliseconds: by then its element has been drawn again.
 */
const keptMs = 1_000;

/** Draws the control with a value. What a user chooses in it is passed to `choose`. */
type Control<T> = (shown: T, choose: (value: T) => void) => unknown;

/**
 * Keeps in a control what a user chose, however often its element is drawn meanwhile, until the change that the choice
 * began has settled. From then on the control shows what its element says, which after a failure is what it was before.
 */
class KeptChoice extends AsyncDirective {
  #given: unknown;
  #kept: { readonly value: unknown; readonly isAwaited: boolean } | undefined;
  #draw: (shown: unknown) => unknown = () => undefined;

  override render(given: unknown, changed: (value: unknown) => unknown, control: Control<unknown>): unknown {
    this.#given = given;
    this.#draw = (shown) => control(shown, (value) => this.#choose(value, changed));
    if (this.#kept && !this.#kept.isAwaited && this.#kept.value === given) this.#kept = undefined;
    return this.#draw(this.#kept ? this.#kept.value : given);
  }

  #choose(value: unknown, changed: (value: unknown) => unknown): void {
    const change = changed(value);
    const isAwaited = change instanceof Promise;
    const kept = { value, isAwaited };
    this.#kept = kept;
    const release = (): void => {
      if (this.#kept !== kept) return;
      this.#kept = undefined;
      if (this.isConnected) this.setValue(this.#draw(this.#given));
    };
    if (isAwaited) void change.then(release, release);
    else setTimeout(release, keptMs);
  }
}

const kept = directive(KeptChoice);

/**
 * A control that shows `given`, and what a user chooses until the change has settled.
 * @param changed - Makes the change. The promise that it may return settles when `given` is up to date again.
 */
export const keptChoice = <T>(given: T, changed: (value: T) => unknown, control: Control<T>): unknown =>
  kept(given, changed as (value: unknown) => unknown, control as Control<unknown>);
