import type { ReaderDescription } from "./reader-set.js";

/** Reads archives in a gzip wrapper, such as a tar of a Unix system, or a ZIP that was compressed once more. */
export function gzipReader(module: string): ReaderDescription {
  return {
    id: "gz",
    title: "gzip",
    format: "cbgz",
    extensions: ["gz", "tgz"],
    contentType: "application/gzip",
    magic: ["1f8b08"],
    zipMethods: [],
    module,
  };
}

/** The same for xz. */
export function xzReader(module: string): ReaderDescription {
  return {
    id: "xz",
    title: "xz",
    format: "cbxz",
    extensions: ["xz", "txz"],
    contentType: "application/x-xz",
    magic: ["fd377a585a00"],
    zipMethods: [],
    module,
  };
}
