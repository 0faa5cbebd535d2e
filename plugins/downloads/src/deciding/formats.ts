/** Endings of files that hold something to read or hear, by the type of the library; the first are preferred. */
const comics = ["cbz", "cbr", "cb7", "cbt", "pdf", "epub", "zip", "rar", "7z", "tar"];
const books = ["epub", "pdf", "azw3", "mobi", "fb2", "cbz", "cbr", "djvu", "txt"];
const audio = ["m4b", "m4a", "mp3", "flac", "ogg", "opus", "aac"];

const byType: Readonly<Record<string, readonly string[]>> = { ebook: books, audiobook: audio };
const all = new Set([...comics, ...books, ...audio]);

/** The endings that a library of this type can want, the preferred ones first. */
export function endingsFor(libraryType: string): readonly string[] {
  return byType[libraryType] ?? comics;
}

export function isContent(ending: string): boolean {
  return all.has(ending);
}

export function isAudio(ending: string): boolean {
  return audio.includes(ending);
}

/** The ending of a file's name, in lower case without its dot; empty where it has none. */
export function endingOf(name: string): string {
  return /\.([A-Za-z0-9]{1,8})$/u.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** The format that a release's title names: `Moth Patrol 003 (2019).cbz`, `Moth Patrol 3 [EPUB]`. */
export function formatOf(title: string): string | undefined {
  const ending = endingOf(title);
  if (all.has(ending)) return ending;
  const words = title.toLowerCase().split(/[^a-z0-9]+/u);
  return words.find((word) => all.has(word) && word !== "zip" && word !== "rar" && word !== "tar" && word !== "txt");
}
