import { BadInput, NotFound } from "@longbox/sdk";

/** There is no such issue, or the viewer may not know of it. */
export class IssueNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("reader/no-such-issue", `There is no issue ${cvIssueId}.`, { cvIssueId });
  }
}

/** The issue is known, and nothing of it that could be read is in the library. */
export class NothingToRead extends NotFound {
  constructor(cvIssueId: number) {
    super("reader/no-file", "The library holds no readable file of this issue.", { cvIssueId });
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
