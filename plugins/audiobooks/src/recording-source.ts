import type { RecordingSource } from "@longbox/opds/contract";
import type { Audiobooks } from "./audiobooks.js";

/** The files and chapters of books, for the manifests of the catalog. */
export function recordingSource(audiobooks: Audiobooks): RecordingSource {
  return {
    async findRecording(issueId) {
      const book = (await audiobooks.findFiles([issueId])).get(issueId);
      if (!book) return undefined;
      const path = `/api/audiobooks/issue/${issueId}/stream`;
      return {
        files: book.parts.map(({ contentType, start, end }, part) => ({
          path: book.parts.length === 1 ? path : `${path}?part=${part}`,
          contentType,
          duration: Math.max(0.001, end - start),
        })),
        chapters: book.chapters.map(({ title, start }) => {
          const file = Math.max(
            0,
            book.parts.findLastIndex((part) => part.start <= start),
          );
          return { title, file, start: Math.round((start - book.parts[file]!.start) * 1000) / 1000 };
        }),
      };
    },
  };
}
