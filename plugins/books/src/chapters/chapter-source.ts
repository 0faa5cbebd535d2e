import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import type { ChapterSource } from "@longbox/reading/contract";
import type { TaskThread } from "@longbox/sdk";
import type { CoverTasks } from "../covers/cover-tasks.js";
import { bookType, rankOf } from "../formats/book-formats.js";
import type { BookChapter } from "./book-chapter.js";
import { hasChapters } from "./finding-chapters.js";

interface Sources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly thread: TaskThread<CoverTasks>;
}

/** Books whose chapters are remembered: those that are being read. */
const mostRemembered = 50;

/** The chapters of books, so that a place in one is found in its audiobook. */
export function chapterSource({ library, files, thread }: Sources): ChapterSource {
  const remembered = new Map<string, readonly BookChapter[]>();
  return {
    libraryType: bookType.id,
    async findChapters(issueId) {
      const holdings = await library.listHoldings(issueId);
      // Of several formats the one that is sent to readers.
      const [book] = holdings
        .filter(({ valid, format }) => valid && hasChapters(format))
        .toSorted((one, other) => rankOf(one.format) - rankOf(other.format));
      const opened = book && (await files.open(book.path));
      if (!book || opened?.kind !== "file") {
        await opened?.close();
        return undefined;
      }
      try {
        const key = `${opened.validator} ${book.path}`;
        const known = remembered.get(key);
        if (known) return known;
        const { handle, sizeBytes } = opened;
        const chapters = await thread.run("chapters", { descriptor: handle.fd, sizeBytes, format: book.format ?? "" });
        if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!);
        remembered.set(key, chapters);
        return chapters;
      } finally {
        await opened.close();
      }
    },
  };
}
