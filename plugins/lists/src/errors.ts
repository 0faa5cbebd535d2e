import { BadInput, Conflict, LongboxError, NotFound, UpstreamFailure } from "@longbox/sdk";

/** There is no such list, or it is another user's and not public. */
export class ListNotFound extends NotFound {
  constructor(id: number) {
    super("lists/list-not-found", `There is no list ${id}.`, { id });
  }
}

/** The viewer may read the list, but it is another user's. */
export class NotYourList extends LongboxError {
  constructor(id: number) {
    super("forbidden", "lists/not-your-list", `The list ${id} belongs to another user.`, { id });
  }
}

/** Work for an account that has lost the right to it since, or is disabled or deleted. */
export class AccountMayNotWant extends LongboxError {
  constructor() {
    super(
      "forbidden",
      "lists/account-may-not",
      "The account that asked for this may not add to the library any more. Nothing more is added for it.",
    );
  }
}

/** A list is looked through for an account that has been disabled or deleted since. */
export class AccountGone extends LongboxError {
  constructor() {
    super("forbidden", "lists/account-gone", "The account that this list belongs to is not active any more.");
  }
}

/** The job failed while its asker waited for it. */
export class WantingFailed extends Conflict {
  constructor(reason: string) {
    super("lists/wanting-failed", `The list could not be wanted: ${reason}`);
  }
}

export class IssueNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("lists/issue-not-found", `There is no issue ${cvIssueId}.`, { cvIssueId });
  }
}

export class NotInList extends NotFound {
  constructor(cvIssueId: number) {
    super("lists/not-in-list", `The issue ${cvIssueId} is not in this list.`, { cvIssueId });
  }
}

/** One field that cannot be used, with the reason. */
export class BadField extends BadInput {
  constructor(field: string, reason: string) {
    super("lists/bad-input", `${field}: ${reason}.`, { [field]: reason });
  }
}

/** Something would grow beyond what is kept. */
export class TooMany extends Conflict {
  constructor(message: string) {
    super("lists/too-many", message);
  }
}

export class NotInCatalog extends NotFound {
  constructor(path: string) {
    super("lists/not-in-catalog", "The community catalog has no list at this path.", { path });
  }
}

export class CatalogUnreachable extends UpstreamFailure {
  constructor(reason: string, cause?: unknown) {
    super(
      "lists/catalog-unreachable",
      `The community catalog cannot be read: ${reason}.`,
      undefined,
      cause === undefined ? {} : { cause },
    );
  }
}

export class CatalogOff extends LongboxError {
  constructor() {
    super("unavailable", "lists/catalog-off", "No community catalog is set.");
  }
}
