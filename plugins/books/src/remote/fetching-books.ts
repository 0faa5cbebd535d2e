import type { Contributions, FileCache, MemoryBudget } from "@longbox/sdk";
import { isLongboxError, joinSignals, readBounded } from "@longbox/sdk";
import { RemoteBookGone, RemoteSourceAway, RemoteSourceFailed } from "../books-errors.js";
import type { RemoteBookSource } from "./remote-contract.js";
import type { RemoteRecords } from "./remote-records.js";

interface Parts {
  readonly sources: Contributions<RemoteBookSource>;
  readonly records: RemoteRecords;
  readonly cache: FileCache;
  readonly memory: MemoryBudget;
  /** Aborts when the plugin stops: a download goes on when the first who waited for it leaves. */
  readonly signal: AbortSignal;
}

const largestBytes = 256 * 1024 * 1024;
/** Reserved for a book whose size its source does not tell. */
const usualBytes = 16 * 1024 * 1024;
const longestMs = 5 * 60_000;

/** A remote book on this server's disk. */
export interface FetchedBook {
  readonly path: string;
  /** Changes with the file at the source. */
  readonly validator: string;
}

/** Gets the files of remote books when they are first opened. */
export class FetchingBooks {
  constructor(private readonly parts: Parts) {}

  /**
   * @returns undefined for a path that no source has any more
   * @throws {RemoteBookGone} @throws {RemoteSourceFailed} @throws {RemoteSourceAway}
   */
  async fetch(path: string): Promise<FetchedBook | undefined> {
    const { records, cache } = this.parts;
    const row = await records.find(path);
    if (!row) return undefined;
    const key = [row.plugin, row.source, row.book_id, row.version].join("\n");
    const kept = await cache.fetch(key, () => this.#download(row));
    return { path: kept, validator: `remote-${Buffer.from(row.version).toString("base64url")}-${row.size}` };
  }

  async #download(row: { plugin: string; source: string; book_id: string; size: number }): Promise<Uint8Array> {
    const { sources, memory, signal } = this.parts;
    const found = sources
      .entries()
      .find(({ plugin, contribution }) => plugin === row.plugin && contribution.id === row.source);
    if (!found) throw new RemoteSourceAway();
    const source = found.contribution;
    const space = await memory.reserve(row.size > 0 ? Math.min(row.size, largestBytes) : usualBytes, signal);
    const joined = joinSignals(signal, AbortSignal.timeout(longestMs));
    try {
      return await readBounded(await source.fetch(row.book_id, joined.signal), largestBytes);
    } catch (thrown) {
      signal.throwIfAborted();
      const isLost = isLongboxError(thrown) && thrown.kind === "not-found";
      throw isLost ? new RemoteBookGone(source.title) : new RemoteSourceFailed(source.title, thrown);
    } finally {
      joined.release();
      await space.release();
    }
  }
}
