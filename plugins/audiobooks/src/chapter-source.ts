import type { ChapterSource } from "@longbox/reading/contract";
import type { Audiobooks } from "./audiobooks.js";
import { audiobookType } from "./formats.js";

/** The chapters of audiobooks, so that a place in one is found in its e-book. */
export function chapterSource(audiobooks: Audiobooks): ChapterSource {
  return {
    libraryType: audiobookType,
    async findChapters(issueId) {
      const files = (await audiobooks.findFiles([issueId])).get(issueId);
      if (!files || files.duration <= 0) return undefined;
      return files.chapters.map(({ title, start }) => ({ title, start: start / files.duration }));
    },
  };
}
