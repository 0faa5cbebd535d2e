// The module that threads of the comics plugin import: see `ArchiveReaderModule` in its contract.
export { extract, list } from "./rar.js";
