import { Unreadable, type Source } from "./source.js";
import { containerOf } from "./containers.js";
import { flacComments } from "./flac.js";
import { oggComments } from "./ogg.js";
import { pictureComment, rawComments } from "./vorbis-comments.js";

const headBytes = 64;
const largestPictureBytes = 16 * 1024 * 1024;
/** What a picture is of: the cover. */
const frontCover = 3;

interface Picture {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

/**
 * The picture in the comments of an Ogg or FLAC file, the cover before others; undefined without one that can be read.
 */
export function readCommentPicture(source: Source): Uint8Array | undefined {
  try {
    const pictures = [...picturesIn(commentsOf(source))];
    return (pictures.find(({ kind }) => kind === frontCover) ?? pictures[0])?.bytes;
  } catch (thrown) {
    // A file whose tags are broken has no picture.
    if (thrown instanceof Unreadable) return undefined;
    throw thrown;
  }
}

function commentsOf(source: Source): Buffer | undefined {
  const container = containerOf(source.read(0, Math.min(headBytes, source.sizeBytes)));
  if (container === "opus" || container === "vorbis") return oggComments(source);
  return container === "flac" ? flacComments(source) : undefined;
}

function* picturesIn(comments: Buffer | undefined): Generator<Picture> {
  for (const { name, value } of comments ? rawComments(comments) : []) {
    if (name !== pictureComment) continue;
    const picture = pictureIn(Buffer.from(value.toString("latin1"), "base64"));
    if (picture) yield picture;
  }
}

/** Kind, media type, description, four numbers, then the picture with its length. */
function pictureIn(block: Buffer): Picture | undefined {
  let at = 4;
  for (const fixed of [0, 16]) {
    if (at + 4 > block.length) return undefined;
    at += 4 + block.readUInt32BE(at) + fixed;
  }
  if (at + 4 > block.length) return undefined;
  const length = block.readUInt32BE(at);
  if (length === 0 || length > largestPictureBytes || at + 4 + length > block.length) return undefined;
  return { kind: block.readUInt32BE(0), bytes: block.subarray(at + 4, at + 4 + length) };
}
