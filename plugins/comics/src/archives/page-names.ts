import { imageTypeOf } from "@longbox/sdk/light";
import type { PageEntry } from "./archive.js";
import { safeEntryName } from "./entry-names.js";

const imageTypes: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  jfif: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  jxl: "image/jxl",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  jp2: "image/jp2",
  jpx: "image/jp2",
  j2k: "image/jp2",
  heic: "image/heic",
  heif: "image/heif",
};

/** A media type that pages can have, or undefined when it is another. */
export function imageType(mediaType: string): string | undefined {
  return Object.values(imageTypes).find((type) => type === mediaType);
}

/**
 * The media type that a page's name promises, or undefined when it is no page: not an image, or a leftover of some
 * system.
 */
export function pageType(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return undefined;
  const type = imageTypes[name.slice(dot + 1).toLowerCase()];
  return type === undefined || isLeftover(name) || safeEntryName(name) === undefined ? undefined : type;
}

function isLeftover(name: string): boolean {
  if (!name.includes("._") && !name.includes("__MACOSX")) return false;
  const plain = name.replaceAll("\\", "/");
  return (
    plain.startsWith("__MACOSX/") ||
    plain.includes("/__MACOSX/") ||
    plain.slice(plain.lastIndexOf("/") + 1).startsWith("._")
  );
}

const byText = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Reading order: 2 before 10, folders as units, and always the same for the same names. */
export function comparePages(one: string, other: string): number {
  const left = one.replaceAll("\\", "/").split("/");
  const right = other.replaceAll("\\", "/").split("/");
  for (let level = 0; level < Math.min(left.length, right.length); level++) {
    const order = byText.compare(left[level]!, right[level]!);
    if (order !== 0) return order;
  }
  return left.length - right.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** The entries of an archive that are pages, in reading order. Empty entries are none. */
export function pagesOf<Entry extends { readonly name: string; readonly sizeBytes: number }>(
  entries: readonly Entry[],
): Array<PageEntry & { readonly entry: Entry }> {
  const pages: Array<PageEntry & { readonly entry: Entry }> = [];
  for (const entry of entries) {
    const contentType = entry.sizeBytes > 0 ? pageType(entry.name) : undefined;
    if (contentType)
      pages.push({ name: entry.name.replaceAll("\\", "/"), contentType, sizeBytes: entry.sizeBytes, entry });
  }
  return pages.sort((one, other) => comparePages(one.name, other.name));
}

/** The media type that an image's first bytes show, or undefined when they are those of no image that is known here. */
export function sniffImage(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  // A JPEG 2000 image without the box around it.
  if (first === 0xff && second === 0x4f && third === 0xff && fourth === 0x51) return "image/jp2";
  return imageTypeOf(bytes);
}
