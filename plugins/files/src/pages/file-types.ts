const types: Readonly<Record<string, string>> = {
  cbz: "application/vnd.comicbook+zip",
  zip: "application/vnd.comicbook+zip",
  cbr: "application/vnd.comicbook-rar",
  rar: "application/vnd.comicbook-rar",
  cb7: "application/x-cb7",
  "7z": "application/x-cb7",
  cbt: "application/vnd.comicbook+tar",
  tar: "application/vnd.comicbook+tar",
  pdf: "application/pdf",
  epub: "application/epub+zip",
  mobi: "application/x-mobipocket-ebook",
  fb2: "application/fb2",
  m4b: "audio/mp4",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
};

/** The media type under which a whole file is offered. */
export function fileType(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}
