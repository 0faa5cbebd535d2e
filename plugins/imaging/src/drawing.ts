import type { MemoryBudget } from "@longbox/sdk";
import sharp from "sharp";
import type { Drawing, RenderedImage } from "./contract.js";
import { ImageTooLarge, NotAnImage } from "./image-errors.js";

/** A pixel while it is drawn and encoded, in bytes. */
const bytesOfPixel = 12;
const mostPixels = 16_000_000;

/** Draws an SVG, once there is memory for it. @throws {LongboxError} as `ImagingContract.draw` */
export async function drawImage(
  { svg, width, height }: Drawing,
  { memory, signal }: { readonly memory: MemoryBudget; readonly signal: AbortSignal | undefined },
): Promise<RenderedImage> {
  const needed = width * height * bytesOfPixel;
  if (width * height > mostPixels || needed > memory.limitBytes) throw new ImageTooLarge({ width, height });
  const reserved = await memory.reserve(needed, signal);
  try {
    const drawn = sharp(Buffer.from(svg)).resize({ width, height, fit: "fill" }).webp({ quality: 84, effort: 2 });
    const bytes = await drawn.toBuffer().catch((cause: unknown) => {
      throw new NotAnImage(cause);
    });
    return { bytes, contentType: "image/webp", width, height };
  } finally {
    await reserved.release();
  }
}
