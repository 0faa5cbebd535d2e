import { LongboxError } from "@longbox/sdk";

/** The bytes are no image that can be decoded. */
export class NotAnImage extends LongboxError {
  constructor(cause?: unknown) {
    super("unsupported-type", "imaging/not-an-image", "The file is not an image that can be read.", undefined, {
      cause,
    });
  }
}

/** Decoding the image would take more memory than is allowed. */
export class ImageTooLarge extends LongboxError {
  constructor(size: { width: number; height: number }) {
    super(
      "too-large",
      "imaging/too-large",
      `An image of ${size.width} × ${size.height} pixels is too large to be changed.`,
      size,
    );
  }
}

/** A moving image of a kind whose movement cannot be kept: it is better left as it is. */
export class MovementLost extends LongboxError {
  constructor() {
    super("unsupported-type", "imaging/movement-lost", "A moving PNG cannot be changed without stopping it.");
  }
}
