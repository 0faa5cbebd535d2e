import type { AudioDetails } from "../details.js";
import { Unreadable } from "../parsing/source.js";

/** What `files` keeps beside a file, less some room: characters of JSON. */
const mostCharacters = 60 * 1024;
const shorterTitles = [200, 60, 24];

/**
 * Shortens titles, then leaves out chapters, until the details fit.
 * @throws {Unreadable} when the files alone are too many
 */
export function withinLimit(details: AudioDetails): AudioDetails {
  for (const length of shorterTitles) {
    const chapters = details.chapters.map(([startMs, title]): [number, string] => [startMs, title.slice(0, length)]);
    const shortened = { ...details, chapters };
    if (JSON.stringify(shortened).length <= mostCharacters) return shortened;
  }
  for (let every = 2; every < details.chapters.length; every *= 2) {
    const chapters = details.chapters.filter((_, index) => index % every === 0);
    const thinned = {
      ...details,
      chapters: chapters.map(([startMs, title]): [number, string] => [startMs, title.slice(0, 24)]),
    };
    if (JSON.stringify(thinned).length <= mostCharacters) return thinned;
  }
  throw new Unreadable("The book consists of too many files.");
}
