import { u32 } from "./mp4-file.ts";

/** An MP3 of silence that players play, with a tag of ID3. */
export interface Mp3Options {
  readonly seconds: number;
  readonly id3?: Id3Options;
  /** Puts a header before the frames that counts them. */
  readonly hasInfo?: boolean;
  /** A tag of 128 bytes at the end. */
  readonly hasId3v1?: boolean;
}

export interface Id3Options {
  /** Frames by id; ids that are no frames of text become `TXXX`. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Start in seconds, and title. */
  readonly chapters?: ReadonlyArray<readonly [start: number, title: string]>;
  readonly picture?: Uint8Array;
}

/** 32 kbit/s, 32 kHz, one channel: 144 bytes for 36 ms. */
const header = Buffer.from([0xff, 0xfb, 0x18, 0xc0]);
const frameBytes = 144;
export const frameSeconds = 1152 / 32_000;

export function mp3File({ seconds, id3, hasInfo = false, hasId3v1 = false }: Mp3Options): Buffer {
  const frames = Math.round(seconds / frameSeconds);
  const frame = Buffer.concat([header, Buffer.alloc(frameBytes - header.length)]);
  const info = Buffer.from(frame);
  info.write("Info", 4 + 17, "latin1");
  u32(1, frames).copy(info, 4 + 17 + 4);
  const old = Buffer.alloc(128);
  old.write("TAGNight Bell", "latin1");
  return Buffer.concat([
    id3 ? id3Tag(id3) : Buffer.alloc(0),
    ...(hasInfo ? [info] : []),
    Buffer.alloc(frames * frameBytes, frame),
    ...(hasId3v1 ? [old] : []),
  ]);
}

export function id3Tag({ texts = {}, chapters = [], picture }: Id3Options): Buffer {
  const frames = [
    ...Object.entries(texts).map(([id, text]) =>
      /^T[A-Z0-9]{3}$|^MV(NM|IN)$/.test(id) ? textFrame(id, text) : id3Frame("TXXX", Buffer.from(`\x03${id}\0${text}`)),
    ),
    ...(chapters.length > 0 ? [contents(chapters.length)] : []),
    ...chapters.map(([start, title], index) =>
      id3Frame(
        "CHAP",
        Buffer.from(`ch${index}\0`),
        u32(start * 1000, (chapters[index + 1]?.[0] ?? start) * 1000, 0xffffffff, 0xffffffff),
        textFrame("TIT2", title),
      ),
    ),
    ...(picture ? [id3Frame("APIC", Buffer.from("\0image/png\0\x03\0", "latin1"), picture)] : []),
  ];
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), syncSafe(body.length), body]);
}

const textFrame = (id: string, text: string) => id3Frame(id, Buffer.from(`\x03${text}`));

function contents(count: number): Buffer {
  const ids = Array.from({ length: count }, (_, index) => `ch${index}\0`).join("");
  return id3Frame("CTOC", Buffer.from("toc\0"), Buffer.from([3, count]), Buffer.from(ids));
}

export function id3Frame(id: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, "latin1"), syncSafe(body.length), Buffer.from([0, 0]), body]);
}

export function syncSafe(value: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 127));
}
