import { LongboxError } from "@longbox/sdk";

/** The bytes are no image that can be decoded. */
export class NotAnImage extends LongboxError {
  constructor(cause?: unknown) {
    super("unsupported-type", "imaging/not-an-image", "The file is not an image that can be read.", undefined, { cause });
  }
}

/** Decoding the image would take more memory than is allowed. */
export class ImageTooLarge extends LongboxError {
  constructor(size: { width: number; height: number }) {
    super("too-large", "imaging/too-large", `An image of ${size.width} × ${size.height} pixels is too large to be changed.`, size);
  }
}
