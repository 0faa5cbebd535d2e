import { noMetadata, type BookLook, type BookMetadata } from "./book-metadata.js";
import type { LookedAt } from "./looked-at.js";
import { UnreadableBook } from "./unreadable.js";
import { isbnOf, languageOf, lineOf } from "./values.js";

/** The longest books in print have about 10 MB. */
const largestBytes = 32 * 1024 * 1024;
/** Headers stand at the beginning: in this many lines. */
const headerLines = 60;
/** Bytes that are looked at for what no text has. */
const sampleBytes = 256 * 1024;

/**
 * Reads `Title: …`, `Author: …` and the like, as libraries of free books write them above the text.
 * @throws {UnreadableBook}
 */
export function inspectText(file: LookedAt): BookLook {
  if (file.sizeBytes > largestBytes) throw new UnreadableBook("The text is larger than 32 MB.");
  const sample = file.read(Math.max(0, file.sizeBytes - sampleBytes), Math.min(sampleBytes, file.sizeBytes));
  if (sample.includes(0)) throw new UnreadableBook("The file holds bytes that no text has.");
  return { metadata: metadataOf(headersOf(decode(file.head))), details: {} };
}

/**
 * UTF-8 where every byte fits, else Windows-1252, in which every byte is a character. The last character may be cut.
 */
function decode(head: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(head);
  }
}

function headersOf(beginning: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of beginning.split(/\r?\n/u, headerLines)) {
    const [, name, value] = /^(title|author|series|language|isbn):\s+(\S.*)$/iu.exec(line.trim().slice(0, 2000)) ?? [];
    if (name !== undefined && value !== undefined && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function metadataOf(headers: ReadonlyMap<string, string>): BookMetadata {
  const author = lineOf(headers.get("author"));
  const [, series, number] = /^(.*?)(?:\s+#(\d{1,5}))?$/u.exec(headers.get("series") ?? "") ?? [];
  const name = lineOf(series);
  const isbn = isbnOf(headers.get("isbn"));
  return {
    ...noMetadata,
    title: lineOf(headers.get("title")),
    people: author === undefined ? [] : [{ name: author, role: "author" }],
    language: languageOf(headers.get("language")),
    series: name === undefined ? undefined : { name, number },
    ids: isbn === undefined ? {} : { isbn },
  };
}
