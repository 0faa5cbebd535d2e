import { open } from "node:fs/promises";
import { unlessMissing } from "./unless-missing.js";

/** Bytes of the beginning of a file that {@link imageTypeOf} looks at, at most. */
export const imageHeadBytes = 32;

const signatures: ReadonlyArray<readonly [start: string, contentType: string]> = [
  ["\xff\xd8\xff", "image/jpeg"],
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["BM", "image/bmp"],
  ["II*\0", "image/tiff"],
  ["MM\0*", "image/tiff"],
  ["\xff\x0a", "image/jxl"],
  ["\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"],
  ["\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"],
];

/** The media type of everything that is not recognised as an image. */
const otherType = "application/octet-stream";

const brands: Readonly<Record<string, string>> = {
  avif: "image/avif",
  avis: "image/avif",
  heic: "image/heic",
  heix: "image/heic",
  hevc: "image/heic",
  mif1: "image/heif",
};

/**
 * The media type of an image by its first bytes, or undefined for anything else.
 *
 * A scan calls this for every page, in threads that share nothing with the kernel. `file-type` 22, which knows some
 * 170 types, took 18 µs and a promise for each of 1000 heads of pages, this one 0.5 µs.
 */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, imageHeadBytes)).toString("latin1");
  if (text.startsWith("RIFF")) return text.slice(8, 12) === "WEBP" ? "image/webp" : undefined;
  if (text.slice(4, 8) === "ftyp") return brandType(text);
  return signatures.find(([start]) => text.startsWith(start))?.[1];
}

/** ISO media files name a main brand, and further ones: an AVIF may call itself `mif1` first. */
function brandType(text: string): string | undefined {
  const named = [text.slice(8, 12), text.slice(16, 20), text.slice(20, 24), text.slice(24, 28)];
  const known = named.map((brand) => brands[brand]);
  return known.find((type) => type === "image/avif") ?? known[0];
}

/** The media type of an image file by its first bytes; `application/octet-stream` for anything else. */
export async function imageTypeOfFile(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(imageHeadBytes), 0, imageHeadBytes, 0);
  return imageTypeOf(buffer.subarray(0, bytesRead)) ?? otherType;
}

/** How many files {@link ImageTypes} remembers: their names take about half a megabyte. */
const mostRemembered = 2000;

/**
 * The media types of images in files that never change under their path, such as those of a {@link FileCache}. Each
 * file is opened for its type only once: opening, reading and closing it are three round trips to the thread pool.
 */
export class ImageTypes {
  readonly #types = new Map<string, string>();

  /**
   * As {@link imageTypeOfFile}. A file that was removed in the meantime is no error here: the kernel answers that it
   * is gone when it should send it.
   */
  async of(path: string): Promise<string> {
    const known = this.#types.get(path) ?? (await unlessMissing(imageTypeOfFile(path)));
    return known === undefined ? otherType : this.#remember(path, known);
  }

  /** Remembers the type of a file that has just been written, so that it is never opened for it. */
  note(path: string, bytes: Uint8Array): void {
    this.#remember(path, imageTypeOf(bytes) ?? otherType);
  }

  /** The files that were used last stay. */
  #remember(path: string, type: string): string {
    this.#types.delete(path);
    this.#types.set(path, type);
    if (this.#types.size > mostRemembered) this.#types.delete(this.#types.keys().next().value!);
    return type;
  }
}
