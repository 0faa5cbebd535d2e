// The module that threads import for archives in an xz wrapper: see `ArchiveReaderModule`.
import { wrappedReader } from "./archives/wrapped/wrapped-reader.js";
import { xz } from "./archives/wrapped/xz.js";

export const { list, extract } = wrappedReader(xz);
