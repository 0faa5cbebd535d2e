import type { FileFormat, FolderListing } from "@longbox/files/contract";
import { promisesComic } from "./archives/kinds.js";
import { pageType } from "./archives/page-names.js";

/** What formats can do on the side of the server. */
export interface FormatServices {
  readonly inspector: string;
  readonly verify: (path: string) => Promise<string | undefined>;
  readonly digest: (path: string) => Promise<string | undefined>;
}

const fewestPages = 2;
const libraryTypes = ["comic", "manga"];
const companions = ["ComicInfo.xml"];

const archives = [
  { id: "cbz", extensions: ["cbz", "zip"], contentType: "application/vnd.comicbook+zip" },
  { id: "cbr", extensions: ["cbr", "rar"], contentType: "application/vnd.comicbook-rar" },
  { id: "cb7", extensions: ["cb7", "7z"], contentType: "application/x-cb7" },
  { id: "cbt", extensions: ["cbt", "tar"], contentType: "application/vnd.comicbook+tar" },
  { id: "comicpdf", extensions: ["pdf"], contentType: "application/pdf" },
] as const;

export const comicFormatIds: ReadonlySet<string> = new Set([...archives.map(({ id }) => id), "images"]);

/** The formats in which comics come. */
export function comicFormats(services: FormatServices): FileFormat[] {
  return [
    ...archives.map((format) => ({ ...format, libraryTypes, companions, ...services })),
    { id: "images", extensions: [], libraryTypes, contentType: "application/octet-stream", ...services },
  ];
}

/** A folder of images is one issue, unless comics or other folders lie in it as well. */
export function isImageFolder({ files, folders }: FolderListing): boolean {
  if (folders.some((name) => !name.startsWith(".") && name !== "__MACOSX" && name !== "@eaDir")) return false;
  return !files.some(promisesComic) && files.filter((name) => pageType(name) !== undefined).length >= fewestPages;
}
