import type { ArchiveProblem } from "@longbox/comics/contract";

/** Why a 7z is not read; the comics plugin goes by the code. */
export class SevenZipProblem extends Error {
  constructor(
    readonly code: ArchiveProblem,
    options?: ErrorOptions,
  ) {
    super(`The archive cannot be read: ${code}.`, options);
    this.name = "SevenZipProblem";
  }
}
