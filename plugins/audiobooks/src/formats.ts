import type { FileFormat } from "@longbox/files/contract";

export const audiobookType = "audiobook";

/** The format of a book that is a folder of files. */
export const folderFormat = "audioparts";

/** Files beside a book of one file: its cue sheet and its cover. */
const companions = ["cue", "jpg", "png"];

const formats = [
  { id: "m4b", extensions: ["m4b"], contentType: "audio/mp4", companions },
  { id: "m4a", extensions: ["m4a", "mp4"], contentType: "audio/mp4", companions },
  { id: "mp3", extensions: ["mp3"], contentType: "audio/mpeg", companions },
  { id: "flac", extensions: ["flac"], contentType: "audio/flac", companions },
  { id: "opus", extensions: ["opus"], contentType: "audio/ogg", companions },
  { id: "ogg", extensions: ["ogg", "oga"], contentType: "audio/ogg", companions },
  { id: folderFormat, extensions: [], contentType: "application/octet-stream" },
] as const;

export function audioFormats(inspector: string): FileFormat[] {
  return formats.map((format) => ({ ...format, libraryTypes: [audiobookType], inspector }));
}

const byExtension = new Map<string, (typeof formats)[number]>(
  formats.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
);

/** The format that a file's name promises: its id and media type. */
export function formatOfName(name: string): { readonly id: string; readonly contentType: string } | undefined {
  return byExtension.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
}
