import { Conflict, LongboxError, NotFound } from "@longbox/sdk";

export class ItemNotFound extends NotFound {
  constructor(id: number) {
    super("downloads/item-not-found", `There is no item ${id} in the queue.`, { id });
  }
}

export class IssueNotFound extends NotFound {
  constructor(id: number) {
    super("downloads/issue-not-found", `There is no issue ${id}.`, { id });
  }
}

export class SeriesNotFound extends NotFound {
  constructor(id: number) {
    super("downloads/series-not-found", `There is no series ${id}.`, { id });
  }
}

/** A result is kept for a day, for the user who searched. */
export class ResultNotFound extends NotFound {
  constructor() {
    super("downloads/result-not-found", "This result is no longer kept. Search again.");
  }
}

export class BlockedNotFound extends NotFound {
  constructor(id: number) {
    super("downloads/blocked-not-found", `There is no release ${id} in the blocklist.`, { id });
  }
}

export class SourceNotFound extends NotFound {
  constructor(id: string) {
    super("downloads/source-not-found", `There is no source "${id}".`, { id });
  }
}

/** The item is in a state in which this cannot be done. */
export class NotNow extends Conflict {
  constructor(state: string, what: string) {
    super("downloads/not-now", `This item is ${state}; it cannot be ${what} now.`, { state });
  }
}

/** An open item of the queue has this issue or this release already. */
export class AlreadyQueued extends Conflict {
  constructor(what: "issue" | "release") {
    super("downloads/already-queued", `The queue has this ${what} already.`);
  }
}

/** The release, or what came of it, can never be used: it is blocklisted, and another one tried. */
export class ReleaseUnusable extends LongboxError {
  constructor(reason: string, cause?: unknown) {
    super("bad-input", "downloads/release-unusable", reason, undefined, { cause });
  }
}

export interface Delay {
  readonly afterMs: number;
  /** Whether it counts against the release: after a few, another one is tried. Default true. */
  readonly counts?: boolean;
  /** A plugin that is not there: it goes on as soon as one comes. */
  readonly waitsFor?: "source" | "client";
  readonly cause?: unknown;
}

/** It cannot be done now, which says nothing of the release. */
export class TryLater extends LongboxError {
  constructor(
    reason: string,
    readonly delay: Delay,
  ) {
    super("unavailable", "downloads/try-later", reason, undefined, { cause: delay.cause });
  }
}

/** Nothing helps but a person. */
export class GivenUp extends LongboxError {
  constructor(reason: string, cause?: unknown) {
    super("conflict", "downloads/given-up", reason, undefined, { cause });
  }
}
