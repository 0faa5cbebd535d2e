import { keepTag, type AudioTags, type Mark, type MutableTags } from "../recording/recording.js";
import { namedTag } from "./named-tags.js";
import { Unreadable } from "./source.js";

const mostComments = 20_000;
const longestComment = 64 * 1024;

/** Comments of FLAC, Opus and Vorbis: `NAME=text` each. @param bytes - from the length of the vendor's name on */
export function readVorbisComments(bytes: Buffer): { readonly tags: AudioTags; readonly marks: readonly Mark[] } {
  const tags: MutableTags = {};
  const chapters = new Map<string, { time?: string; name?: string }>();
  for (const comment of commentsIn(bytes)) {
    const equals = comment.indexOf("=");
    const [name, text] = [comment.slice(0, equals).toUpperCase(), comment.slice(equals + 1)];
    const [, number, part] = /^CHAPTER(\d{1,5})(NAME)?$/.exec(name) ?? [];
    if (number === undefined) keepTag(tags, namedTag(name), text);
    else {
      const chapter = chapters.get(number) ?? {};
      chapters.set(number, part ? { ...chapter, name: text } : { ...chapter, time: text });
    }
  }
  const marks = [...chapters.values()].flatMap(({ time, name = "" }) => {
    const startMs = clockMs(time ?? "");
    return startMs === undefined ? [] : [{ startMs, title: name }];
  });
  return { tags, marks: marks.toSorted((a, b) => a.startMs - b.startMs) };
}

function* commentsIn(bytes: Buffer): Generator<string> {
  let at = 4 + lengthAt(bytes, 0);
  const count = lengthAt(bytes, at);
  if (count > mostComments) throw new Unreadable("The file has too many tags.");
  at += 4;
  for (let left = count; left > 0; left -= 1) {
    const length = lengthAt(bytes, at);
    if (at + 4 + length > bytes.length) throw new Unreadable("The tags of the file are cut off.");
    // Pictures in comments are longer than any text.
    if (length <= longestComment) yield bytes.toString("utf8", at + 4, at + 4 + length);
    at += 4 + length;
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw new Unreadable("The tags of the file are cut off.");
  return bytes.readUInt32LE(at);
}

/** Milliseconds of `01:02:03.456`, `2:03.5` or `03`; undefined for other texts. */
export function clockMs(text: string): number | undefined {
  const [, hours = "0", minutes = "0", seconds] =
    /^(?:(?:(\d{1,4}):)?(\d{1,5}):)?(\d{1,2}(?:\.\d{1,9})?)$/.exec(text.trim()) ?? [];
  return seconds === undefined ? undefined : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
