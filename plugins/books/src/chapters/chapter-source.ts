import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import type { ChapterSource } from "@longbox/reading/contract";
import type { TaskThread } from "@longbox/sdk";
import type { CoverTasks } from "../covers/cover-tasks.js";
import { bookType } from "../formats/book-formats.js";
import type { BookChapter } from "./epub-chapters.js";

interface Sources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly thread: TaskThread<CoverTasks>;
}

/** Books whose chapters are remembered: those that are being read. */
const mostRemembered = 50;

/** The chapters of EPUBs, so that a place in one is found in its audiobook. */
export function chapterSource({ library, files, thread }: Sources): ChapterSource {
  const remembered = new Map<string, readonly BookChapter[]>();
  return {
    libraryType: bookType.id,
    async findChapters(issueId) {
      const holdings = await library.listHoldings(issueId);
      const epub = holdings.find(({ valid, format }) => valid && format === "epub");
      const opened = epub && (await files.open(epub.path));
      if (!epub || opened?.kind !== "file") {
        await opened?.close();
        return undefined;
      }
      try {
        const key = `${opened.validator} ${epub.path}`;
        const known = remembered.get(key);
        if (known) return known;
        const { handle, sizeBytes } = opened;
        const chapters = await thread.run("chapters", { descriptor: handle.fd, sizeBytes });
        if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!);
        remembered.set(key, chapters);
        return chapters;
      } finally {
        await opened.close();
      }
    },
  };
}
