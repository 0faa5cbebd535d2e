import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

export type Coding = "br" | "gzip";

/** The better one first. */
const codings: readonly Coding[] = ["br", "gzip"];
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
/** Smaller bodies gain nothing. */
const smallestBytes = 1024;
/** Some hundred lists. */
const keptBytes = 4 * 1024 * 1024;
/** What an entry takes beside its bytes: its key, and the objects around it. */
const entryBytes = 500;
const compressible = /^(text\/|application\/(json|javascript|xml|[a-z0-9.+-]+\+(json|xml))|image\/svg\+xml)/i;

/** The types of negotiator 1 are those of 0.6, which knew no preference of the server. */
interface Asked {
  encoding(
    available: readonly string[],
    options: { readonly preferred: readonly Coding[] },
  ): Coding | "identity" | undefined;
}

/**
 * The coding to answer with: what the client likes best, of several the best one; undefined to send the bytes as they
 * are.
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  contentType: string,
  length: number,
): Coding | undefined {
  if (acceptEncoding === undefined || length < smallestBytes || !compressible.test(contentType)) return undefined;
  // The types of the package lack the option `preferred`, which it documents.
  const asked = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }) as unknown as Asked;
  const chosen = asked.encoding([...codings, "identity"], { preferred: codings });
  return chosen === "identity" ? undefined : chosen;
}

/**
 * Compresses, and keeps the latest results by the digest of what was compressed: the same list asked for again is not
 * compressed again. Never by a validator, which says nothing beyond its own URL and its own user.
 */
export class Compressor {
  readonly #kept = new LRUCache<string, Buffer>({
    maxSize: keptBytes,
    maxEntrySize: keptBytes / 4,
    sizeCalculation: ({ length }) => length + entryBytes,
  });
  readonly #digests = new WeakMap<Uint8Array, string>();

  /** @param digest - That of the content, where it is known already */
  async compress(content: Uint8Array | string, coding: Coding, digest = this.#digest(content)): Promise<Buffer> {
    const key = `${coding} ${digest}`;
    const present = this.#kept.get(key);
    if (present !== undefined) return present;
    const made =
      coding === "br"
        ? await brotliAsync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : await gzipAsync(content, { level: 6 });
    // zlib answers with a part of a block of 16 kB, which would be kept as a whole and counted by its part.
    const small = Buffer.allocUnsafeSlow(made.length);
    made.copy(small);
    this.#kept.set(key, small);
    return small;
  }

  #digest(content: Uint8Array | string): string {
    if (typeof content === "string") return hash("sha1", content, "hex");
    const known = this.#digests.get(content) ?? hash("sha1", content, "hex");
    this.#digests.set(content, known);
    return known;
  }
}
