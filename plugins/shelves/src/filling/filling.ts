import { isDeepStrictEqual } from "node:util";
import type { CatalogIssue, CollectionContract } from "@longbox/collection/contract";
import type { JobControl } from "@longbox/operations/contract";
import { systemViewer } from "@longbox/sdk";
import type { IndexThread } from "../thread/index-thread.js";
import type { IndexedIssue, IndexStatus } from "../thread/protocol.js";
import { readWords, toIndexed, type LibraryWords } from "./indexed-issues.js";

/** So few that no other request waits long for the event loop while they are read. */
const partSize = 200;

interface FillingParts {
  readonly library: CollectionContract;
  readonly thread: IndexThread;
}

/** A part of all issues. */
interface Part {
  readonly issues: readonly CatalogIssue[];
  /** How many readings of single series had begun before it was read. */
  readonly after: number;
}

/** Brings issues from the collection into the index: all of them, or those of some series. */
export class Filling {
  readonly #parts: FillingParts;
  #words: Promise<LibraryWords> | undefined;
  /** While everything is walked through: the last reading of each series that changed meanwhile. */
  #readAgain: Map<number, number> | undefined;
  #readings = 0;

  constructor(parts: FillingParts) {
    this.#parts = parts;
  }

  /** Reads libraries and their types again. @returns whether what was read before is no longer right */
  async refreshWords(): Promise<boolean> {
    const before = await this.#words;
    const words = await (this.#words = readWords(this.#parts.library));
    return before !== undefined && !isDeepStrictEqual(before, words);
  }

  /**
   * Reads every issue of the collection. Until the end, the index answers from what it held before and what was read
   * since. @returns the index when it is complete
   */
  async walk(control: JobControl): Promise<IndexStatus> {
    const { thread } = this.#parts;
    this.#readAgain = new Map();
    try {
      await thread.run("beginWalk", undefined);
      await this.#putAll(control);
      return await thread.run("endWalk", { builtAt: new Date().toISOString() });
    } catch (fault) {
      await this.#giveUp();
      throw fault;
    } finally {
      this.#readAgain = undefined;
    }
  }

  /** Reads series again that changed; those that are gone leave the index. */
  async readSeries(seriesIds: readonly number[]): Promise<void> {
    const reading = ++this.#readings;
    for (const id of seriesIds) this.#readAgain?.set(id, reading);
    const issues: IndexedIssue[] = [];
    for (let afterId = 0; ;) {
      const part = await this.#parts.library.listIssuesAfter({ afterId, limit: partSize, seriesIds }, systemViewer);
      issues.push(...(await this.#indexed(part)));
      const last = part.at(-1);
      if (!last || part.length < partSize) break;
      afterId = last.issue.id;
    }
    await this.#parts.thread.run("putSeries", { seriesIds, issues });
  }

  async #putAll(control: JobControl): Promise<void> {
    const expected = await this.#expected();
    let done = 0;
    let next = this.#readPart(0);
    for (;;) {
      const part = await next;
      control.signal.throwIfAborted();
      const last = part.issues.at(-1);
      if (!last) return;
      // The next part is read while the thread takes this one.
      next = this.#readPart(last.issue.id);
      await Promise.all([this.#put(part), next]);
      done += part.issues.length;
      control.progress(done, Math.max(expected, done));
    }
  }

  async #readPart(afterId: number): Promise<Part> {
    const after = this.#readings;
    const issues = await this.#parts.library.listIssuesAfter({ afterId, limit: partSize }, systemViewer);
    return { issues, after };
  }

  /** A series that was read again since this part was read is newer in the index than here. */
  async #put({ issues, after }: Part): Promise<void> {
    const current = issues.filter(({ issue }) => (this.#readAgain?.get(issue.seriesId) ?? 0) <= after);
    await this.#parts.thread.run("put", await this.#indexed(current));
  }

  async #indexed(issues: readonly CatalogIssue[]): Promise<IndexedIssue[]> {
    const words = await (this.#words ??= readWords(this.#parts.library));
    return issues.map((issue) => toIndexed(issue, words));
  }

  /** How many issues there are, roughly: as many as last time, or at least what is owned. */
  async #expected(): Promise<number> {
    const { size } = await this.#parts.thread.run("status", undefined);
    const { total } = await this.#parts.library.listRecentlyAdded({ limit: 1, offset: 0 }, systemViewer);
    return Math.max(size, total);
  }

  async #giveUp(): Promise<void> {
    try {
      await this.#parts.thread.run("giveUpWalk", undefined);
    } catch {
      // The thread is gone, and the walk with it; what ended the walk is thrown by the caller.
    }
  }
}
