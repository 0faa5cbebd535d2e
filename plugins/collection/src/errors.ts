import { BadInput, Conflict, NotFound } from "@longbox/sdk";

export class SeriesNotFound extends NotFound {
  constructor(id: number) {
    super("collection/series-not-found", `There is no series ${id}.`, { id });
  }
}

/** Also for a volume whose series is hidden from the viewer: the answer names nothing that the viewer did not name. */
export class VolumeNotFound extends NotFound {
  constructor(cvId: number) {
    super("collection/volume-not-found", `Volume ${cvId} cannot be chosen.`, { cvId });
  }
}

/** For a work that the library has, hidden from the viewer: the answer names nothing that the viewer did not name. */
export class WorkNotFound extends NotFound {
  constructor(id: string) {
    super("collection/work-not-found", `The work ${id} cannot be chosen.`, { id });
  }
}

export class IssueNotFound extends NotFound {
  constructor(cvIssueId: number) {
    super("collection/issue-not-found", `There is no item ${cvIssueId}.`, { cvIssueId });
  }
}

export class LibraryNotFound extends NotFound {
  constructor(id: number) {
    super("collection/library-not-found", `There is no library ${id}.`, { id });
  }
}

/** Every field that is wrong, each with its reason. */
export function badField(field: string, reason: string): BadInput {
  return new BadInput("collection/bad-input", `${field}: ${reason}`, { [field]: reason });
}

export class NoDownloader extends Conflict {
  constructor() {
    super("collection/no-downloader", "No plugin for downloads is running.");
  }
}
