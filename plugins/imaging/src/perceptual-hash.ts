import sharp from "sharp";
import { NotAnImage } from "./image-errors.js";

const side = 8;
/** Differences of brightness below this, of 255, come from compression as likely as from the image. */
const noise = 3;
/** Of 128 comparisons: with fewer clear ones an image has nothing to tell it by. */
const fewestClear = 16;

/**
 * The difference hash: of a grey copy of 9 by 9 points, whether each point is darker than its right neighbour, and then
 * than the one below. It stays the same when an image is resized, compressed or slightly brighter.
 * libvips decodes and shrinks outside of the main thread.
 */
export async function perceptualHash(bytes: Uint8Array, pixelLimit: number): Promise<string | undefined> {
  const points = await greyPoints(bytes, pixelLimit);
  let bits = 0n;
  let clear = 0;
  for (const step of [1, side + 1]) {
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const here = points[y * (side + 1) + x]!;
        const next = points[y * (side + 1) + x + step]!;
        bits = (bits << 1n) | (here < next ? 1n : 0n);
        if (Math.abs(here - next) >= noise) clear += 1;
      }
    }
  }
  return clear < fewestClear ? undefined : bits.toString(16).padStart(32, "0");
}

async function greyPoints(bytes: Uint8Array, limitInputPixels: number): Promise<Uint8Array> {
  try {
    return await sharp(bytes, { limitInputPixels, failOn: "none" })
      .autoOrient()
      .flatten({ background: "#ffffff" })
      .greyscale()
      .resize({ width: side + 1, height: side + 1, fit: "fill", kernel: "linear" })
      .raw()
      .toBuffer();
  } catch (cause) {
    throw new NotAnImage(cause);
  }
}
