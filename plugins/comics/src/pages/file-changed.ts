import { LongboxError } from "@longbox/sdk/light";

/** Between what was told of a page and its bytes, the file was changed or replaced. */
export class FileChanged extends LongboxError {
  constructor() {
    super(
      "unavailable",
      "comics/changed",
      "The file was changed while it was read; send the request again.",
      undefined,
      {
        retryAfterSeconds: 1,
      },
    );
  }
}

/** Nothing of the library is at the path any more, or a link there leads out of the library. */
export class FileGone extends Error {
  readonly code = "ENOENT";

  constructor() {
    super("The file no longer exists.");
  }
}
