import type { LookedAt } from "../inspecting/looked-at.js";
import { PalmDatabase } from "../inspecting/mobi/palm-database.js";
import { most, type BookChapter } from "./book-chapter.js";
import { readIndex } from "./mobi-index.js";

const largestHeaderBytes = 1024 * 1024;
const largestStringsBytes = 64 * 1024;
const none = 0xffffffff;
/** Where fields of the first record lie. */
const at = { textLength: 4, magic: 16, codePage: 28, contents: 244 };
/** Fields of an entry of the contents: its byte in the text, and where its title is among the strings. */
const fields = { offset: 1, title: 3 };

/** The table of contents of a MOBI or AZW3 (its NCX index); a place is the share of the text's bytes before it. */
export function mobiChapters(file: Pick<LookedAt, "sizeBytes" | "read">): BookChapter[] {
  const database = new PalmDatabase(file);
  const header = database.read(0, largestHeaderBytes);
  if (header.length < at.contents + 4 || header.toString("latin1", at.magic, at.magic + 4) !== "MOBI") return [];
  const textLength = header.readUInt32BE(at.textLength);
  const contents = header.readUInt32BE(at.contents);
  if (contents === none || textLength === 0) return [];
  const { entries, firstString } = readIndex(database, contents, most.chapters);
  const decoder = new TextDecoder(header.readUInt32BE(at.codePage) === 65_001 ? "utf-8" : "windows-1252");
  return entries.flatMap((entry) => {
    const [offset, title] = [entry.get(fields.offset)?.[0], entry.get(fields.title)?.[0]];
    if (offset === undefined || title === undefined) return [];
    const text = stringAt(database, firstString, title);
    return text === undefined ? [] : [{ title: decoder.decode(text), start: offset / textLength }];
  });
}

/** Strings stand in records of 64 kB, each behind its length. */
function stringAt(database: PalmDatabase, first: number, place: number): Uint8Array | undefined {
  const record = first + Math.floor(place / 0x10000);
  if (!database.find(record)) return undefined;
  const strings = database.read(record, largestStringsBytes);
  const begin = place % 0x10000;
  let length = 0;
  for (let index = begin; index < Math.min(begin + 4, strings.length); index++) {
    length = length * 128 + (strings[index]! & 0x7f);
    if ((strings[index]! & 0x80) !== 0) return strings.subarray(index + 1, index + 1 + Math.min(length, 2000));
  }
  return undefined;
}
