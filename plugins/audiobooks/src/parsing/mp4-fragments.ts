import { boxesIn, contentOf, findBox, type Box } from "./mp4-boxes.js";
import type { Track } from "./mp4-tracks.js";
import { Unreadable, type Source } from "./source.js";

/** What `tfhd` and `trun` say that they contain. */
const has = { baseOffset: 0x01, description: 0x02, defaultDuration: 0x08 } as const;
const hasInRun = {
  dataOffset: 0x01,
  firstFlags: 0x04,
  duration: 0x100,
  size: 0x200,
  flags: 0x400,
  time: 0x800,
} as const;
const mostSampleBytes = 4 * 1024 * 1024;

/**
 * How long a file is whose sound stands in fragments, as streams are saved: up to the end of the last fragment. In
 * units of the track; 0 without fragments.
 * @throws {Unreadable}
 */
export function fragmentedDuration(source: Source, movie: Box, { id }: Pick<Track, "id">): number {
  const last = lastFragment(source);
  const track = last && [...boxesIn(source, last)].find((box) => box.type === "traf" && trackOf(source, box) === id);
  if (!track) return 0;
  const time = findBox(source, track, "tfdt");
  const begin = time ? beginOf(bytesOf(source, time, 8)) : 0;
  const usual = defaultDuration(source, track) ?? movieDefault(source, movie, id);
  const runs = [...boxesIn(source, track)].filter(({ type }) => type === "trun");
  return begin + runs.reduce((sum, run) => sum + durationOf(bytesOf(source, run, 8), usual), 0);
}

/** The content of a box. @throws {Unreadable} when it is shorter than what has to be in it */
function bytesOf(source: Source, box: Box, leastBytes: number): Buffer {
  const bytes = contentOf(source, box, mostSampleBytes);
  if (bytes.length < leastBytes) throw new Unreadable("A box of the file has an impossible length.");
  return bytes;
}

function beginOf(time: Buffer): number {
  if (time[0] !== 1) return time.readUInt32BE(4);
  if (time.length < 12) throw new Unreadable("A box of the file has an impossible length.");
  return Number(time.readBigUInt64BE(4));
}

/** By the index at the end of the file, else the last of those that follow each other. */
function lastFragment(source: Source): Box | undefined {
  const whole = { start: 0, end: source.sizeBytes };
  const indexed = indexedFragment(source);
  if (indexed !== undefined) return findBox(source, { start: indexed, end: source.sizeBytes }, "moof");
  return [...boxesIn(source, whole)].findLast(({ type }) => type === "moof");
}

/** `mfro` are the last sixteen bytes: the length of the index, whose last entry has the place of the last fragment. */
function indexedFragment(source: Source): number | undefined {
  if (source.sizeBytes < 16) return undefined;
  const end = source.read(source.sizeBytes - 16, 16);
  const length = end.readUInt32BE(12);
  if (end.toString("latin1", 4, 8) !== "mfro" || length < 16 || length > source.sizeBytes) return undefined;
  const start = source.sizeBytes - length;
  const table = findBox(source, { start, end: source.sizeBytes }, "mfra", "tfra");
  const bytes = table && contentOf(source, table, mostSampleBytes);
  if (!bytes || bytes.length < 16) return undefined;
  const [isLong, lengths, count] = [bytes[0] === 1, bytes.readUInt32BE(8), bytes.readUInt32BE(12)];
  const numbers = [4, 2, 0].reduce((sum, shift) => sum + ((lengths >> shift) & 3) + 1, 0);
  const at = 16 + (count - 1) * ((isLong ? 16 : 8) + numbers);
  if (count === 0 || at + 16 > bytes.length + (isLong ? 0 : 8)) return undefined;
  const place = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at + 4);
  return place < source.sizeBytes ? place : undefined;
}

function trackOf(source: Source, fragment: Box): number | undefined {
  const head = findBox(source, fragment, "tfhd");
  return head && bytesOf(source, head, 8).readUInt32BE(4);
}

function defaultDuration(source: Source, fragment: Box): number | undefined {
  const head = findBox(source, fragment, "tfhd");
  if (!head) return undefined;
  const bytes = bytesOf(source, head, 8);
  const flags = bytes.readUInt32BE(0);
  const at = 8 + (flags & has.baseOffset ? 8 : 0) + (flags & has.description ? 4 : 0);
  return flags & has.defaultDuration && at + 4 <= bytes.length ? bytes.readUInt32BE(at) : undefined;
}

function movieDefault(source: Source, movie: Box, id: number): number {
  const extension = findBox(source, movie, "mvex");
  for (const box of extension ? boxesIn(source, extension) : []) {
    const bytes = box.type === "trex" ? contentOf(source, box, 64) : undefined;
    if (bytes && bytes.length >= 16 && bytes.readUInt32BE(4) === id) return bytes.readUInt32BE(12);
  }
  return 0;
}

/** Of one run: each sample says how long it is, or all are of the usual length. */
function durationOf(run: Buffer, usual: number): number {
  const [flags, count] = [run.readUInt32BE(0), run.readUInt32BE(4)];
  if ((flags & hasInRun.duration) === 0) return count * usual;
  const first = 8 + (flags & hasInRun.dataOffset ? 4 : 0) + (flags & hasInRun.firstFlags ? 4 : 0);
  const fields = [hasInRun.duration, hasInRun.size, hasInRun.flags, hasInRun.time];
  const step = 4 * fields.filter((field) => flags & field).length;
  let sum = 0;
  for (let at = first; at + step <= run.length && at < first + count * step; at += step) sum += run.readUInt32BE(at);
  return sum;
}
