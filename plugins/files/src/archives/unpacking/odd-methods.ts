import type { OddMethodReader } from "../zip-archive.js";
import type { Unpacker } from "./unpacker.js";

/** Lets ZIPs be read that are packed by a method which Node itself does not know. */
export function oddMethodsBy(unpacker: Unpacker): OddMethodReader {
  return (zip, sizeBytes) => unpacker.run({ kind: "unzip", zip, sizeBytes });
}
