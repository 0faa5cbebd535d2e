import type { ZipHelp } from "../zip-archive.js";
import type { Unpacker } from "./unpacker.js";

/** Lets ZIPs be read that are packed by a method which Node itself does not know, or have a large directory. */
export function zipHelpBy(unpacker: Unpacker): ZipHelp {
  return {
    unzip: (zip, sizeBytes) => unpacker.run({ kind: "unzip", zip, sizeBytes }),
    list: (path) => unpacker.run({ kind: "list-zip", path }),
  };
}
