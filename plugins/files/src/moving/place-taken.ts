import { LongboxError } from "@longbox/sdk";

/** Something stands where a file should go. */
export class PlaceTaken extends LongboxError {
  constructor(path: string) {
    super("conflict", "files/place-taken", "There is a file of that name already; nothing is overwritten.", { path });
  }
}
