import type { Recording } from "../recording/recording.js";
import { frameHeader, type FrameHeader } from "./mp3-frame.js";
import { readId3, type Id3 } from "./id3.js";
import { Unreadable, type Source } from "./source.js";

/** Between a tag and the first frame, so many bytes are searched. */
const searchedBytes = 64 * 1024;
/** Without a header that counts the frames, the bit rate is measured at so many places. */
const measuredPlaces = 24;

/** Reads the tags and the first frame of an MP3 file. @throws {Unreadable} */
export function readMp3(source: Source): Recording {
  const tag = readTags(source);
  const first = findFrame(source, tag.end, searchedBytes);
  if (!first) throw new Unreadable("The file contains no MP3 audio.");
  const end = soundEnd(source);
  const info = readInfo(source, first);
  const start = info ? first.at + first.header.bytes : first.at;
  if (end <= start) throw new Unreadable("The file contains no MP3 audio.");
  const milliseconds = info?.milliseconds ?? measured(source, { start, end });
  const frames = { offset: start, length: end - start };
  return { codec: "mp3", milliseconds, tags: tag.tags, marks: tag.marks, picture: tag.picture, frames };
}

/** Some programs put a second tag behind the first one; the first one counts. */
function readTags(source: Source): Id3 {
  const first = readId3(source, 0);
  if (first.end === 0) return first;
  const second = readId3(source, first.end);
  return second.end === 0 ? first : { ...first, end: second.end };
}

interface FoundFrame {
  readonly at: number;
  readonly header: FrameHeader;
}

/** A frame is certain when another one follows it. */
function findFrame(source: Source, from: number, within: number): FoundFrame | undefined {
  const last = Math.min(from + within, source.sizeBytes - 4);
  for (let at = from; at <= last; at += 1) {
    const header = frameHeader(source.read(at, 4));
    if (!header) continue;
    const next = at + header.bytes;
    const following = next + 4 <= source.sizeBytes ? frameHeader(source.read(next, 4)) : undefined;
    if (following?.sampleRate === header.sampleRate || next === source.sizeBytes) return { at, header };
  }
  return undefined;
}

/** The sound ends before an ID3v1 tag of 128 bytes, and before an APE tag. */
function soundEnd(source: Source): number {
  let end = source.sizeBytes;
  if (end >= 128 && source.read(end - 128, 3).toString("latin1") === "TAG") end -= 128;
  if (end < 32) return end;
  const foot = source.read(end - 32, 32);
  if (foot.toString("latin1", 0, 8) !== "APETAGEX") return end;
  const length = foot.readUInt32LE(12) + (foot.readUInt32LE(20) & 0x80000000 ? 32 : 0);
  return length < end ? end - length : end;
}

/** The first frame may be a header that says how many frames there are: Xing, Info, or VBRI. */
function readInfo(source: Source, { at, header }: FoundFrame): { readonly milliseconds: number } | undefined {
  const bytes = source.read(at, Math.min(header.bytes, source.sizeBytes - at));
  const xing = 4 + header.sideBytes;
  const name = bytes.toString("latin1", xing, xing + 4);
  if ((name === "Xing" || name === "Info") && bytes.length >= xing + 12 && bytes[xing + 7]! & 1) {
    const samples = bytes.readUInt32BE(xing + 8) * header.samples - padding(bytes, xing);
    return samples > 0 ? { milliseconds: (samples * 1000) / header.sampleRate } : undefined;
  }
  if (bytes.toString("latin1", 36, 40) !== "VBRI" || bytes.length < 54) return undefined;
  return { milliseconds: (bytes.readUInt32BE(50) * header.samples * 1000) / header.sampleRate };
}

/** What the encoder added before and behind the sound: twelve bits each, 21 bytes behind its name. */
function padding(bytes: Buffer, xing: number): number {
  const flags = bytes[xing + 7]!;
  const encoder = xing + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
  if (!/^(LAME|Lavc|Lavf)/.test(bytes.toString("latin1", encoder, encoder + 4)) || bytes.length < encoder + 24)
    return 0;
  const packed = bytes.readUIntBE(encoder + 21, 3);
  return (packed >> 12) + (packed & 0xfff);
}

/** By the mean bit rate of frames all over the file; exact where the bit rate is constant. */
function measured(source: Source, { start, end }: { readonly start: number; readonly end: number }): number {
  const rates: number[] = [];
  for (let place = 0; place < measuredPlaces; place += 1) {
    const found = findFrame(source, start + Math.floor(((end - start) * place) / measuredPlaces), 8192);
    if (found) rates.push(found.header.bitRate);
  }
  if (rates.length === 0) throw new Unreadable("The file contains no MP3 audio.");
  const bitRate = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return ((end - start) * 8000) / bitRate;
}
