import type { Mark } from "../recording/recording.js";
import { contentOf, findBox, type Box } from "./mp4-boxes.js";
import type { Track } from "./mp4-tracks.js";
import { Unreadable, type Source } from "./source.js";

/** More are no chapters that a listener can use. */
const mostChapters = 5000;
const longestTitleBytes = 1024;

/** The chapters of a text track: each sample is a title, for as long as it is shown. */
export function readTextTrack(source: Source, track: Track): Mark[] {
  const starts = startsOf(source, track);
  const places = placesOf(source, track.samples, starts.length);
  return places.map(({ offset, length }, index) => ({
    startMs: (starts[index]! * 1000) / track.timescale,
    title: titleOf(source.read(offset, Math.min(length, longestTitleBytes))),
  }));
}

/** Nero's list: times of 100 ns, titles of up to 255 bytes. */
export function readNeroChapters(source: Source, box: Box): Mark[] {
  const bytes = contentOf(source, box);
  const marks: Mark[] = [];
  let offset = bytes[0] === 1 ? 9 : 5;
  for (let left = bytes[offset - 1] ?? 0; left > 0 && offset + 9 <= bytes.length; left -= 1) {
    const length = bytes[offset + 8]!;
    const title = bytes.toString("utf8", offset + 9, offset + 9 + length);
    marks.push({ startMs: Number(bytes.readBigUInt64BE(offset)) / 10_000, title });
    offset += 9 + length;
  }
  return marks;
}

/** When each sample begins, in units of the track. */
function startsOf(source: Source, { samples }: Track): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const [count, length] of pairsOf(source, samples, "stts")) {
    for (let left = count; left > 0; left -= 1) {
      starts.push(at);
      at += length;
      if (starts.length > mostChapters) throw new Unreadable("The file has too many chapters.");
    }
  }
  return starts;
}

function placesOf(source: Source, samples: Box, count: number): Array<{ offset: number; length: number }> {
  const chunks = chunkOffsets(source, samples);
  const lengths = sampleLengths(source, samples, count);
  const runs = triplesOf(source, samples, "stsc");
  const places: Array<{ offset: number; length: number }> = [];
  for (const [index, begin] of chunks.entries()) {
    const [, perChunk = 1] = runs.findLast(([first]) => first <= index + 1) ?? [];
    let offset = begin;
    for (let left = perChunk; left > 0 && places.length < count; left -= 1) {
      const length = lengths[places.length]!;
      places.push({ offset, length });
      offset += length;
    }
  }
  return places;
}

function sampleLengths(source: Source, samples: Box, count: number): number[] {
  const box = findBox(source, samples, "stsz");
  const bytes = box && contentOf(source, box);
  if (!bytes || bytes.length < 12) throw new Unreadable("The chapters of the file have no table of lengths.");
  const same = bytes.readUInt32BE(4);
  if (same === 0 && bytes.length < 12 + count * 4) throw new Unreadable("The table of chapters is cut off.");
  return Array.from({ length: count }, (_, index) => (same === 0 ? bytes.readUInt32BE(12 + index * 4) : same));
}

function chunkOffsets(source: Source, samples: Box): number[] {
  const [short, long] = [findBox(source, samples, "stco"), findBox(source, samples, "co64")];
  const bytes = contentOf(source, short ?? long ?? { type: "", start: 0, end: 0 });
  const width = short ? 4 : 8;
  return Array.from({ length: countOf(bytes, width) }, (_, index) =>
    short ? bytes.readUInt32BE(8 + index * 4) : Number(bytes.readBigUInt64BE(8 + index * 8)),
  );
}

function pairsOf(source: Source, samples: Box, type: string): Array<[number, number]> {
  return rowsOf(source, findBox(source, samples, type), 2).map(([one = 0, two = 0]) => [one, two]);
}

function triplesOf(source: Source, samples: Box, type: string): Array<[number, number]> {
  return rowsOf(source, findBox(source, samples, type), 3).map(([one = 0, two = 0]) => [one, two]);
}

function rowsOf(source: Source, box: Box | undefined, columns: number): number[][] {
  if (!box) throw new Unreadable("The chapter track has no time table.");
  const bytes = contentOf(source, box);
  return Array.from({ length: countOf(bytes, columns * 4) }, (_, row) =>
    Array.from({ length: columns }, (_, column) => bytes.readUInt32BE(8 + (row * columns + column) * 4)),
  );
}

/** The number of entries that a table names, when it has so many. */
function countOf(bytes: Buffer, width: number): number {
  if (bytes.length < 8) throw new Unreadable("A table of chapters is cut off.");
  const count = bytes.readUInt32BE(4);
  if (8 + count * width > bytes.length) throw new Unreadable("A table of chapters is cut off.");
  return count;
}

/** Two bytes of length, then UTF-8, or UTF-16 behind a byte order mark. */
function titleOf(sample: Buffer): string {
  if (sample.length < 2) return "";
  const text = sample.subarray(2, 2 + sample.readUInt16BE(0));
  const mark = text.length >= 2 ? text.readUInt16BE(0) : 0;
  if (mark === 0xfeff) return new TextDecoder("utf-16be").decode(text.subarray(2));
  if (mark === 0xfffe) return new TextDecoder("utf-16le").decode(text.subarray(2));
  return text.toString("utf8");
}
