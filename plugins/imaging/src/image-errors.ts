import { LongboxError } from "@longbox/sdk";

/** The bytes are not an image that can be decoded. */
export class NotAnImage extends LongboxError {
  constructor(cause?: unknown) {
    super("unsupported-type", "imaging/not-an-image", "The file is not an image that can be read.", undefined, {
      cause,
    });
  }
}

/** Decoding the image would exceed the memory limit. */
export class ImageTooLarge extends LongboxError {
  constructor(size: { width: number; height: number }) {
    super(
      "too-large",
      "imaging/too-large",
      `An image of ${size.width} × ${size.height} pixels is too large to be processed.`,
      size,
    );
  }
}

/** An animated image of a format whose animation would be lost. It should be sent unchanged. */
export class MovementLost extends LongboxError {
  constructor() {
    super(
      "unsupported-type",
      "imaging/movement-lost",
      "An animated PNG cannot be changed without losing its animation.",
    );
  }
}
