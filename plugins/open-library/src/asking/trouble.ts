/** Why the last request failed, for the health check. */
export class Trouble {
  #text: string | undefined;

  get text(): string | undefined {
    return this.#text;
  }

  note(text: string | undefined): void {
    this.#text = text;
  }
}
