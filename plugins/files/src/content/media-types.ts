import { extname } from "node:path";
import type { Formats } from "../formats/formats.js";

/** Types of files that no plugin reads yet: they can be listed and sent all the same. */
const others: Readonly<Record<string, string>> = {
  epub: "application/epub+zip",
  pdf: "application/pdf",
  mobi: "application/x-mobipocket-ebook",
  fb2: "application/fb2",
  m4b: "audio/mp4",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  flac: "audio/flac",
};

/** The media type under which a file is sent: that of its format, else of a format that its name promises. */
export function mediaTypeOf({ name, format }: { name: string; format: string | undefined }, formats: Formats): string {
  const extension = extname(name).slice(1).toLowerCase();
  const known = formats.find(format) ?? formats.all().find(({ extensions }) => extensions.includes(extension));
  return known?.contentType ?? others[extension] ?? "application/octet-stream";
}
