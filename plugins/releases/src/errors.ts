import { BadInput, Conflict, NotFound } from "@longbox/sdk";

export class NoSuchRelease extends NotFound {
  constructor(cvIssueId: number) {
    super("releases/release-not-found", `There is no release ${cvIssueId}.`, { cvIssueId });
  }
}

export class AlreadyInLibrary extends Conflict {
  constructor(seriesId: number) {
    super("releases/already-owned", "The library has this issue already.", { seriesId }, { body: { seriesId } });
  }
}

/** A field of the query or body that cannot be used. */
export const badField = (field: string, why: string): BadInput =>
  new BadInput("releases/bad-input", `${field}: ${why}`, { [field]: why });
