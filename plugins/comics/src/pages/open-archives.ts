import { statSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { LongboxError, type Releasable } from "@longbox/sdk";
import type { Archive } from "../archives/archive.js";
import { isOnLocalDisk } from "./local-disks.js";

/** An archive that is kept open for a while. */
interface Kept<T> {
  readonly validator: string;
  readonly opened: Promise<T>;
  users: number;
  usedAt: number;
  /** The system has at hand what there is to know of the file: it is open, on a disk of this machine. */
  atHand: boolean;
  /** A newer one has replaced it; its last user closes it. */
  replaced: boolean;
}

/** The object that was made from an archive when it was opened. */
export interface Opened {
  readonly archive: Archive;
}

export interface OpenArchivesOptions<T extends Opened> {
  /** Opens a file. @throws {UnreadableArchive} */
  readonly open: (path: string, validator: string) => Promise<T>;
  /** How many stay open beyond those in use. */
  readonly most: number;
  /** Milliseconds after which an unused archive is closed. */
  readonly idleMs: number;
}

/**
 * Keeps the archives that are being read open, so that turning a page opens nothing. Descriptors are bounded, and
 * closed.
 */
export class OpenArchives<T extends Opened> implements Releasable {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #sweeper: NodeJS.Timeout;
  #released = false;

  constructor(private readonly options: OpenArchivesOptions<T>) {
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(50, options.idleMs / 4)).unref();
  }

  /** Open archives, for tests and reports. */
  get size(): number {
    return this.#kept.size;
  }

  /** Passes an open archive to `work`. Checks the file first, so that a changed file is opened again. */
  async use<R>(path: string, work: (opened: T, validator: string) => Promise<R>): Promise<R> {
    return this.#lend(path, await this.look(path), work);
  }

  /**
   * The file's current validator. For an open local file it is read on this thread, because a thread switch would take
   * longer.
   */
  async look(path: string): Promise<string> {
    return this.#kept.get(path)?.atHand ? validatorOf(statSync(path)) : fileValidator(path);
  }

  /**
   * The same for callers that have just read the file's validator: an archive that is open with it is not checked
   * again.
   */
  async useKnown<R>(path: string, known: string, work: (opened: T, validator: string) => Promise<R>): Promise<R> {
    return this.#kept.get(path)?.validator === known ? this.#lend(path, known, work) : this.use(path, work);
  }

  async #lend<R>(path: string, validator: string, work: (opened: T, validator: string) => Promise<R>): Promise<R> {
    const kept = this.#take(path, validator);
    kept.users++;
    try {
      return await work(await kept.opened, validator);
    } catch (thrown) {
      if (this.#kept.get(path) === kept) await this.#forgetFailed(path, kept);
      throw thrown;
    } finally {
      kept.users--;
      kept.usedAt = performance.now();
      if (kept.replaced && kept.users === 0) await close(kept);
    }
  }

  async release(): Promise<void> {
    this.#released = true;
    clearInterval(this.#sweeper);
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map((kept) => this.#retire(kept)));
  }

  #take(path: string, validator: string): Kept<T> {
    if (this.#released)
      throw new LongboxError("unavailable", "comics/stopped", "The archives have been closed; ask again.");
    const known = this.#kept.get(path);
    this.#kept.delete(path);
    if (known && known.validator !== validator) void this.#retire(known);
    const kept = known?.validator === validator ? known : this.#open(path, validator);
    this.#kept.set(path, kept);
    this.#makeRoom();
    return kept;
  }

  #open(path: string, validator: string): Kept<T> {
    const kept: Kept<T> = {
      validator,
      opened: this.options.open(path, validator),
      users: 0,
      usedAt: performance.now(),
      atHand: false,
      replaced: false,
    };
    // An archive that cannot be opened fails for those who asked for it, and is never at hand.
    kept.opened.then(async () => (kept.atHand = await isOnLocalDisk(path))).catch(() => undefined);
    return kept;
  }

  /** One that could not be opened is not kept; one with a single bad page is. */
  async #forgetFailed(path: string, kept: Kept<T>): Promise<void> {
    const isOpen = await kept.opened.then(
      () => true,
      () => false,
    );
    if (!isOpen) this.#kept.delete(path);
  }

  /** The map is in the order of use, so the first unused entry is the least recently used. */
  #makeRoom(): void {
    if (this.#kept.size <= this.options.most) return;
    for (const [path, kept] of this.#kept) {
      if (this.#kept.size <= this.options.most) return;
      if (kept.users === 0 && performance.now() > kept.usedAt) this.#drop(path, kept);
    }
  }

  #sweep(): void {
    const before = performance.now() - this.options.idleMs;
    for (const [path, kept] of this.#kept) if (kept.users === 0 && kept.usedAt < before) this.#drop(path, kept);
  }

  #drop(path: string, kept: Kept<T>): void {
    this.#kept.delete(path);
    void this.#retire(kept);
  }

  async #retire(kept: Kept<T>): Promise<void> {
    kept.replaced = true;
    if (kept.users === 0) await close(kept);
  }
}

async function close<T extends Opened>(kept: Kept<T>): Promise<void> {
  // What could not be opened need not be closed.
  const opened = await kept.opened.catch(() => undefined);
  await opened?.archive.close();
}

/** Changes whenever the file does: its size, its time of change and its place on the disk. */
export async function fileValidator(path: string): Promise<string> {
  return validatorOf(await stat(path));
}

function validatorOf({ size, mtimeMs, ino }: Stats): string {
  return `${size.toString(36)}-${Math.round(mtimeMs * 1000).toString(36)}-${ino.toString(36)}`;
}
