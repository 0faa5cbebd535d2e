import { u32 } from "./mp4-file.ts";

/** A FLAC file with a tone in which parts may be silent, that players play. */
export interface FlacOptions {
  readonly seconds: number;
  /** `NAME=text` */
  readonly comments?: readonly string[];
  readonly picture?: Uint8Array;
  /** Whether there is no sound at this time in seconds. */
  readonly isSilent?: (second: number) => boolean;
}

const sampleRate = 8000;
const blockSamples = 4096;

export function flacFile({ seconds, comments = [], picture, isSilent = () => false }: FlacOptions): Buffer {
  const blocks = Math.ceil((seconds * sampleRate) / blockSamples);
  const samples = Math.round(seconds * sampleRate);
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSamples, 0);
  info.writeUInt16BE(blockSamples, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  info.writeBigUInt64BE((BigInt(sampleRate) << 44n) | (15n << 36n) | BigInt(samples), 10);
  const pictureBlock = picture && pictureBlockOf(picture);
  const metadata = [
    block(0, info),
    ...(pictureBlock ? [block(6, pictureBlock)] : []),
    block(0x84, vorbisComments(comments)),
  ];
  const frames = Array.from({ length: blocks }, (_, index) =>
    frame(index, Math.min(blockSamples, samples - index * blockSamples), isSilent),
  );
  return Buffer.concat([Buffer.from("fLaC"), ...metadata, ...frames]);
}

/** The cover as a block of FLAC. */
const pictureBlockOf = (picture: Uint8Array) =>
  Buffer.concat([u32(3, 9), Buffer.from("image/png"), u32(0, 1, 1, 24, 0, picture.length), picture]);

/** The cover as comments have it. */
export const pictureComment = (picture: Uint8Array) =>
  `METADATA_BLOCK_PICTURE=${pictureBlockOf(picture).toString("base64")}`;

function block(type: number, content: Uint8Array): Buffer {
  return Buffer.concat([u32(content.length + type * 2 ** 24), content]);
}

export function vorbisComments(comments: readonly string[]): Buffer {
  const length = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const rows = comments.flatMap((comment) => [length(Buffer.byteLength(comment)), Buffer.from(comment)]);
  return Buffer.concat([length(4), Buffer.from("test"), length(comments.length), ...rows]);
}

/** One channel of 16 bits, uncompressed. */
function frame(index: number, samples: number, isSilent: (second: number) => boolean): Buffer {
  // 4096 samples, or how many follows the number of the frame; 8000 a second; one channel; 16 bits.
  const isWhole = samples === blockSamples;
  const head = Buffer.concat([
    Buffer.from([0xff, 0xf8, isWhole ? 0xc4 : 0x74, 0x08]),
    utf8Number(index),
    ...(isWhole ? [] : [Buffer.from([(samples - 1) >> 8, (samples - 1) & 255])]),
  ]);
  const sound = Buffer.alloc(samples * 2);
  for (let at = 0; at < samples; at += 1) {
    const second = (index * blockSamples + at) / sampleRate;
    sound.writeInt16BE(isSilent(second) ? 0 : Math.round(9000 * Math.sin(second * 440 * 2 * Math.PI)), at * 2);
  }
  const body = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)]), Buffer.from([0x02]), sound]);
  const check = crc(body, 16, 0x8005);
  return Buffer.concat([body, Buffer.from([check >> 8, check & 255])]);
}

function utf8Number(value: number): Buffer {
  return Buffer.from(String.fromCodePoint(value));
}

function crc(bytes: Uint8Array, bits: number, polynomial: number): number {
  const [top, mask] = [2 ** (bits - 1), 2 ** bits - 1];
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = (value & top ? (value << 1) ^ polynomial : value << 1) & mask;
  }
  return value;
}
