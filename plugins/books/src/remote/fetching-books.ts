import { hash } from "node:crypto";
import type { Contributions, FileCache, MemoryBudget } from "@longbox/sdk";
import { isLongboxError, joinSignals, readBounded, TooManyBytes } from "@longbox/sdk";
import { RemoteBookGone, RemoteSourceAway, RemoteSourceFailed } from "../books-errors.js";
import type { RemoteBookSource } from "./remote-contract.js";
import type { RemoteBookTable } from "../tables.js";
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

/** Covers are shown in lists of many books. */
const largestCoverBytes = 16 * 1024 * 1024;

/** A remote book, or its cover, on this server's disk. */
export interface FetchedBook {
  readonly path: string;
  /** Of the book. */
  readonly format: string;
  /** Changes with the file at the source. */
  readonly validator: string;
}

/** What is fetched of a book. */
interface Wanted {
  readonly id: string;
  readonly expectedBytes: number;
  readonly largestBytes: number;
}

/** Gets the files and covers of remote books when they are first opened, each once for all who wait for it. */
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
    const expectedBytes = row.size > 0 ? Math.min(row.size, largestBytes) : usualBytes;
    const wanted = { id: row.book_id, expectedBytes, largestBytes };
    return fetched(row, await cache.fetch(keyOf(row), () => this.#download(row, wanted)));
  }

  /** A book that was fetched, and is still kept. */
  async findKept(path: string): Promise<FetchedBook | undefined> {
    const { records, cache } = this.parts;
    const row = await records.find(path);
    const kept = row && (await cache.find(keyOf(row)));
    return kept === undefined || !row ? undefined : fetched(row, kept);
  }

  /**
   * @returns undefined when the source offers none
   * @throws {RemoteBookGone}
   * @throws {RemoteSourceFailed}
   * @throws {RemoteSourceAway}
   */
  async fetchCover(path: string): Promise<FetchedBook | undefined> {
    const { records, cache } = this.parts;
    const row = await records.find(path);
    if (!row || row.cover === null) return undefined;
    const wanted = { id: row.cover, expectedBytes: largestCoverBytes, largestBytes: largestCoverBytes };
    return fetched(row, await cache.fetch(`${keyOf(row)}\n${row.cover}`, () => this.#download(row, wanted)));
  }

  /** Changes with the cover that the source offers; undefined when it offers none. */
  async coverValidator(path: string): Promise<string | undefined> {
    const row = await this.parts.records.find(path);
    return row?.cover ? `remote-cover-${hash("sha256", `${row.version}\n${row.cover}`, "base64url")}` : undefined;
  }

  async #download({ plugin, source: sourceId }: RemoteBookTable, wanted: Wanted): Promise<Uint8Array> {
    const found = this.parts.sources.entries().find((one) => one.plugin === plugin && one.contribution.id === sourceId);
    if (!found) throw new RemoteSourceAway();
    const source = found.contribution;
    try {
      return await this.#readWithin(wanted.expectedBytes, source, wanted.id);
    } catch (thrown) {
      if (!(thrown instanceof TooManyBytes)) throw thrown;
    }
    // Sources leave the size out, and can be wrong about it: only as much is held as was reserved.
    try {
      return await this.#readWithin(wanted.largestBytes, source, wanted.id);
    } catch (thrown) {
      throw thrown instanceof TooManyBytes ? new RemoteSourceFailed(source.title, thrown) : thrown;
    }
  }

  /** @throws {TooManyBytes} */
  async #readWithin(mostBytes: number, source: RemoteBookSource, id: string): Promise<Uint8Array> {
    const { memory, signal } = this.parts;
    const space = await memory.reserve(mostBytes, signal);
    const joined = joinSignals(signal, AbortSignal.timeout(longestMs));
    try {
      return await readBounded(await source.fetch(id, joined.signal), mostBytes);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof TooManyBytes) throw thrown;
      const isLost = isLongboxError(thrown) && thrown.kind === "not-found";
      throw isLost ? new RemoteBookGone(source.title) : new RemoteSourceFailed(source.title, thrown);
    } finally {
      joined.release();
      await space.release();
    }
  }
}

const keyOf = ({ plugin, source, book_id, version }: RemoteBookTable) => [plugin, source, book_id, version].join("\n");

function fetched({ format, version, size }: RemoteBookTable, path: string): FetchedBook {
  return { path, format, validator: `remote-${Buffer.from(version).toString("base64url")}-${size}` };
}
