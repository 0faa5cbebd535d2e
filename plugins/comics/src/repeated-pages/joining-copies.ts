import { areAlike, hashWords } from "./alike.js";
import { eachHash } from "./each-hash.js";
import type { RepeatedPagesDatabase } from "./tables.js";

/** So many pictures are looked for among all pages, the most frequent ones first. */
const mostPictures = 300;

/**
 * Copies of a picture that were resized or compressed in another way get the hash of the picture, so that they count as
 * it.
 * @param hashes - those of repeated pictures, the most frequent ones first
 */
export async function joinCopies(
  database: RepeatedPagesDatabase,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const pictures = hashes.slice(0, mostPictures).map((hash) => ({ hash, words: hashWords(hash) }));
  const known = new Set(pictures.map(({ hash }) => hash));
  if (pictures.length === 0) return;
  for await (const hash of eachHash(database)) {
    signal.throwIfAborted();
    const words = hashWords(hash);
    const picture = known.has(hash) ? undefined : pictures.find((one) => areAlike(one.words, words));
    if (picture) await database.updateTable("page_hash").set({ hash: picture.hash }).where("hash", "=", hash).execute();
  }
}
