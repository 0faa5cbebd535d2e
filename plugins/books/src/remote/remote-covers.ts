import { open, readFile } from "node:fs/promises";
import type { CollectionContract, CoverSource } from "@longbox/collection/contract";
import { imageTypeOf, type TaskThread } from "@longbox/sdk";
import type { CoverTasks } from "../covers/cover-tasks.js";
import { readEmbedded } from "../covers/embedded-cover.js";
import type { FetchedBook, FetchingBooks } from "./fetching-books.js";
import { isRemote } from "./remote-path.js";

interface Parts {
  readonly library: CollectionContract;
  readonly fetching: FetchingBooks;
  readonly thread: TaskThread<CoverTasks>;
}

/**
 * Covers of remote books: what the source offers, fetched when it is first shown; else that in a book that was fetched.
 */
export function remoteCovers(parts: Parts): CoverSource {
  const { library, fetching } = parts;
  const findPath = async (issueId: number) =>
    (await library.listHoldings(issueId)).find(({ path }) => isRemote(path))?.path;
  return {
    rank: 13,
    async findCover({ issueId }) {
      const path = await findPath(issueId);
      if (path === undefined) return undefined;
      const offered = await fetching.fetchCover(path);
      const kept = offered ? undefined : await fetching.findKept(path);
      const bytes = offered ? await readFile(offered.path) : kept && (await coverIn(kept, parts.thread));
      const contentType = bytes && imageTypeOf(bytes);
      return bytes && contentType !== undefined ? { bytes, contentType } : undefined;
    },
    async validator({ issueId }) {
      const path = await findPath(issueId);
      if (path === undefined) return undefined;
      return (await fetching.coverValidator(path)) ?? (await fetching.findKept(path))?.validator;
    },
  };
}

async function coverIn({ path, format }: FetchedBook, thread: TaskThread<CoverTasks>): Promise<Uint8Array | undefined> {
  const handle = await open(path);
  try {
    const { size: sizeBytes } = await handle.stat();
    const place = await thread.run("place", { descriptor: handle.fd, sizeBytes, format });
    return place && (await readEmbedded({ handle, sizeBytes }, { place, isPacked: format === "fbz" }, thread));
  } finally {
    await handle.close();
  }
}
