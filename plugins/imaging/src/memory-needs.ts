import type { Metadata } from "sharp";
import type { ImageFormat } from "./contract.js";

const baseBytes = 12_000_000;

/** Bytes for each pixel that is encoded, as measured with the settings of this plugin. */
const encodedPixelBytes: Record<ImageFormat, number> = { webp: 5, avif: 20, jpeg: 6, png: 1 };
const animatedPixelBytes = 3;

/** The operations on an image. */
export interface Work {
  readonly metadata: Metadata;
  readonly format: ImageFormat;
  /** Of the image once resized, all frames together. */
  readonly pixels: number;
  readonly isShrunk: boolean;
  readonly isAnimated: boolean;
}

/**
 * The maximum memory in bytes that libvips and its codecs take for it, rounded up from measurements.
 *
 * Most images are processed in rows. The whole image counts where the codec must hold all of it: AVIF, progressive
 * JPEG, interlaced PNG, and images that are rotated without being shrunk while they are decoded.
 */
export function memoryNeeds({ metadata, format, pixels, isShrunk, isAnimated }: Work): number {
  if (isAnimated) return baseBytes + pixels * animatedPixelBytes;
  const alpha = metadata.hasAlpha ? 1.5 : 1;
  const turned = (metadata.orientation ?? 1) > 1 ? pixels * samplesBytes(metadata) : 0;
  return (
    baseBytes +
    metadata.width * (metadata.pageHeight ?? metadata.height) * decodedPixelBytes(metadata, isShrunk) +
    turned +
    pixels * encodedPixelBytes[format] * alpha
  );
}

function decodedPixelBytes(metadata: Metadata, isShrunk: boolean): number {
  switch (metadata.format) {
    case "heif":
      return metadata.depth === "uchar" ? 20 : 28;
    case "jpeg":
      return !metadata.isProgressive
        ? 0
        : metadata.chromaSubsampling?.startsWith("4:2:0")
          ? 3.5
          : 2.2 * metadata.channels;
    case "png":
      return metadata.isProgressive ? 1.3 * samplesBytes(metadata) : 0;
    case "webp":
      return isShrunk ? 0 : metadata.hasAlpha ? 6 : 3;
    default:
      return 0;
  }
}

function samplesBytes({ channels, depth }: Metadata): number {
  return channels * (depth === "uchar" ? 1 : depth === "ushort" ? 2 : 4);
}
