import { contract } from "@longbox/sdk";

export type ImageFormat = "jpeg" | "webp" | "avif" | "png";

export interface RenderOptions {
  /** Pixels; snapped up to the next of the kept sizes. Images are never enlarged. */
  readonly width?: number | undefined;
  /** Cuts plain borders, never art. */
  readonly trim?: boolean | undefined;
  /**
   * The format to encode as. An image that the format cannot represent is encoded as JPEG; see `contentType` of the
   * result.
   */
  readonly format: ImageFormat;
  /** `ahead` runs only when no request with `now` is waiting. Default `now`. */
  readonly urgency?: "now" | "ahead" | undefined;
}

export interface RenderedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/** A vector drawing that a plugin made itself. */
export interface Drawing {
  readonly svg: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Renders images, a few at a time and within memory limits. */
export interface ImagingContract {
  /**
   * Renders an image. Its bytes may be passed as a function, which is called when the rendering starts, so that waiting
   * images take no memory.
   *
   * A signal cancels a rendering that has not started yet.
   * @throws {LongboxError} `imaging/not-an-image`, `imaging/too-large`, `imaging/movement-lost`; and whatever the
   *   function throws
   */
  render(
    bytes: Uint8Array | (() => Promise<Uint8Array>),
    options: RenderOptions,
    signal?: AbortSignal,
  ): Promise<RenderedImage>;
  /**
   * A perceptual hash: images that look alike have hashes that differ in few of their bits, see {@link hashDistance}.
   * @returns 32 hexadecimal digits, or undefined for an image without anything to tell it by, such as an empty page
   * @throws {LongboxError} as {@link render}
   */
  perceptualHash(bytes: Uint8Array, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Draws an SVG as WebP. Only for drawings of the plugin's own: those of others can take any amount of time.
   * @throws {LongboxError} as {@link render}
   */
  draw(drawing: Drawing, signal?: AbortSignal): Promise<RenderedImage>;
  /** The width that is rendered for a wanted one: 160, 320, 480, 640, 800, 1200, 1600, 2000, 2400. */
  snap(width: number): Promise<number>;
  /** The best format for an `Accept` header, or undefined to leave the image as it is. */
  chooseFormat(accept: string | undefined): Promise<ImageFormat | undefined>;
}

/**
 * In how many of their 128 bits two perceptual hashes differ: copies of one image in fewer than 24, others in about 64.
 */
export function hashDistance(one: string, other: string): number {
  let differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let count = 0;
  for (; differing > 0n; differing &= differing - 1n) count += 1;
  return count;
}

export const Imaging = contract<ImagingContract>("imaging", "1.0.0");
