import { BadInput, NotFound } from "@longbox/sdk";

/** The issue does not exist, or is hidden from the viewer. */
export class IssueNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("reader/no-such-issue", `There is no item ${cvIssueId}.`, { cvIssueId });
  }
}

/** The issue exists, but the library has no readable file of it. */
export class NothingToRead extends NotFound {
  constructor(cvIssueId: number) {
    super("reader/no-file", "The library has no readable file of it.", { cvIssueId });
  }
}

export class SeriesNotFound extends NotFound {
  constructor(seriesId: number) {
    super("reader/no-such-series", `There is no series ${seriesId}.`, { seriesId });
  }
}

/** A field of the body that its schema alone cannot judge. */
export class WrongField extends BadInput {
  constructor(field: string, problem: string) {
    super("reader/wrong-field", `The field "${field}" ${problem}.`, { [field]: problem });
  }
}
