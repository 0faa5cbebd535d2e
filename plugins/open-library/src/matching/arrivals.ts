import type { CollectionContract } from "@longbox/collection/contract";
import type { JobsContract } from "@longbox/operations/contract";
import { isLongboxError, systemViewer, type Logger, type Releasable } from "@longbox/sdk";
import { arrivalKind, told } from "./jobs.js";
import { readBooks, type Sync } from "./sync.js";

interface ArrivalParts {
  readonly library: CollectionContract;
  readonly jobs: JobsContract;
  readonly sync: Sync;
  readonly isWanted: () => boolean;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A scan tells of its files in many parts. */
const quietMs = 2_000;

/** Looks up books soon after they came into the library. */
export class Arrivals implements Releasable {
  #waiting = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: ArrivalParts) {}

  add(issueIds: readonly number[]): void {
    if (!this.parts.isWanted()) return;
    for (const id of issueIds) this.#waiting.add(id);
    this.wake();
  }

  /** Also called when a run has ended that was in the way. */
  wake(): void {
    if (this.#waiting.size === 0 || this.parts.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#start(), quietMs).unref();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  async #start(): Promise<void> {
    const issueIds = [...this.#waiting];
    this.#waiting = new Set();
    try {
      const books = await readBooks(this.parts.library, issueIds, systemViewer);
      if (books.length === 0) return;
      const { jobs, signal } = this.parts;
      const ids = books.map(({ issue }) => issue.id);
      const work = (control: Parameters<Sync["run"]>[0]) => this.#lookUp(control, ids);
      await jobs.run(arrivalKind, "Look up new books", work, { key: arrivalKind, input: {}, keepNewest: 5, signal });
    } catch (fault) {
      if (this.parts.signal.aborted) return;
      // Another run is on: these wait for its end.
      if (isLongboxError(fault) && fault.kind === "conflict") for (const id of issueIds) this.#waiting.add(id);
      else this.parts.log.error("New books could not be looked up.", { fault: String(fault) });
    }
  }

  /** What fails now is looked up by the nightly run: a server without a connection is not at fault. */
  async #lookUp(control: Parameters<Sync["run"]>[0], issueIds: readonly number[]): Promise<string> {
    try {
      return told(await this.parts.sync.run(control, issueIds));
    } catch (fault) {
      if (!isLongboxError(fault) || (fault.kind !== "upstream" && fault.kind !== "conflict")) throw fault;
      if (fault.kind === "conflict") for (const id of issueIds) this.#waiting.add(id);
      return `${fault.message} The books are looked up later.`;
    }
  }
}
