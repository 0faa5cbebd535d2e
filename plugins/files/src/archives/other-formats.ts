import type { OtherFormats } from "../scan/look-into.js";
import { UnreadableArchive } from "./unreadable.js";

/** Looks into the formats that are no ZIP, inside a worker thread. */
export const formatsInThread: OtherFormats = {
  async look(_path, kind) {
    throw new UnreadableArchive("unsupported", `Archives of the kind ${kind} cannot be read here.`);
  },
};
