import { LongboxError } from "@longbox/sdk";

/** The goal of a file is already taken. */
export class PlaceTaken extends LongboxError {
  constructor(path: string) {
    super("conflict", "files/place-taken", "There is a file of that name already; nothing is overwritten.", { path });
  }
}
