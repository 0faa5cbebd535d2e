export { FileHolders, FilesContent } from "./contract/content.js";
export type { FileHolder, OpenedFile, SendableFile, WholeFile, WorkPart } from "./contract/content.js";
export type { Fingerprint, FingerprintMatch, IssueFingerprint } from "./contract/fingerprints.js";
export { FilesImporting, type ImportedFile, type PlaceRequest } from "./contract/importing.js";
export { FilesEngine, type ReadRecord } from "./contract/engine.js";
export { FileFormats } from "./contract/formats.js";
export type { FileFormat, FolderListing, FormatInspector, InspectedFile, InspectorModule } from "./contract/formats.js";
export { FileNames } from "./contract/names.js";
export type { NameHints, ParsedFolderName, ParsedName } from "./contract/names.js";
export type {
  FileReading,
  FolderReading,
  Inspection,
  Measure,
  PartialDate,
  Person,
  SeriesReading,
} from "./contract/reading.js";
