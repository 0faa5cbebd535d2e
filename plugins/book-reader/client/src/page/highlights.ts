import type { BookBookmark } from "@longbox/books/api";
import type { LongboxClient } from "@longbox/sdk/client";
import type { Mark, SelectedText, ShownPlace } from "../protocol.js";

export const colors = ["yellow", "green", "blue", "pink", "orange"] as const;

type Values = Omit<BookBookmark, "id" | "createdAt">;

/** The user's bookmarks, highlights and notes in one book, on the server. */
export class Highlights {
  #list: readonly BookBookmark[] = [];

  constructor(
    private readonly longbox: LongboxClient,
    private readonly cvIssueId: number,
    private readonly changed: () => void,
  ) {}

  /** By their place in the book. */
  get list(): readonly BookBookmark[] {
    return this.#list;
  }

  /** Those that are drawn over the text; bookmarks without a text are not. */
  get marks(): readonly Mark[] {
    return this.#list.flatMap(({ id, locator, fraction, color, text }) =>
      text === null ? [] : [{ id, locator, fraction, text, color: color ?? "yellow" }],
    );
  }

  find(id: number): BookBookmark | undefined {
    return this.#list.find((entry) => entry.id === id);
  }

  async load(): Promise<void> {
    this.show(await this.longbox.api<readonly BookBookmark[]>(this.#path));
  }

  /** Those of the server, which were fetched with the book. */
  show(list: readonly BookBookmark[]): void {
    this.#list = list.toSorted((a, b) => a.fraction - b.fraction || a.id - b.id);
    this.changed();
  }

  async highlight({ locator, fraction, text }: SelectedText, color: string): Promise<number> {
    return this.#put({ locator, fraction, text, color, note: null });
  }

  async change(id: number, change: Partial<Pick<Values, "note" | "color">>): Promise<void> {
    const entry = this.find(id);
    if (!entry) return;
    const { createdAt: _createdAt, ...values } = entry;
    const before = this.#list;
    // Shown, and exported, before the server has answered.
    this.show(before.map((each) => (each.id === id ? { ...each, ...change } : each)));
    try {
      await this.#put({ ...values, ...change });
    } catch (failure) {
      this.show(before);
      throw failure;
    }
  }

  async remove(id: number): Promise<void> {
    await this.longbox.api(`/api/ebooks/bookmarks/${id}`, { method: "DELETE" });
    await this.load();
  }

  /** The bookmark of the shown page. */
  bookmarkAt(place: ShownPlace): BookBookmark | undefined {
    return this.#list.find(
      (entry) => entry.text === null && Math.abs(entry.fraction - place.fraction) < 0.5 / place.pages,
    );
  }

  async toggleBookmark(place: ShownPlace): Promise<void> {
    const present = this.bookmarkAt(place);
    if (present) return this.remove(present.id);
    const { locator, fraction, chapter } = place;
    await this.#put({ locator, fraction, note: chapter || null, color: null, text: null });
  }

  get #path(): string {
    return `/api/ebooks/issue/${this.cvIssueId}/bookmarks`;
  }

  async #put(body: Values & { id?: number }): Promise<number> {
    const { id } = await this.longbox.api<{ id: number }>(this.#path, { method: "POST", body });
    await this.load();
    return id;
  }
}
