import { BadInput, Conflict, LongboxError, NotFound, UpstreamFailure } from "@longbox/sdk";

/** The book does not exist, is hidden from the viewer, or has no file that can be given. */
export class BookNotFound extends NotFound {
  constructor(id: number) {
    super("books/no-such-book", `There is no book ${id}, or the library has no readable file of it.`, { id });
  }
}

export class FormatNotFound extends NotFound {
  constructor(format: string, formats: readonly string[]) {
    super("books/no-such-format", `The library does not have the book as "${format}".`, { formats });
  }
}

export class NoCover extends NotFound {
  constructor(id: number) {
    super("books/no-cover", `There is no book ${id}, or it has no cover.`, { id });
  }
}

/** A field of a body that its schema alone cannot judge. */
export class WrongField extends BadInput {
  constructor(field: string, problem: string) {
    super("books/wrong-field", `The field "${field}" ${problem}.`, { [field]: problem });
  }
}

export class TooManyBookmarks extends Conflict {
  constructor(most: number) {
    super("books/too-many-bookmarks", `A book can have ${most.toLocaleString("en")} bookmarks of one user.`, { most });
  }
}

/** The source of a remote book does not have it any more. */
export class RemoteBookGone extends NotFound {
  override readonly body = { unavailable: true };

  constructor(source: string) {
    super("books/gone-at-source", `${source} does not have this book any more.`);
  }
}

/** The source of a remote book could not be reached, or failed: trying again makes sense. */
export class RemoteSourceFailed extends UpstreamFailure {
  constructor(source: string, cause: unknown) {
    super("books/source-failed", `${source} did not give the book. Try again later.`, undefined, {
      cause,
      retryAfterSeconds: 10,
    });
  }
}

/** The plugin that offered a remote book is not running. */
export class RemoteSourceAway extends LongboxError {
  constructor() {
    super("unavailable", "books/source-away", "The plugin that gets this book is not running.", undefined, {
      retryAfterSeconds: 30,
    });
  }
}
