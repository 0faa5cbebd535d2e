import type { FileFormat } from "@longbox/files/contract";

/** The library type that this plugin adds. Its words are used by every list, page and feed that shows a book. */
export const bookType = {
  id: "ebook",
  label: "Books",
  words: { unit: { one: "book", other: "books" }, length: "fraction", named: "by-title" },
} as const;

/** Formats of books, the one that is read best first. */
export const bookFormats = [
  { id: "epub", extensions: ["epub", "kepub"], contentType: "application/epub+zip" },
  { id: "azw3", extensions: ["azw3"], contentType: "application/vnd.amazon.mobi8-ebook" },
  { id: "mobi", extensions: ["mobi", "azw", "prc", "kfx"], contentType: "application/x-mobipocket-ebook" },
  { id: "fb2", extensions: ["fb2"], contentType: "application/x-fictionbook+xml" },
  { id: "fbz", extensions: ["fbz", "zip"], contentType: "application/x-zip-compressed-fb2" },
  { id: "pdf", extensions: ["pdf"], contentType: "application/pdf" },
  { id: "txt", extensions: ["txt"], contentType: "text/plain" },
] as const;

export type BookFormat = (typeof bookFormats)[number]["id"];

const byId = new Map<string, { readonly rank: number; readonly contentType: string }>(
  bookFormats.map(({ id, contentType }, rank) => [id, { rank, contentType }]),
);

export const isBookFormat = (format: string): format is BookFormat => byId.has(format);

/** Lower is read better; formats of other plugins come last. */
export const rankOf = (format: string | undefined): number => byId.get(format ?? "")?.rank ?? bookFormats.length;

export const contentTypeOf = (format: string | undefined): string =>
  byId.get(format ?? "")?.contentType ?? "application/octet-stream";

/** What lies beside a book and belongs to it: metadata and a cover of its name. */
const companions = ["opf", "jpg", "jpeg", "png"];

export function fileFormats(inspector: string): FileFormat[] {
  return bookFormats.map((format) => ({ ...format, libraryTypes: [bookType.id], companions, inspector }));
}
