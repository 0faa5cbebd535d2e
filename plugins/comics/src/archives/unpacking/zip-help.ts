import type { ReaderSet } from "../../readers/reader-set.js";
import type { EpubHelp, ZipHelp } from "../zip-archive.js";
import type { Unpacker } from "./unpacker.js";

/** Lets ZIPs be read that are packed by a method which Node itself does not know, or have a large directory. */
export function zipHelpBy(unpacker: Unpacker, readers: () => ReaderSet): ZipHelp & EpubHelp {
  return {
    unzip: async (zip, { method, sizeBytes }) =>
      unpacker.run({ kind: "unzip", reader: readers().getForZip(method).module, zip, sizeBytes }),
    listEpub: (path) => unpacker.run({ kind: "list-epub", path }),
    list: (path) => unpacker.run({ kind: "list-zip", path }),
  };
}
