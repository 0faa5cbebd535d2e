import { hash } from "node:crypto";
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
export function chooseCoding(
  acceptEncoding: string | undefined,
  contentType: string,
  length: number,
): Coding | undefined {
  if (acceptEncoding === undefined || length < smallestBytes || !compressible.test(contentType)) return undefined;
  if (accepts(acceptEncoding, "br")) return "br";
  return accepts(acceptEncoding, "gzip") ? "gzip" : undefined;
}

function accepts(header: string, coding: Coding): boolean {
  const entry = header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .find((part) => part.split(";")[0]!.trim() === coding);
  return entry !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(entry);
}

/**
 * Compresses, and keeps the latest results by the digest of what was compressed: the same list asked for again is not
 * compressed again. Never by a validator, which says nothing beyond its own URL and its own user.
 */
export class Compressor {
  readonly #kept = new Map<string, Buffer>();
  readonly #digests = new WeakMap<Uint8Array, string>();
  #bytes = 0;

  /** @param digest - That of the content, where it is known already */
  async compress(content: Uint8Array | string, coding: Coding, digest = this.#digest(content)): Promise<Buffer> {
    const key = `${coding} ${digest}`;
    const present = this.#kept.get(key);
    if (present !== undefined) return present;
    const small =
      coding === "br"
        ? await brotliAsync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : await gzipAsync(content, { level: 6 });
    this.#keep(key, small);
    return small;
  }

  #digest(content: Uint8Array | string): string {
    if (typeof content === "string") return hash("sha1", content, "hex");
    const known = this.#digests.get(content) ?? hash("sha1", content, "hex");
    this.#digests.set(content, known);
    return known;
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
