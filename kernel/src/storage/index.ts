export { lockDataFolder } from "./data-folder-lock.js";
export { writeDurably } from "./durable-file.js";
export { openDocument } from "./kept-document.js";
export type { KeptDocument } from "./kept-document.js";
export { MemoryStoring } from "./memory-storing.js";
export { SqliteStoring } from "./sqlite-storing.js";
export type { StoringOptions } from "./folder-storing.js";
export type { KernelDatabase, OpenStorage, StorageSnapshot, Storing, TrialData } from "./storing.js";
