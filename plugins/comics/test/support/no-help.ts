import { listZip } from "../../src/archives/unpacking/listing.js";
import { UnreadableArchive } from "../../src/archives/unreadable.js";
import type { ZipHelp } from "../../src/archives/zip-archive.js";

/** Reads directories in this thread, and no odd method. */
export const noHelp: ZipHelp = {
  unzip: () => Promise.reject(new UnreadableArchive("unsupported", "The method is not known here.")),
  list: async (path) => listZip(path),
};
