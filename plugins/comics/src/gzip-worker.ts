// The module that threads import for archives in a gzip wrapper: see `ArchiveReaderModule`.
export { extract, list } from "./archives/gzip/gzip-reader.js";
