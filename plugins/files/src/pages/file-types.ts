const types: Readonly<Record<string, string>> = {
  cbz: "application/vnd.comicbook+zip",
  zip: "application/vnd.comicbook+zip",
  cbr: "application/vnd.comicbook-rar",
  rar: "application/vnd.comicbook-rar",
  cb7: "application/x-cb7",
  "7z": "application/x-cb7",
  cbt: "application/x-cbt",
  tar: "application/x-cbt",
  pdf: "application/pdf",
};

/** The media type under which a whole file is offered. */
export function fileType(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}
