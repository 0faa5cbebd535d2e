/** A chapter of a book. */
export interface BookChapter {
  readonly title: string;
  /** Where it begins, 0 to 1 of the book. */
  readonly start: number;
}

export const most = { chapters: 2000, titleLength: 300 };

/** Chapters in their order; of those that begin at the same place the first one, and none without a title. */
export function arranged(chapters: Iterable<BookChapter>): BookChapter[] {
  const byStart = new Map<number, BookChapter>();
  for (const { title, start } of chapters) {
    const tidy = title.replaceAll(/\s+/gu, " ").trim().slice(0, most.titleLength);
    if (tidy !== "" && start >= 0 && start < 1 && byStart.size < most.chapters && !byStart.has(start))
      byStart.set(start, { title: tidy, start });
  }
  return [...byStart.values()].toSorted((one, other) => one.start - other.start);
}
