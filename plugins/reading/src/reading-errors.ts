import { BadInput, NotFound } from "@longbox/sdk";

/** The work does not exist, or is hidden from the viewer. */
export class WorkNotFound extends NotFound {
  constructor(issueId: number) {
    super("reading/no-such-issue", `There is no item ${issueId}.`, { issueId });
  }
}

export class WrongField extends BadInput {
  constructor(field: string, problem: string) {
    super("reading/wrong-field", `The field "${field}" ${problem}.`, { [field]: problem });
  }
}
