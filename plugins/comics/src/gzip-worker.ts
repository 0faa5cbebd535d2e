// The module that threads import for archives in a gzip wrapper: see `ArchiveReaderModule`.
import { gzip } from "./archives/wrapped/gzip.js";
import { wrappedReader } from "./archives/wrapped/wrapped-reader.js";

export const { list, extract } = wrappedReader(gzip);
