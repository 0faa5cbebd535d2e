import { LongboxError, NotFound, UpstreamFailure } from "@longbox/sdk";

/** Open Library could not be reached, or its answer was invalid. */
export class OpenLibraryFailure extends UpstreamFailure {
  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {}) {
    const { retryAfterSeconds, cause } = options;
    super("open-library/failed", message, undefined, {
      cause,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** Open Library does not serve this server. A retry is useless. */
export class OpenLibraryRefused extends UpstreamFailure {
  constructor() {
    super(
      "open-library/refused",
      "Open Library refuses the requests of this server. Name a contact in the settings of Open Library.",
    );
  }
}

export class BookNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("open-library/book-not-found", `There is no book ${cvIssueId}.`, { cvIssueId });
  }
}

export class NoSuchWork extends NotFound {
  constructor(id: string) {
    super("open-library/work-not-found", `Open Library has no work ${id}.`, { id });
  }
}

export class NoCover extends NotFound {
  constructor(id: string) {
    super("open-library/no-cover", `No cover of ${id} is known.`, { id });
  }
}

/** It is an issue of a type that Open Library does not know. */
export class NotABook extends LongboxError {
  constructor(type: string) {
    super("conflict", "open-library/unknown-type", `Open Library does not know works of the type "${type}".`, { type });
  }
}
