import { BadInput, NotFound } from "@longbox/sdk";

/** There is no such work, or the viewer may not know of it. */
export class WorkNotFound extends NotFound {
  constructor(issueId: number) {
    super("reading/no-such-issue", `There is no issue ${issueId}.`, { issueId });
  }
}

export class WrongField extends BadInput {
  constructor(field: string, problem: string) {
    super("reading/wrong-field", `The field "${field}" ${problem}.`, { [field]: problem });
  }
}
