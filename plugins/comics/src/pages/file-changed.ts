import { LongboxError } from "@longbox/sdk";

/** Between what was told of a page and its bytes, the file was changed or replaced. */
export class FileChanged extends LongboxError {
  constructor() {
    super("unavailable", "comics/changed", "The file was changed while it was read; ask again.", undefined, {
      retryAfterSeconds: 1,
    });
  }
}
