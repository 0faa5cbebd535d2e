import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Coding = "br" | "gzip";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
/** Smaller bodies gain nothing. */
const smallestBytes = 1024;
const keptBytes = 16 * 1024 * 1024;
const compressible = /^(text\/|application\/(json|javascript|xml|[a-z0-9.+-]+\+(json|xml))|image\/svg\+xml)/i;

/** The coding to answer with: the first that the client accepts, or undefined to send the bytes as they are. */
export function chooseCoding(acceptEncoding: string | undefined, contentType: string, length: number): Coding | undefined {
  if (acceptEncoding === undefined || length < smallestBytes || !compressible.test(contentType)) return undefined;
  if (accepts(acceptEncoding, "br")) return "br";
  return accepts(acceptEncoding, "gzip") ? "gzip" : undefined;
}

function accepts(header: string, coding: Coding): boolean {
  const entry = header.toLowerCase().split(",").map((part) => part.trim()).find((part) => part.split(";")[0]!.trim() === coding);
  return entry !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(entry);
}

/** Compresses, and keeps the latest results by tag: the same list asked for again is not compressed again. */
export class Compressor {
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  async compress(bytes: Uint8Array | string, coding: Coding, tag: string | undefined): Promise<Buffer> {
    const key = tag === undefined ? undefined : `${coding} ${tag}`;
    const present = key === undefined ? undefined : this.#kept.get(key);
    if (present !== undefined) return present;
    const small = coding === "br" ? await brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : await gzipAsync(bytes, { level: 6 });
    if (key !== undefined) this.#keep(key, small);
    return small;
  }

  #keep(key: string, bytes: Buffer): void {
    if (bytes.length > keptBytes / 4 || this.#kept.has(key)) return;
    this.#kept.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= keptBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= kept.length;
    }
  }
}
