/** What is typed while the field for it is on its way, so that no letter is lost, or taken for a shortcut. */
export class TypedAhead implements Disposable {
  #text = "";
  readonly #listen = (event: KeyboardEvent): void => this.#pressed(event);

  constructor() {
    window.addEventListener("keydown", this.#listen, { capture: true });
  }

  get text(): string {
    return this.#text;
  }

  [Symbol.dispose](): void {
    window.removeEventListener("keydown", this.#listen, { capture: true });
  }

  #pressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const letters = [...this.#text];
    if (event.key === "Backspace") this.#text = letters.slice(0, -1).join("");
    else if ([...event.key].length === 1) this.#text = [...letters, event.key].join("");
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
