import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { Wrapper } from "./wrapped-reader.js";

/** The wrapper of gzip. */
export const gzip: Wrapper = {
  unpacked(path) {
    const unpacked = createGunzip();
    createReadStream(path)
      .on("error", (fault) => unpacked.destroy(fault))
      .pipe(unpacked);
    return unpacked;
  },
  problemOf: (thrown) => ((thrown as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "truncated" : undefined),
};
