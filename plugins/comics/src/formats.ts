import type { FileFormat, FolderListing } from "@longbox/files/contract";
import { pageType } from "./archives/page-names.js";
import { knownKinds, type KindOfArchive, type KnownKind } from "./readers/known-kinds.js";
import type { ReaderSet } from "./readers/reader-set.js";

/** What formats can do on the side of the server. */
export interface FormatServices {
  /** The URL of the inspectors, which names the readers that are there when it is asked for. */
  readonly inspector: () => string;
  readonly verify: (path: string) => Promise<string | undefined>;
  readonly digest: (path: string) => Promise<string | undefined>;
  readonly cover: FileFormat["cover"];
}

const fewestPages = 2;
const libraryTypes = ["comic", "manga"];
const companions = ["ComicInfo.xml"];

/** The formats that are read without a reader of another plugin. */
const ownFormats = [
  { id: "cbz", extensions: ["cbz", "zip"], contentType: "application/vnd.comicbook+zip" },
  { id: "comicepub", extensions: ["epub"], contentType: "application/epub+zip" },
  { id: "cbt", extensions: ["cbt", "tar"], contentType: "application/vnd.comicbook+tar" },
  { id: "comicpdf", extensions: ["pdf"], contentType: "application/pdf" },
  { id: "images", extensions: [], contentType: "application/octet-stream" },
] as const;

/** Under which files of a known kind are looked for while there is no reader: `norar`. */
export function idWithoutReader({ id }: Pick<KnownKind, "id">): string {
  return `no${id}`;
}

/** The ids of the formats whose pages can be read now. */
export function readableFormats({ readers }: ReaderSet): ReadonlySet<string> {
  return new Set([...ownFormats, ...readers.map(({ format }) => ({ id: format }))].map(({ id }) => id));
}

/** The formats in which comics come: those that can be read, and those of known kinds that have no reader. */
export function comicFormats(readers: ReaderSet, services: FormatServices): FileFormat[] {
  const packed = ({ format, ...kind }: KindOfArchive) => formatOf({ ...kind, id: format }, services);
  return [
    ...ownFormats.map((format) => formatOf(format, services)),
    ...readers.readers.map(packed),
    ...readers.missing.map((kind) => packed({ ...kind, format: idWithoutReader(kind) })),
  ];
}

function formatOf(
  { id, extensions, contentType }: Pick<FileFormat, "id" | "extensions" | "contentType">,
  { inspector, verify, digest, cover }: FormatServices,
): FileFormat {
  return {
    id,
    extensions,
    libraryTypes,
    contentType,
    ...(extensions.length > 0 && { companions }),
    get inspector() {
      return inspector();
    },
    verify,
    digest,
    ...(cover && { cover }),
  };
}

/** A folder of images is one issue, unless comics or other folders lie in it as well. */
export function isImageFolder({ files, folders }: FolderListing, readers: ReaderSet): boolean {
  if (folders.some((name) => !name.startsWith(".") && name !== "__MACOSX" && name !== "@eaDir")) return false;
  const endings = comicEndings(readers);
  if (files.some((name) => promisesComic(name, endings))) return false;
  return files.filter((name) => pageType(name) !== undefined).length >= fewestPages;
}

function comicEndings({ readers }: ReaderSet): ReadonlySet<string> {
  return new Set([...ownFormats, ...knownKinds, ...readers].flatMap(({ extensions }): readonly string[] => extensions));
}

/** Whether a file's name promises a comic, so that the file is looked into. */
function promisesComic(name: string, endings: ReadonlySet<string>): boolean {
  const dot = name.lastIndexOf(".");
  return dot > 0 && endings.has(name.slice(dot + 1).toLowerCase()) && !name.startsWith(".");
}
