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
    super("opds/no-such-page", `There is no page ${page} of issue ${cvIssueId}.`, { page });
  }
}

export class CoverNotFound extends NotFound {
  constructor() {
    super("opds/no-cover", "There is no cover, or nothing that it could be of.");
  }
}

export class NothingOwned extends NotFound {
  constructor(cvIssueId: number) {
    super("opds/no-file", `There is no issue ${cvIssueId}, or the library holds no file of it.`, { cvIssueId });
  }
}

export class ShelfUnavailable extends LongboxError {
  constructor(title: string, cause: unknown) {
    super("unavailable", "opds/shelf-unavailable", `The shelf "${title}" cannot be read now.`, undefined, { cause });
  }
}

export class ProgressionIsOlder extends Conflict {
  constructor(knownAt: string) {
    super("opds/progression-is-older", "A later reading of this issue is known.", { modified: knownAt });
  }
}
