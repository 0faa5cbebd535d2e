import type { Check } from "./check.js";
import { lineOf, readSources } from "./sources.js";

// What a library holds is the plugins' business. A kernel that knows a word of it has begun to know the thing.
const words = [
  "comic",
  "comics",
  "manga",
  "webtoon",
  "series",
  "publisher",
  "annual",
  "storyarc",
  "cbz",
  "cbr",
  "cb7",
  "cbt",
  "epub",
  "ebook",
  "audiobook",
  "opds",
  "comicinfo",
  "comicvine",
  "isbn",
];
// "issue" is also zod's word for what is wrong with an input, so only the provider's kind of issue counts.
const names = /\bcv_?issue/gi;

/** No word of comics, books or audiobooks in the kernel and the SDK, in code, text or comments. */
export const wordsCheck: Check = {
  name: "words of the kernel",
  async find(root) {
    const sources = await readSources(root, ["kernel/src", "sdk/src"], /\.ts$/);
    return sources.flatMap(({ path, text }) =>
      wordsIn(text).map(
        ({ word, index }) => `${path}:${lineOf(text, index)} says "${word}", which belongs to a plugin.`,
      ),
    );
  },
};

// Names are taken apart where their case changes: `cvIssueId` holds "Issue".
function wordsIn(text: string): { word: string; index: number }[] {
  const parts = [...text.matchAll(/[A-Z]?[a-z]+\d?|[A-Z]+\d?(?![a-z])/g)].filter(([word]) =>
    words.includes(word.toLowerCase()),
  );
  return [...parts, ...text.matchAll(names)].map((match) => ({ word: match[0], index: match.index }));
}
