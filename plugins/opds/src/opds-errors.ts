import { Conflict, LongboxError, NotFound } from "@longbox/sdk";

export class ShelfNotFound extends NotFound {
  constructor(what: string) {
    super("opds/no-such-shelf", `There is no ${what}.`);
  }
}

export class PageNotFound extends NotFound {
  constructor(page: number, last: number) {
    super("opds/no-such-page", `There is no page ${page}; the last one is ${last}.`, { page, last });
  }
}

export class IssuePageNotFound extends NotFound {
  constructor(page: number, cvIssueId: number) {
    super("opds/no-such-page", `There is no page ${page} of ${cvIssueId}.`, { page });
  }
}

export class CoverNotFound extends NotFound {
  constructor() {
    super("opds/no-cover", "There is no such item, or it has no cover.");
  }
}

export class NothingOwned extends NotFound {
  constructor(cvIssueId: number) {
    super("opds/no-file", `There is no item ${cvIssueId}, or the library has no file of it.`, { cvIssueId });
  }
}

export class ShelfUnavailable extends LongboxError {
  constructor(title: string, cause: unknown) {
    super("unavailable", "opds/shelf-unavailable", `The shelf "${title}" is not available at the moment.`, undefined, {
      cause,
    });
  }
}

export class ProgressionIsOlder extends Conflict {
  constructor(knownAt: string) {
    super("opds/progression-is-older", "The server has a later position.", { modified: knownAt });
  }
}
