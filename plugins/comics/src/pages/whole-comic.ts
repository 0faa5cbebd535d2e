import { UnreadableArchive } from "../archives/unreadable.js";
import { createHash } from "node:crypto";
import { reasonOf } from "../archives/unreadable.js";
import type { OpenArchives } from "./open-archives.js";
import type { OpenComic } from "./open-comic.js";

/** Reads every page. @returns what is damaged */
export async function verify(archives: OpenArchives<OpenComic>, path: string): Promise<string | undefined> {
  try {
    await archives.use(path, async ({ archive }) => {
      // A PDF's pages are drawn, not stored: that it opens is all that can be checked.
      for (let page = 0; archive.kind !== "pdf" && page < archive.pages.length; page++)
        await archive.readPageBytes(page);
    });
    return undefined;
  } catch (thrown) {
    return reasonOf(thrown);
  }
}

/** Equal only where every page is, byte for byte and in the same order. */
export function digestOf(archives: OpenArchives<OpenComic>, path: string): Promise<string | undefined> {
  return archives.use(path, async ({ archive }) => {
    if (archive.pages.length === 0) return undefined;
    const digest = createHash("sha256");
    for (let page = 0; page < archive.pages.length; page++) {
      const { bytes } = await archive.readPageBytes(page);
      digest.update(`${bytes.length}:`).update(bytes);
    }
    return digest.digest("base64url");
  });
}

/** The page that shows the cover, as it is in the file; undefined when there is none, or the file cannot be read. */
export async function coverOf(
  archives: OpenArchives<OpenComic>,
  path: string,
): Promise<{ bytes: Uint8Array; contentType: string } | undefined> {
  try {
    return await archives.use(path, async ({ archive, coverPage }) =>
      archive.pages.length === 0 ? undefined : archive.readPageBytes(coverPage),
    );
  } catch (thrown) {
    if (thrown instanceof UnreadableArchive) return undefined;
    throw thrown;
  }
}
