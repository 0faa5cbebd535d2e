import type { LongboxClient } from "@longbox/sdk/client";
import type { OpenIssue, PageNote } from "@longbox/reader/api";

/** What the reader wrote about pages of an issue. */
export class PageNotes {
  readonly #longbox: LongboxClient;
  readonly #cvIssueId: number;
  readonly #changed: () => void;
  #all: readonly PageNote[];

  constructor(longbox: LongboxClient, issue: OpenIssue, changed: () => void) {
    this.#longbox = longbox;
    this.#cvIssueId = issue.cvIssueId;
    this.#all = issue.notes;
    this.#changed = changed;
  }

  get pages(): readonly number[] {
    return this.#all.map(({ page }) => page);
  }

  /** The note of a page; empty where there is none. */
  textOf(page: number): string {
    return this.#all.find((note) => note.page === page)?.text ?? "";
  }

  /** Saves a note; an empty one is removed. Rejects when it could not be saved. */
  async write(page: number, text: string): Promise<void> {
    const { notes } = await this.#longbox.api<{ notes: PageNote[] }>(`/api/reader/issue/${this.#cvIssueId}/note`, {
      method: "POST",
      body: { page, text },
    });
    this.#all = notes;
    this.#changed();
  }
}
