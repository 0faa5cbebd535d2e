import { Conflict, LongboxError, NotFound } from "@longbox/sdk";

/** There is no such audiobook, it is hidden from the viewer, or the library has no file of it that can be played. */
export class NoSuchAudiobook extends NotFound {
  constructor(id: number) {
    super("audiobooks/no-such-audiobook", `There is no audiobook ${id} to listen to.`, { id });
  }
}

export class NoSuchPart extends NotFound {
  constructor(parts: number) {
    super("audiobooks/no-such-part", `The audiobook has ${parts} parts, counted from 0.`, { parts });
  }
}

/** The file is missing, or has changed since the last scan. */
export class FileGone extends NotFound {
  constructor() {
    super("audiobooks/file-gone", "The file of the audiobook is missing, or was changed since the last scan.");
  }
}

export class NoCover extends NotFound {
  constructor() {
    super("audiobooks/no-cover", "The audiobook has no cover.");
  }
}

export class NoSuchBookmark extends NotFound {
  constructor(bookmarkId: number) {
    super("audiobooks/no-such-bookmark", `You have no bookmark ${bookmarkId}.`, { bookmarkId });
  }
}

/** Files such as M4B have a header each, so that they cannot be joined. */
export class PartsOnly extends Conflict {
  constructor(parts: number) {
    super(
      "audiobooks/parts-only",
      "The files of this audiobook cannot be joined. Request them one by one, with the query part.",
      { parts },
    );
  }
}

export class CannotConvert extends Conflict {
  constructor() {
    super("audiobooks/cannot-convert", "The server cannot convert sound, because ffmpeg is not installed.");
  }
}

export class ConvertingTooMuch extends LongboxError {
  constructor() {
    super(
      "unavailable",
      "audiobooks/converting-too-much",
      "The server converts as many audiobooks as it can. Try again later.",
    );
  }
}
