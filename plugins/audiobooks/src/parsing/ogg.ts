import type { Recording } from "../recording/recording.js";
import { Unreadable, type Source } from "./source.js";
import { readVorbisComments } from "./vorbis-comments.js";

/** Pictures are in the comments, a third larger than they are. */
const mostHeaderBytes = 24 * 1024 * 1024;
const mostPages = 5000;
/** The last page is within so many bytes of the end. */
const tailBytes = 128 * 1024;

/** Reads the first packets and the last page of an Ogg file with Opus or Vorbis. @throws {Unreadable} */
export function readOgg(source: Source): Recording {
  const [identification, comments] = firstPackets(source);
  const { codec, sampleRate, skipped } = codecOf(identification.bytes);
  const samples = lastGranule(source, identification.serial) - skipped;
  if (samples <= 0 || sampleRate === 0) throw new Unreadable("The file does not say how long it is.");
  const { hasPicture, ...told } = readVorbisComments(namedIn(comments.bytes, codec));
  const milliseconds = (samples * 1000) / sampleRate;
  return { codec, milliseconds, ...told, picture: undefined, hasPictureComment: hasPicture, frames: undefined };
}

/** The comments alone. @throws {Unreadable} */
export function oggComments(source: Source): Buffer {
  const [identification, comments] = firstPackets(source);
  return namedIn(comments.bytes, codecOf(identification.bytes).codec);
}

/** Behind the name of the packet. */
const namedIn = (packet: Buffer, codec: string) => packet.subarray(codec === "opus" ? 8 : 7);

interface Packet {
  readonly bytes: Buffer;
  readonly serial: number;
}

function codecOf(head: Buffer): { readonly codec: string; readonly sampleRate: number; readonly skipped: number } {
  if (head.toString("latin1", 0, 8) === "OpusHead" && head.length >= 12)
    return { codec: "opus", sampleRate: 48_000, skipped: head.readUInt16LE(10) };
  if (head.toString("latin1", 1, 7) === "vorbis" && head.length >= 16)
    return { codec: "vorbis", sampleRate: head.readUInt32LE(12), skipped: 0 };
  throw new Unreadable("The file holds neither Opus nor Vorbis sound.");
}

interface Page {
  readonly serial: number;
  readonly lacing: Buffer;
  readonly body: number;
  readonly end: number;
}

function readPage(source: Source, at: number): Page {
  const head = source.read(at, 27);
  if (head.toString("latin1", 0, 4) !== "OggS") throw new Unreadable("A page of the file is damaged.");
  const lacing = Buffer.from(source.read(at + 27, head[26]!));
  const body = at + 27 + lacing.length;
  return { serial: head.readUInt32LE(14), lacing, body, end: body + lacing.reduce((sum, length) => sum + length, 0) };
}

/** The first two packets of the first stream, which may go over several pages. */
function firstPackets(source: Source): [Packet, Packet] {
  const packets: Packet[] = [];
  let [pieces, length, at, serial]: [Buffer[], number, number, number | undefined] = [[], 0, 0, undefined];
  for (let count = 0; count < mostPages; count += 1) {
    const page = readPage(source, at);
    serial ??= page.serial;
    let from = page.body;
    for (const size of page.serial === serial ? page.lacing : []) {
      pieces.push(Buffer.from(source.read(from, size)));
      from += size;
      if ((length += size) > mostHeaderBytes) throw new Unreadable("The tags of the file are too long.");
      if (size === 255) continue;
      packets.push({ bytes: Buffer.concat(pieces), serial });
      if (packets[0] && packets[1]) return [packets[0], packets[1]];
      pieces = [];
    }
    at = page.end;
  }
  throw new Unreadable("The file has too many pages of tags.");
}

/** How many samples end with the last page of a stream. */
function lastGranule(source: Source, serial: number): number {
  const tail = source.tail(tailBytes);
  for (let at = tail.lastIndexOf("OggS"); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf("OggS", at - 1)) {
    if (at + 27 > tail.length || tail.readUInt32LE(at + 14) !== serial) continue;
    const granule = tail.readBigInt64LE(at + 6);
    if (granule >= 0n) return Number(granule);
  }
  throw new Unreadable("The file does not end with a page of sound.");
}
