/** The last error of the provider, for users; undefined once it answers again. */
export class ProviderTrouble {
  #text: string | undefined;

  get text(): string | undefined {
    return this.#text;
  }

  note(text: string | undefined): void {
    this.#text = text;
  }
}
