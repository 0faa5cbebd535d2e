import { boxesIn, contentOf, findBox, type Box } from "./mp4-boxes.js";
import { Unreadable, type Source } from "./source.js";

/** A track of an MP4 file, without its samples. */
export interface Track {
  readonly id: number;
  /** `soun`, `text`, `sbtl`, `vide`. */
  readonly handler: string;
  /** Units in a second. */
  readonly timescale: number;
  /** In those units; 0 when the file does not say. */
  readonly duration: number;
  readonly language: string | undefined;
  /** Four letters of the first sample description: `mp4a`, `alac`. */
  readonly codec: string;
  /** Ids of the tracks that hold its chapters. */
  readonly chapterTracks: readonly number[];
  readonly samples: Box;
}

/** The time in the layout of `mvhd` and `mdhd`. */
export function readTimes(bytes: Buffer): { readonly timescale: number; readonly duration: number } {
  const isLong = bytes[0] === 1;
  if (bytes.length < (isLong ? 32 : 20)) throw new Unreadable("The header of the file is too short.");
  const timescale = bytes.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16);
  // All bits set say that the duration is not known.
  const isUnknown = isLong ? duration >= 2 ** 63 : duration === 0xffffffff;
  return { timescale, duration: isUnknown ? 0 : duration };
}

/** Undefined for a track without the boxes that every track has. */
export function readTrack(source: Source, track: Box): Track | undefined {
  const [head, media] = [findBox(source, track, "tkhd"), findBox(source, track, "mdia")];
  const samples = media && findBox(source, media, "minf", "stbl");
  const [times, handler] = [media && findBox(source, media, "mdhd"), media && findBox(source, media, "hdlr")];
  if (!head || !samples || !times || !handler) return undefined;
  const headBytes = contentOf(source, head);
  const timesBytes = contentOf(source, times);
  return {
    ...readTimes(timesBytes),
    id: headBytes.readUInt32BE(headBytes[0] === 1 ? 20 : 12),
    handler: contentOf(source, handler).toString("latin1", 8, 12),
    language: languageOf(timesBytes.readUInt16BE(timesBytes[0] === 1 ? 32 : 20)),
    codec: codecOf(source, samples),
    chapterTracks: chapterTracksOf(source, track),
    samples,
  };
}

/** Three letters of five bits each. */
function languageOf(packed: number): string | undefined {
  const letters = [10, 5, 0].map((shift) => String.fromCharCode(((packed >> shift) & 31) + 0x60)).join("");
  return /^[a-z]{3}$/.test(letters) && letters !== "und" ? letters : undefined;
}

function codecOf(source: Source, samples: Box): string {
  const descriptions = findBox(source, samples, "stsd");
  if (!descriptions) return "";
  const [first] = boxesIn(source, { start: descriptions.start + 8, end: descriptions.end });
  return first?.type.trim() ?? "";
}

function chapterTracksOf(source: Source, track: Box): number[] {
  const references = findBox(source, track, "tref", "chap");
  if (!references) return [];
  const bytes = contentOf(source, references, 1024);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32BE(index * 4));
}
