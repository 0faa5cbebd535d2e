import { join } from "node:path";
import type { JobControl } from "@longbox/operations/contract";
import { counted, type Logger, type Releasable } from "@longbox/sdk";
import type { IndexThread } from "../thread/index-thread.js";
import type { Filling } from "./filling.js";
import type { UnsavedRecords } from "./unsaved-records.js";

/** How many series are read again at once. */
const mostAtOnce = 50;
/** After a change, the snapshot is written at the earliest after this time, and it may take a hundredth of all time. */
const saveAfterMs = 60_000;
const saveShare = 100;
/**
 * A small index, which a new thread has read from the snapshot in some milliseconds, is not held in memory without
 * questions.
 */
const restingSize = 1_000;

interface KeepingParts {
  readonly thread: IndexThread;
  readonly filling: Filling;
  readonly records: UnsavedRecords;
  readonly folder: string;
  readonly log: Logger;
  readonly changed: () => void;
}

/**
 * Keeps the index: reads it from the snapshot at the start, follows changes of the collection, and writes snapshots. A
 * series that changed is noted in the database until a snapshot has it, so that a restart loses nothing.
 */
export class Keeping implements Releasable {
  readonly #parts: KeepingParts;
  readonly #file: string;
  readonly #changed = new Set<number>();
  /** Changes that are in the index and in no snapshot. */
  #unsaved = new Set<number>();
  #following: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saveMs = 0;
  #isBuilding = false;
  /** How many items the snapshot has. */
  #savedSize = Infinity;
  #isReleased = false;

  constructor(parts: KeepingParts) {
    this.#parts = parts;
    this.#file = join(parts.folder, "index.snapshot");
  }

  /** @returns whether there is an index now; otherwise it has to be built */
  async restore(): Promise<boolean> {
    const { thread, records, log } = this.#parts;
    const { ready, damaged, size } = await thread.run("restore", { file: this.#file });
    if (ready) this.#savedSize = size;
    if (damaged) log.warn("The snapshot of the index was damaged; the index is built again");
    this.follow(await records.list());
    return ready;
  }

  /** Builds the index. @returns what the job says at its end */
  async build(control: JobControl): Promise<string> {
    this.#isBuilding = true;
    try {
      const status = await this.#parts.filling.walk(control);
      await this.save();
      this.#parts.changed();
      return `${counted(status.size, "item")} in the index`;
    } finally {
      this.#isBuilding = false;
    }
  }

  /** Whether the index is so small that its thread may rest, and the snapshot has all of it. */
  get mayRest(): boolean {
    const isSaved = this.#timer === undefined && this.#unsaved.size === 0 && this.#changed.size === 0;
    return isSaved && this.#savedSize <= restingSize && !this.#isBuilding && this.#following === undefined;
  }

  /** Reads series again, soon. */
  follow(seriesIds: readonly number[]): void {
    for (const id of seriesIds) this.#changed.add(id);
    if (this.#changed.size === 0 || this.#isReleased) return;
    this.#following ??= this.#readChanged().finally(() => (this.#following = undefined));
  }

  /** Writes the snapshot, and forgets the changes that it has. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const saved = this.#unsaved;
    this.#unsaved = new Set();
    const begun = performance.now();
    const { bytes, size } = await this.#parts.thread.run("save", { file: this.#file });
    this.#saveMs = performance.now() - begun;
    this.#savedSize = bytes === 0 ? Infinity : size;
    if (bytes === 0) for (const id of saved) this.#unsaved.add(id);
    else await this.#parts.records.remove([...saved].filter((id) => !this.#changed.has(id) && !this.#unsaved.has(id)));
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    await this.#following;
  }

  async #readChanged(): Promise<void> {
    const { records, filling, log } = this.#parts;
    while (this.#changed.size > 0 && !this.#isReleased) {
      const some = [...this.#changed].slice(0, mostAtOnce);
      try {
        await records.add(some);
        for (const id of some) this.#changed.delete(id);
        await filling.readSeries(some);
        for (const id of some) this.#unsaved.add(id);
      } catch (fault) {
        if (this.#isReleased) return;
        // What was noted is read again after the next start, and with the whole library by night.
        log.warn("Changes of the library could not be read into the index", { fault });
        for (const id of some) this.#changed.delete(id);
      }
      this.#parts.changed();
    }
    this.#timer ??= setTimeout(() => void this.#saveQuietly(), Math.max(saveAfterMs, this.#saveMs * saveShare));
  }

  async #saveQuietly(): Promise<void> {
    try {
      await this.save();
    } catch (fault) {
      this.#parts.log.warn("The snapshot of the index could not be written", { fault });
    }
  }
}
