import { keepTag, type AudioTags, type Mark, type MutableTags } from "../recording/recording.js";
import { namedTag } from "./named-tags.js";
import { Unreadable } from "./source.js";

const mostComments = 20_000;
const longestComment = 64 * 1024;
const longestName = 200;

/** What comments tell. */
export interface Comments {
  readonly tags: AudioTags;
  readonly marks: readonly Mark[];
  /** Whether a picture is among them. */
  readonly hasPicture: boolean;
}

export const pictureComment = "METADATA_BLOCK_PICTURE";

/** Comments of FLAC, Opus and Vorbis: `NAME=text` each. @param bytes - from the length of the vendor's name on */
export function readVorbisComments(bytes: Buffer): Comments {
  const tags: MutableTags = {};
  const chapters = new Map<string, { time?: string; name?: string }>();
  let hasPicture = false;
  for (const { name, value } of rawComments(bytes)) {
    hasPicture ||= name === pictureComment;
    // Pictures are longer than any text.
    if (name === pictureComment || value.length > longestComment) continue;
    const text = value.toString("utf8");
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
  return { tags, marks: marks.toSorted((a, b) => a.startMs - b.startMs), hasPicture };
}

/** The name of each comment in capitals, and its value as it is. @throws {Unreadable} */
export function* rawComments(bytes: Buffer): Generator<{ readonly name: string; readonly value: Buffer }> {
  let at = 4 + lengthAt(bytes, 0);
  const count = lengthAt(bytes, at);
  if (count > mostComments) throw new Unreadable("The file has too many tags.");
  at += 4;
  for (let left = count; left > 0; left -= 1) {
    const length = lengthAt(bytes, at);
    if (at + 4 + length > bytes.length) throw new Unreadable("The tags of the file are cut off.");
    const comment = bytes.subarray(at + 4, at + 4 + length);
    const equals = comment.subarray(0, longestName + 1).indexOf("=");
    if (equals >= 0)
      yield { name: comment.toString("latin1", 0, equals).toUpperCase(), value: comment.subarray(equals + 1) };
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
