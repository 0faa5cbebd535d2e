/** What went wrong last with the provider, for people; undefined once it answers again. */
export class ProviderTrouble {
  #text: string | undefined;

  get text(): string | undefined {
    return this.#text;
  }

  note(text: string | undefined): void {
    this.#text = text;
  }
}
