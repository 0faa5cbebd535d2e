import type { ArchiveReader } from "../contract/archive-readers.js";

/** A kind of archive: the description of a reader without its code. */
export type KindOfArchive = Pick<
  ArchiveReader,
  "id" | "title" | "format" | "extensions" | "contentType" | "magic" | "zipMethods"
>;

/** A kind in which comics come, and the package that reads it. */
export interface KnownKind extends KindOfArchive {
  readonly package: string;
}

/** Kinds that are recognised even without a reader, so that their files are listed with the reason. */
export const knownKinds: readonly KnownKind[] = [
  {
    id: "rar",
    title: "RAR",
    format: "cbr",
    extensions: ["cbr", "rar"],
    contentType: "application/vnd.comicbook-rar",
    magic: ["526172211a0700", "526172211a070100"],
    package: "@longbox/archive-rar",
  },
  {
    id: "7z",
    title: "7z",
    format: "cb7",
    extensions: ["cb7", "7z"],
    contentType: "application/x-cb7",
    magic: ["377abcaf271c"],
    zipMethods: [9, 12, 14, 98],
    package: "@longbox/archive-7z",
  },
];
