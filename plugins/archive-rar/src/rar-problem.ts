import type { ArchiveProblem } from "@longbox/comics/contract";

/** Why a RAR is not read; the comics plugin goes by the code. */
export class RarProblem extends Error {
  constructor(
    readonly code: ArchiveProblem,
    options?: ErrorOptions,
  ) {
    super(`The RAR cannot be read: ${code}.`, options);
    this.name = "RarProblem";
  }
}
