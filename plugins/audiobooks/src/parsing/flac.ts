import type { ByteRange, Recording } from "../recording/recording.js";
import { Unreadable, type Source } from "./source.js";
import { readVorbisComments, type Comments } from "./vorbis-comments.js";

const mostBlocks = 200;
const mostCommentBytes = 24 * 1024 * 1024;

/** Reads the metadata blocks of a FLAC file. @throws {Unreadable} */
export function readFlac(source: Source): Recording {
  let milliseconds = 0;
  let comments: Comments = { tags: {}, marks: [], hasPicture: false };
  let picture: ByteRange | undefined;
  for (const { type, offset, length } of blocksIn(source)) {
    if (type === 0) milliseconds = durationOf(source.read(offset, Math.min(length, 34)));
    else if (type === 4 && length <= mostCommentBytes) comments = readVorbisComments(source.read(offset, length));
    else if (type === 6) picture ??= pictureIn(source, { offset, length });
  }
  if (milliseconds === 0) throw new Unreadable("The file does not say how long it is.");
  const { hasPicture: hasPictureComment, ...told } = comments;
  return { codec: "flac", milliseconds, ...told, picture, hasPictureComment, frames: undefined };
}

/** The comments alone; undefined without any. @throws {Unreadable} */
export function flacComments(source: Source): Buffer | undefined {
  for (const { type, offset, length } of blocksIn(source))
    if (type === 4 && length <= mostCommentBytes) return source.read(offset, length);
  return undefined;
}

function* blocksIn(source: Source): Generator<ByteRange & { readonly type: number }> {
  let [at, isLast] = [4, false];
  for (let count = 0; !isLast; count += 1) {
    if (count >= mostBlocks) throw new Unreadable("The file has too many blocks of metadata.");
    const head = source.read(at, 4);
    isLast = (head[0]! & 0x80) !== 0;
    const length = head.readUIntBE(1, 3);
    if (at + 4 + length > source.sizeBytes) throw new Unreadable("The file is cut off.");
    yield { type: head[0]! & 0x7f, offset: at + 4, length };
    at += 4 + length;
  }
}

/** 20 bits of sample rate and 36 bits of samples. */
function durationOf(info: Buffer): number {
  if (info.length < 18) throw new Unreadable("The header of the file is too short.");
  const sampleRate = info.readUIntBE(10, 3) >> 4;
  const samples = (info[13]! & 0x0f) * 2 ** 32 + info.readUInt32BE(14);
  return sampleRate === 0 ? 0 : (samples * 1000) / sampleRate;
}

/** Kind, media type, description, four numbers, then the picture with its length. */
function pictureIn(source: Source, { offset, length }: ByteRange): ByteRange | undefined {
  const end = offset + length;
  let at = offset + 4;
  for (const fixed of [0, 16]) {
    if (at + 4 > end) return undefined;
    at += 4 + source.read(at, 4).readUInt32BE(0) + fixed;
  }
  if (at + 4 > end) return undefined;
  const bytes = source.read(at, 4).readUInt32BE(0);
  return at + 4 + bytes <= end ? { offset: at + 4, length: bytes } : undefined;
}
