import { contract } from "@longbox/sdk";

export type ImageFormat = "jpeg" | "webp" | "avif" | "png";

export interface RenderOptions {
  /** Pixels; snapped up to the next of the kept sizes. Images are never enlarged. */
  readonly width?: number | undefined;
  /** Cuts plain borders, never art. */
  readonly trim?: boolean | undefined;
  /** What to encode as. An image that the format cannot hold comes as JPEG: `contentType` of the answer is the truth. */
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

/** Image work, a few at a time and within bounds of memory. */
export interface ImagingContract {
  /**
   * Renders an image. Its bytes may be given as a function, called when it is the image's turn, so that images that wait take no memory.
   *
   * A signal lets go of what has not begun yet.
   * @throws {LongboxError} `imaging/not-an-image`, `imaging/too-large`, `imaging/movement-lost`; and whatever the function throws
   */
  render(
    bytes: Uint8Array | (() => Promise<Uint8Array>),
    options: RenderOptions,
    signal?: AbortSignal,
  ): Promise<RenderedImage>;
  /** The width that will be made for a wanted one: 160, 320, 480, 640, 800, 1200, 1600, 2000, 2400. */
  snap(width: number): Promise<number>;
  /** The best format for an `Accept` header, or undefined to leave the image as it is. */
  chooseFormat(accept: string | undefined): Promise<ImageFormat | undefined>;
}

export const Imaging = contract<ImagingContract>("imaging", "1.0.0");
