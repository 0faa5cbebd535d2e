import { BadInput, Conflict, LongboxError, NotFound } from "@longbox/sdk";

/** The query names a facet or parameter that does not exist. */
export class UnknownFacet extends BadInput {
  constructor(name: string) {
    const shown = name.slice(0, 60);
    super("shelves/unknown-facet", `There is no facet ${JSON.stringify(shown)}.`, {
      [shown]: "there is no such facet",
    });
  }
}

/** A value or a number of values that cannot be used. */
export class BadSelection extends BadInput {
  constructor(field: string, why: string) {
    super("shelves/bad-selection", `${field}: ${why}.`, { [field]: why });
  }
}

export class RebuildRunning extends Conflict {
  constructor() {
    super("shelves/rebuild-running", "The index is being built already.");
  }
}

/** There is no such shelf, or it is another user's and not shared. */
export class ShelfNotFound extends NotFound {
  constructor(id: number) {
    super("shelves/shelf-not-found", `There is no shelf ${id}.`, { id });
  }
}

/** The viewer may see the shelf, but it is another user's. */
export class NotYourShelf extends LongboxError {
  constructor(id: number) {
    super("forbidden", "shelves/not-your-shelf", `The shelf ${id} belongs to another user.`, { id });
  }
}

export class MayNotShare extends LongboxError {
  constructor() {
    super("forbidden", "shelves/may-not-share", "Your role does not allow sharing lists and shelves.");
  }
}

export class TooManyShelves extends Conflict {
  constructor(most: number) {
    super("shelves/too-many", `You already have ${most} shelves, which is the maximum.`);
  }
}

export class IssueNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("shelves/issue-not-found", `There is no item ${cvIssueId}.`, { cvIssueId });
  }
}

/** The thread of the index ended while it was asked. It starts again by itself. */
export class IndexUnavailable extends LongboxError {
  constructor(cause?: unknown) {
    super("unavailable", "shelves/index-unavailable", "The index is not available at the moment.", undefined, {
      ...(cause === undefined ? {} : { cause }),
      retryAfterSeconds: 5,
    });
  }
}
