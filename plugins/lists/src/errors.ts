import { BadInput, Conflict, LongboxError, NotFound, UpstreamFailure } from "@longbox/sdk/light";

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

/** The account of a task was disabled or deleted, or has lost the permission. */
export class AccountMayNotWant extends LongboxError {
  constructor() {
    super(
      "forbidden",
      "lists/account-may-not",
      "The account that started this job may no longer add to the library. The job was stopped.",
    );
  }
}

/** The account of a matching task was disabled or deleted. */
export class AccountGone extends LongboxError {
  constructor() {
    super("forbidden", "lists/account-gone", "The account that this list belongs to is not active any more.");
  }
}

/** The job failed while the request waited for it. */
export class WantingFailed extends Conflict {
  constructor(reason: string) {
    super("lists/wanting-failed", `The missing items of the list could not be added: ${reason}`);
  }
}

export class IssueNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("lists/issue-not-found", `There is no item ${cvIssueId}.`, { cvIssueId });
  }
}

export class NotInList extends NotFound {
  constructor(cvIssueId: number) {
    super("lists/not-in-list", `The item ${cvIssueId} is not in this list.`, { cvIssueId });
  }
}

/** An invalid field, with the reason. */
export class BadField extends BadInput {
  constructor(field: string, reason: string) {
    super("lists/bad-input", `${field}: ${reason}.`, { [field]: reason });
  }
}

/** A file that is to be imported. @param reason - What is wrong with it, such as `holds no books` */
export class NotAReadingList extends BadInput {
  constructor(reason: string) {
    super("lists/bad-input", `This file cannot be imported: it ${reason}.`, { body: reason });
  }
}

/** A limit on the number of lists or items would be exceeded. */
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
    super("unavailable", "lists/catalog-off", "No community catalog is configured.");
  }
}
