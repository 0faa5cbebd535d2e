import type { MemoryBudget } from "@longbox/sdk";
import sharp, { type Metadata, type Sharp } from "sharp";
import { isMovingPng } from "./animated-png.js";
import { findArtBox, type ArtBox } from "./art-box.js";
import { bitmapAsTiff, isBitmap, readBitmap } from "./bitmap.js";
import type { ImageFormat, RenderedImage, RenderOptions } from "./contract.js";
import { ImageTooLarge, MovementLost, NotAnImage } from "./image-errors.js";
import { memoryNeeds } from "./memory-needs.js";
import { perceptualHash } from "./perceptual-hash.js";
import { snapWidth } from "./sizes.js";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The maximum number of pixels that libvips opens; a scan with a height of 20 000 pixels is far below it. */
const pixelLimit = 140_000_000;
/** A bitmap is held whole beside its file, as it is nowhere packed. */
const bitmapPixelLimit = 32_000_000;
/** The longest side that each format can represent. */
const longestSide: Record<ImageFormat, number> = { webp: 16_383, avif: 16_384, jpeg: 65_500, png: 65_500 };
const readable = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff", "jxl", "jp2k"]);

interface Room {
  /** The budget that all plugins share. */
  readonly memory: MemoryBudget;
  readonly signal: AbortSignal | undefined;
}

/**
 * Decodes, trims, resizes and encodes one image, once there is memory for it.
 * @throws {LongboxError} `kernel/memory-busy` when other work leaves no room in time
 */
export async function renderImage(source: Uint8Array, options: RenderOptions, room: Room): Promise<RenderedImage> {
  const { memory, signal } = room;
  const bytes = await asReadable(source, room);
  const metadata = await readMetadata(bytes);
  const frame = { width: metadata.width, height: metadata.pageHeight ?? metadata.height };
  const frames = metadata.pages ?? 1;
  const isAnimated =
    frames > 1 && options.format === "webp" && metadata.format !== "heif" && metadata.format !== "tiff";
  if (options.format === "webp" && isMovingPng(bytes)) throw new MovementLost();
  const size = orientedSize(frame, metadata);
  const whole = targetSize(size, undefined, options.width).whole;
  const needed = memoryNeeds({
    metadata,
    format: options.format,
    pixels: whole.width * whole.height * (isAnimated ? frames : 1),
    isShrunk: whole.width < size.width,
    isAnimated,
  });
  if (frame.width * frame.height * frames > pixelLimit || needed > memory.limitBytes) throw new ImageTooLarge(frame);
  const reserved = await memory.reserve(needed, signal);
  try {
    return await render(bytes, options, { metadata, size, isAnimated });
  } finally {
    await reserved.release();
  }
}

/** The perceptual hash of one image, once there is memory for it. @throws {LongboxError} as {@link renderImage} */
export async function hashImage(source: Uint8Array, room: Room): Promise<string | undefined> {
  const { memory, signal } = room;
  const bytes = await asReadable(source, room);
  const metadata = await readMetadata(bytes);
  const { width, height } = metadata;
  const needed = memoryNeeds({ metadata, format: "jpeg", pixels: 81, isShrunk: true, isAnimated: false });
  if (width * height > pixelLimit || needed > memory.limitBytes) throw new ImageTooLarge({ width, height });
  const reserved = await memory.reserve(needed, signal);
  try {
    return await perceptualHash(bytes, pixelLimit);
  } finally {
    await reserved.release();
  }
}

async function render(
  bytes: Uint8Array,
  options: RenderOptions,
  { metadata, size, isAnimated }: { metadata: Metadata; size: Size; isAnimated: boolean },
): Promise<RenderedImage> {
  const box = options.trim && !isAnimated ? await guarded(() => findArtBox(bytes, pixelLimit)) : undefined;
  const target = targetSize(size, box, options.width);
  const format = formatFor(options.format, target.cropped);
  const pipeline = cut(
    sharp(bytes, { limitInputPixels: pixelLimit, animated: isAnimated, failOn: "none" }).autoOrient(),
    size,
    target,
  );
  const { data, info } = await guarded(() => encode(pipeline, format, metadata).toBuffer({ resolveWithObject: true }));
  return {
    bytes: data,
    contentType: `image/${format}`,
    width: info.width,
    height: isAnimated ? (info.pageHeight ?? info.height) : info.height,
  };
}

/** What libvips reads: a bitmap becomes a TIFF, once there is memory for its pixels in both. */
async function asReadable(source: Uint8Array, { memory, signal }: Room): Promise<Uint8Array> {
  if (!isBitmap(source)) return source;
  const bitmap = readBitmap(source);
  const needed = bitmap.width * bitmap.height * 8;
  if (bitmap.width * bitmap.height > bitmapPixelLimit || needed > memory.limitBytes) throw new ImageTooLarge(bitmap);
  const reserved = await memory.reserve(needed, signal);
  try {
    return await guarded(() => bitmapAsTiff(bitmap));
  } finally {
    await reserved.release();
  }
}

async function readMetadata(bytes: Uint8Array): Promise<Metadata> {
  // Vector documents (SVG, PDF) are refused, because drawing one can take any amount of time.
  if (bytes[0] === 0x3c || bytes[0] === 0x25) throw new NotAnImage();
  const metadata = await guarded(() => sharp(bytes, { limitInputPixels: false }).metadata());
  if (!readable.has(metadata.format)) throw new NotAnImage();
  return metadata;
}

function orientedSize({ width, height }: Size, metadata: Metadata): Size {
  return (metadata.orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height };
}

interface Target {
  /** The size of the whole image once resized, before its borders are cut. */
  readonly whole: Size;
  readonly cropped: Size & { readonly left: number; readonly top: number };
}

function targetSize(size: Size, box: ArtBox | undefined, wanted: number | undefined): Target {
  const { left, top, width, height } = box ?? { left: 0, top: 0, width: 1, height: 1 };
  const scale = wanted === undefined ? 1 : Math.min(1, snapWidth(wanted) / (size.width * width));
  const whole = {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
  const cropped = {
    left: Math.floor(whole.width * left),
    top: Math.floor(whole.height * top),
    width: Math.max(1, Math.min(whole.width, Math.round(whole.width * width))),
    height: Math.max(1, Math.min(whole.height, Math.round(whole.height * height))),
  };
  return { whole, cropped };
}

function formatFor(wanted: ImageFormat, size: Size): ImageFormat {
  const longest = Math.max(size.width, size.height);
  if (longest <= longestSide[wanted]) return wanted;
  if (longest <= longestSide.jpeg) return "jpeg";
  throw new ImageTooLarge(size);
}

/** Cutting comes after resizing, so that a JPEG can be shrunk while it is decoded. */
function cut(pipeline: Sharp, size: Size, { whole, cropped }: Target): Sharp {
  const resized =
    whole.width < size.width ? pipeline.resize({ width: whole.width, height: whole.height, fit: "fill" }) : pipeline;
  const isCut = cropped.width < whole.width || cropped.height < whole.height;
  return isCut ? resized.extract(cropped) : resized;
}

function encode(pipeline: Sharp, format: ImageFormat, metadata: Metadata): Sharp {
  const coloured = metadata.space === "b-w" || metadata.space === "grey16" ? pipeline : pipeline.toColourspace("srgb");
  switch (format) {
    case "webp":
      return coloured.webp({ quality: 80, effort: 2 });
    case "avif":
      return coloured.avif({ quality: 55, effort: 2 });
    case "png":
      return coloured.png({ compressionLevel: 6 });
    case "jpeg":
      return coloured.flatten({ background: "#ffffff" }).jpeg({ quality: 84 });
  }
}

/** libvips reports all problems with an image as a plain Error. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new NotAnImage(cause);
  }
}
