/** Folders and files; a folder stands for everything below it, too. */
export class Places {
  readonly #paths: ReadonlySet<string>;

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
  }

  /** Whether a path is one of them or lies below one. As quick with a thousand places as with one. */
  hold(path: string): boolean {
    return this.#paths.has(path) || this.#holdAbove(path);
  }

  /** Those that lie below no other. */
  get outermost(): string[] {
    return [...this.#paths].filter((path) => !this.#holdAbove(path));
  }

  #holdAbove(path: string): boolean {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      if (this.#paths.has(path.slice(0, end))) return true;
    return false;
  }
}
