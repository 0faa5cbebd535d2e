import { setImmediate as breathe } from "node:timers/promises";
import sharp from "sharp";
import { NotAnImage } from "./image-errors.js";

/** An uncompressed image as its file describes it. */
export interface Bitmap {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  readonly isBottomUp: boolean;
  readonly bitsPerPixel: number;
  /** Where the pixels begin, and how many bytes a row takes: rows are filled up to four. */
  readonly pixelsAt: number;
  readonly rowBytes: number;
}

const infoAt = 14;
/** Without compression: plain, and with masks that say where the colours are, as usual ones do. */
const uncompressed = new Set([0, 3]);
const depths = new Set([1, 4, 8, 24, 32]);
/** After so many rows that are looked up in a palette other work has its turn. */
const rowsAtOnce = 200;

/** Whether bytes are a Windows bitmap, which libvips does not read. */
export const isBitmap = (bytes: Uint8Array): boolean => bytes[0] === 0x42 && bytes[1] === 0x4d;

/** @throws {LongboxError} `imaging/not-an-image`, also for compressed bitmaps */
export function readBitmap(source: Uint8Array): Bitmap {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length < infoAt + 40) throw new NotAnImage();
  const infoBytes = bytes.readUInt32LE(infoAt);
  const [width, height] = [bytes.readInt32LE(infoAt + 4), bytes.readInt32LE(infoAt + 8)];
  const [bitsPerPixel, compression] = [bytes.readUInt16LE(infoAt + 14), bytes.readUInt32LE(infoAt + 16)];
  const pixelsAt = bytes.readUInt32LE(10);
  const rowBytes = Math.ceil((width * bitsPerPixel) / 32) * 4;
  const isKnown = infoBytes >= 40 && uncompressed.has(compression) && depths.has(bitsPerPixel);
  if (!isKnown || width < 1 || height === 0 || pixelsAt + rowBytes * Math.abs(height) > bytes.length)
    throw new NotAnImage();
  return { bytes, width, height: Math.abs(height), isBottomUp: height > 0, bitsPerPixel, pixelsAt, rowBytes };
}

/** The same image as a TIFF, which libvips reads. */
export async function bitmapAsTiff(bitmap: Bitmap): Promise<Buffer> {
  const { width, height, isBottomUp, bitsPerPixel } = bitmap;
  const channels = bitsPerPixel === 32 ? 4 : 3;
  const pixels = bitsPerPixel <= 8 ? await lookedUp(bitmap) : withoutFilling(bitmap);
  const image = sharp(pixels, { raw: { width, height, channels } });
  const opaque = (isBottomUp ? image.flip() : image).removeAlpha();
  // Blue comes first in the file.
  const swapped = opaque.recomb([
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
  ]);
  return await swapped.tiff({ compression: "none" }).toBuffer();
}

/** Three or four bytes a pixel, without what fills up the rows. */
function withoutFilling({ bytes, width, height, bitsPerPixel, pixelsAt, rowBytes }: Bitmap): Buffer {
  const used = (width * bitsPerPixel) / 8;
  if (used === rowBytes) return bytes.subarray(pixelsAt, pixelsAt + used * height);
  const pixels = Buffer.allocUnsafe(used * height);
  for (let row = 0; row < height; row++) {
    const from = pixelsAt + row * rowBytes;
    bytes.copy(pixels, row * used, from, from + used);
  }
  return pixels;
}

/** The colours that the palette has for the pixels; one that it lacks is black. */
async function lookedUp({ bytes, width, height, bitsPerPixel, pixelsAt, rowBytes }: Bitmap): Promise<Buffer> {
  const palette = Buffer.alloc(4 * 256);
  bytes.copy(palette, 0, infoAt + bytes.readUInt32LE(infoAt), pixelsAt);
  const pixels = Buffer.alloc(width * height * 3);
  const [perByte, mask] = [8 / bitsPerPixel, (1 << bitsPerPixel) - 1];
  for (let row = 0, to = 0; row < height; row++) {
    if (row % rowsAtOnce === rowsAtOnce - 1) await breathe();
    for (let column = 0; column < width; column++, to += 3) {
      const byte = bytes[pixelsAt + row * rowBytes + Math.floor(column / perByte)]!;
      const index = 4 * ((byte >> (8 - bitsPerPixel * ((column % perByte) + 1))) & mask);
      pixels[to] = palette[index]!;
      pixels[to + 1] = palette[index + 1]!;
      pixels[to + 2] = palette[index + 2]!;
    }
  }
  return pixels;
}
